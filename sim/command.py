"""How the words of a command are read, beyond what Typer does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from sim.errors import UsageError

RESUME = "--resume"


class Command(TyperCommand):
    """A command that refuses an option given twice where only one value counts."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words after the command's name.

        ``--resume`` may stand alone beside ``--out DIR``, whose folder it then means, or have a value as any option.

        Raises
        ------
        UsageError
            If an option of one value is given twice.
        """
        words = self._with_value_of_resume(args)
        if not ctx.resilient_parsing:
            self._refuse_twice(words)
        return super().parse_args(ctx, words)

    @property
    def _options(self) -> dict[str, Any]:
        """Options that have a value, by name."""
        every = {name: option for option in self.params for name in option.opts if name.startswith("-")}
        return {name: option for name, option in every.items() if not getattr(option, "is_flag", False)}

    def _with_value_of_resume(self, words: Sequence[str]) -> list[str]:
        options = self._options
        if RESUME not in options:
            return list(words)
        done: list[str] = []
        waiting = list(words)
        has_out = any(word.partition("=")[0] == "--out" for word in words)
        while waiting and waiting[0] != "--":
            word = waiting.pop(0)
            if word == RESUME:
                has_value = waiting and not waiting[0].startswith("-") and not (has_out and _may_be_game(waiting[0]))
                word = f"{RESUME}={waiting.pop(0) if has_value else ''}"
            done.append(word)
            if word in options and waiting:
                done.append(waiting.pop(0))
        return done + waiting

    def _refuse_twice(self, words: Sequence[str]) -> None:
        options = self._options
        given: dict[str, str] = {}
        following = iter(words)
        for word in following:
            if word == "--":
                break
            name, equals, value = word.partition("=")
            option = options.get(name)
            if option is None:
                continue
            value = value if equals else next(following, "")
            if name in given and not option.multiple:
                raise UsageError(f"{name} is given twice, as {given[name]!r} and as {value!r}; give it once")
            given[name] = value


def _may_be_game(word: str) -> bool:
    """Whether a word after ``--resume`` names a game rather than a folder."""
    from kernels.registry import GAMES

    return word in GAMES or not (os.sep in word or word.startswith("~") or Path(word).is_dir())
