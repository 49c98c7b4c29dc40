"""Who sits where: sides, the policy each side plays, and the groups that statistics are told by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kernels.spec import GameSpec

ALL, SIDE, POLICY, FIRST = "all", "side", "policy", "first"
"""Kinds of group: every row; one side or seat; the sides that play one policy; who plays first and who does not."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the rows of every deal.

    Attributes
    ----------
    name
        ``all``, or the column of the `sides` frame and its value: ``side:0`` (``seat:0`` in a game without sides),
        ``policy:expert``, ``plays_first:yes``, ``plays_first:no``.
    kind
        `ALL`, `SIDE`, `POLICY` or `FIRST`.
    members
        Sides whose rows can belong to it.
    first
        True: only the row of the side that plays first; False: only the others; None: whoever plays first.
    rows
        The most rows that a deal can have in it.
    """

    name: str
    kind: str
    members: tuple[int, ...]
    first: bool | None
    rows: int

    @property
    def clustered(self) -> bool:
        """Whether a deal can have several rows in it, which then depend on each other."""
        return self.rows > 1


@dataclass(frozen=True)
class Seating:
    """The table of a run.

    Parameters
    ----------
    spec
        The game.
    given
        Option values by name; those not given have the game's default.
    policies
        Text of the policy at each seat.

    Raises
    ------
    ValueError
        If there is not one policy for each seat.
    """

    spec: GameSpec
    given: Mapping[str, Any]
    policies: tuple[str, ...]

    @classmethod
    def of(cls, spec: GameSpec, options: Mapping[str, Any], policies: Sequence[str]) -> Seating:
        """Seating of a run."""
        return cls(spec, dict(options), tuple(policies))

    def __post_init__(self) -> None:
        """Refuse what does not fit."""
        if len(self.policies) != self.seats:
            raise ValueError(f"{self.spec.name} has {self.seats} seats, but {len(self.policies)} policies are given")

    @cached_property
    def options(self) -> dict[str, Any]:
        """A value for every option."""
        return {option.name: self.given.get(option.name, option.default) for option in self.spec.options}

    @cached_property
    def seats(self) -> int:
        """Seats at the table."""
        return self.spec.seats(self.options)

    @cached_property
    def sides(self) -> int:
        """Sides that score."""
        return self.spec.sides(self.options)

    @cached_property
    def side_of_seat(self) -> tuple[int, ...]:
        """Side of each seat."""
        return tuple(self.spec.side_of(seat, self.options) for seat in range(self.seats))

    @cached_property
    def word(self) -> str:
        """``seat`` where everybody plays for himself, as the game is mostly played; else ``side``."""
        defaults = {option.name: option.default for option in self.spec.options}
        alone = all(
            self.spec.sides(values) == self.spec.seats(values) for values in (defaults, {**defaults, **self.given})
        )
        return "seat" if alone else "side"

    @cached_property
    def side_policies(self) -> tuple[str, ...]:
        """Policy text of each side: the one its seats share, else those of its seats in order, as ``novice+expert``."""
        return tuple(_together([text for text, owner in self._by_seat if owner == side]) for side in range(self.sides))

    @cached_property
    def opponents_policies(self) -> tuple[str, ...]:
        """Policy text of everybody against each side, put together in the same way."""
        return tuple(_together([text for text, owner in self._by_seat if owner != side]) for side in range(self.sides))

    @property
    def _by_seat(self) -> list[tuple[str, int]]:
        return list(zip(self.policies, self.side_of_seat, strict=True))

    def groups(self, split: str = "plays_first") -> tuple[Group, ...]:
        """All groups of rows of sides; the policies only if the sides' policies differ.

        Parameters
        ----------
        split
            The yes-or-no column that says which side of the deal plays first.
        """
        every = tuple(range(self.sides))
        if self.sides < 2:
            return (Group(ALL, ALL, every, None, self.sides),)
        texts = tuple(dict.fromkeys(self.side_policies))
        playing = {text: tuple(side for side in every if self.side_policies[side] == text) for text in texts}
        return (
            Group(ALL, ALL, every, None, self.sides),
            *(Group(f"{self.word}:{side}", SIDE, (side,), None, 1) for side in every),
            *(
                Group(f"policy:{text}", POLICY, members, None, len(members))
                for text, members in playing.items()
                if len(texts) > 1
            ),
            Group(f"{split}:yes", FIRST, every, True, 1),
            Group(f"{split}:no", FIRST, every, False, self.sides - 1),
        )


def _together(texts: Sequence[str]) -> str:
    return texts[0] if len(set(texts)) == 1 else "+".join(texts)
