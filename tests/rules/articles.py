"""Rule pages as data: articles, their options, the tests they name.

A test whose name holds an article, as ``test_can_08_the_finishing_card``, belongs to that article's list. Run
``python -m tests.rules.articles`` to add such tests to the pages, and to drop names of tests that are gone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kernels import registry
from tests.trees import ROOT

HEADING = re.compile(r"^### ([A-Z]+)-(\d\d)\b.*$", re.MULTILINE)
TESTS_LINES = re.compile(r"^Tests:.*(?:\n(?!\n|#).+)*", re.MULTILINE)
TEST_NAME = re.compile(r"`(tests/[\w/]+\.py::\w+)`")
OPTION_LINE = re.compile(r"^\*\*Option\*\* `(\w+)`: (.*)", re.MULTILINE)


@dataclass(frozen=True)
class Article:
    """An article of a rule page, as ``CAN-08``, with its text from the heading on."""

    name: str
    text: str

    @property
    def tests_lines(self) -> str:
        """Its last paragraph, which names its tests."""
        found = TESTS_LINES.search(self.text)
        return found[0] if found else ""

    @property
    def tests(self) -> list[str]:
        """Tests it names, as ``tests/rules/test_canastra_deal.py::test_can_04_eleven_cards_each``."""
        return TEST_NAME.findall(self.tests_lines)

    @property
    def options(self) -> dict[str, str]:
        """Options it offers, with the line that says their values."""
        return dict(OPTION_LINE.findall(self.text))


def page_of(game: str) -> Path:
    """Rule page of a game."""
    return ROOT / registry.spec(game).rules


def articles(game: str) -> list[Article]:
    """Articles of a game's rule page, in the order of the page."""
    page = page_of(game).read_text()
    heads = list(HEADING.finditer(page))
    ends = [head.start() for head in heads[1:]] + [len(page)]
    return [
        Article(f"{head[1]}-{head[2]}", page[head.start() : end].partition("\n## ")[0])
        for head, end in zip(heads, ends, strict=True)
    ]


@cache
def all_tests() -> frozenset[str]:
    """Every test function of the repository."""
    return frozenset(_all_tests())


def _all_tests() -> Iterator[str]:
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{path.relative_to(ROOT).as_posix()}::{node.name}"


def tests_named_after(article: str) -> list[str]:
    """Tests whose name holds the article."""
    part = f"_{article.replace('-', '_').lower()}_"
    return sorted(test for test in all_tests() if part in test.partition("::")[2])


def main() -> None:
    """Bring the lists of tests of every rule page up to date."""
    for game in registry.GAMES:
        page = page_of(game).read_text()
        for article in articles(game):
            kept = [test for test in article.tests if test in all_tests()]
            tests = sorted({*kept, *tests_named_after(article.name)})
            lines = "Tests: " + ",\n".join(f"`{test}`" for test in tests)
            page = page.replace(article.text, article.text.replace(article.tests_lines, lines.strip()))
            if not tests:
                print(f"{article.name} has no test")
        page_of(game).write_text(page)


if __name__ == "__main__":
    main()
