"""Pages of docs/ that scripts write, with a part for each game."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kernels import registry


def with_part(page: str, head: str, title: str, lines: Sequence[str]) -> str:
    """Page with a part in place of the one of that game, the parts in the order of the games.

    Parameters
    ----------
    page
        The page as it was, or nothing.
    head
        What stands before the parts.
    title
        The game's title, heading of its part.
    lines
        The part, of which the first line is the heading.
    """
    titles = [registry.spec(game).title for game in registry.GAMES]
    parts = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    parts[title] = "\n".join(lines).partition("\n")[2] + "\n"
    told = [f"## {name}\n{parts[name].rstrip()}\n" for name in titles if name in parts]
    return "\n".join([head, *told])
