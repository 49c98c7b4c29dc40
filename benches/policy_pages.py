"""The part "Your own policy" of docs/policies.md: what every game asks, shows and offers, put down from its own words.

Run as ``python -m benches.policy_pages``, it writes that part anew; a test holds the page against it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from kernels import registry

PAGE = Path(__file__).resolve().parents[1] / "docs" / "policies.md"
BEGIN, END = "<!-- games: written by python -m benches.policy_pages -->", "<!-- end of games -->"


def games_text() -> str:
    """What the page says of every game."""
    return "\n".join(line for game in registry.GAMES for line in _game(game))


def _game(game: str) -> Iterator[str]:
    spec, told, helpers = (
        registry.spec(game),
        registry.module(game, "questions"),
        registry.module(game, "helpers"),
    )
    yield f"### {spec.title}: what it asks, shows and offers"
    yield ""
    yield f'A worked example: [examples/{game}_policy.py](examples/{game}_policy.py). `GAME = "{game}"`.'
    yield ""
    yield "| question | when | answer |"
    yield "|---|---|---|"
    for question in told.QUESTIONS:
        answer = "<br>".join(f"`{value.name}` ({value.kind}): {value.help}" for value in question.answer)
        yield f"| `{question.name}`: {question.asks} | {question.when} | {answer} |"
    yield ""
    yield "| given | what it is |"
    yield "|---|---|"
    for argument in told.ARGUMENTS:
        yield f"| `{argument.name}` | {argument.help} |"
    yield ""
    yield "| of `table` | what everybody sees |"
    yield "|---|---|"
    for field in told.SEEN:
        yield f"| `{field.name}` | {field.help} |"
    yield ""
    yield f"| of `kernels.{game}.helpers` | what it does |"
    yield "|---|---|"
    for name in helpers.__all__:
        found = getattr(helpers, name)
        function = getattr(found, "py_func", found)
        if inspect.isfunction(function):
            arguments = ", ".join(inspect.signature(function).parameters)
            yield f"| `{name}({arguments})` | {_first_line(function)} |"
    constants = [name for name in helpers.__all__ if not inspect.isroutine(_plain(helpers, name))]
    yield f"| {', '.join(f'`{name}`' for name in constants)} | constants |"
    yield ""


def _plain(helpers: ModuleType, name: str) -> Any:
    found = getattr(helpers, name)
    return getattr(found, "py_func", found)


def _first_line(function: Any) -> str:
    return (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def with_games(page: str) -> str:
    """Return the page with its part on the games written anew."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    assert begin
    assert end
    return f"{before}{BEGIN}\n\n{games_text()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_games(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
