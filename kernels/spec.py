"""What a game declares about itself in plain data: options, policies, layouts.

Nothing here imports numba, so listing games or checking an option costs no compilation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.match_ends import highest_past_target, next_seat_deals

Integers = npt.NDArray[Any]

MAX_SEATS = 10
"""Seats at the largest table of any game (mau-mau, ten players)."""

JOB = np.dtype(
    [
        ("deal", np.uint64),
        ("match", np.int64),
        ("dealer", np.int8),
        ("scores_before", np.int32, (MAX_SEATS,)),
    ],
    align=True,
)
"""One deal to play: its number (in a match: the number within the match), the match (-1 outside
one), the dealer's seat, and the scores in side order before the deal."""


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule that a user can change.

    Parameters
    ----------
    name
        Name on the command line and in every file.
    kind
        ``choice`` (one of `choices`, texts or integers), ``flag`` (true or false), ``ranks`` (a set of the rank
        characters in `choices`), ``integer`` (from `low` to `high`), ``rate`` (a probability, 0 to 1) or ``scores``
        (such an integer for each side).
    default
        The value played when nothing is said. ``ranks``: a tuple of rank characters. ``scores``: a tuple of integers.
    help
        What the option changes, in one sentence.
    article
        The article of the rule book that offers it, as ``CAN-13``.
    """

    name: str
    kind: str
    default: Any
    help: str
    article: str
    choices: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0


RATE_ONE = 1 << 32
"""What a rate of 1 is to the kernels (`rate_threshold`)."""


def rate_threshold(rate: float) -> int:
    """Return a probability as `kernels.rng.happens` takes it: 0 to 2^32, the nearest whole number."""
    return round(rate * RATE_ONE)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named integer of a policy, from `low` to `high`."""

    name: str
    default: int
    low: int
    high: int
    help: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A way of playing: its kernel number and its named parameters, in kernel order.

    `part` names the module of the game's package that answers for it, if the game's own module of policies does not
    (`sim.specialise`).
    """

    name: str
    number: int
    help: str
    parameters: tuple[Parameter, ...] = ()
    part: str = ""


def no_conflict(_values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Let all option values go together."""
    return None


@dataclass(frozen=True, slots=True)
class GameSpec:
    """All that Python code knows of a game without importing its kernels.

    Attributes
    ----------
    name, title, summary
        The name on the command line, the title in reports, one sentence.
    rules
        Path of the rule page within the repository.
    options, policies, presets
        House rules; built-in policies, weakest first; named sets of options that ship with the game.
    searches
        Further policies, weakest first, that play on from every decision many times: strong, and slow by orders of
        magnitude.
    option_layout, record_layout
        Dtypes of the encoded options and of the row that a deal leaves behind. Sub-array fields of a
        record have one entry a side (a seat, in games without sides), or more where an option sets the number of
        seats. One of them may be called `playing`: 0 for a side that is out of the match and not dealt to.
    encode
        Turns a complete mapping of option values into the fields of `option_layout`.
    seats, sides
        Number of seats and of sides under given option values.
    side_of
        The side of a seat.
    end_reasons
        Names of the values of the record's ``reason``.
    max_parameters
        Width of a row of policy parameters.
    max_events
        An event log of this length holds any deal.
    shuffle_cards
        Number of cards in the game's pack under given option values (the unit of cost).
    target
        Name of the option that ends a match.
    void_reasons
        The end reasons of deals that count for nobody: neither won nor tied.
    conflict
        Options whose values cannot go together: the name of the one to change and what is allowed beside the others,
        or None if all is well.
    match_winners
        Winner of each match from its scores, shape (matches, sides), and the option values: a side,
        `kernels.match_ends.UNDECIDED` or `kernels.match_ends.SHARED`.
    next_dealers
        Dealer of each match's next deal from the dealers of the last one, the scores, the option values and the
        number of seats.
    hand_places
        Places in the shuffled deck of the cards that a seat is dealt at first, from the option values, the dealer's
        seat and the seat. The state then has the field `placed` (`kernels.placing`).
    open_places
        The same of the cards that lie open before the first turn, from the option values and the dealer's seat.
    dealt
        What follows the hands in the deck, in its order: names of the fields of the log's ``deal`` event, and whether
        that has the cards in the reverse order.
    open_conflict
        Why cards cannot be the open ones of a deal, or None if they can.
    pack
        Card numbers of the pack under given option values.
    own_numbers
        Of a game whose deck has numbers of its own: the number of each card, by its number in `kernels.cards`.
    """

    name: str
    title: str
    summary: str
    rules: str
    options: tuple[Option, ...]
    policies: tuple[Policy, ...]
    option_layout: np.dtype[np.void]
    record_layout: np.dtype[np.void]
    encode: Callable[[Mapping[str, Any]], dict[str, Any]]
    seats: Callable[[Mapping[str, Any]], int]
    sides: Callable[[Mapping[str, Any]], int]
    side_of: Callable[[int, Mapping[str, Any]], int]
    shuffle_cards: Callable[[Mapping[str, Any]], int]
    end_reasons: tuple[str, ...]
    max_parameters: int
    max_events: int
    default_policy: str = "standard"
    target: str = "target"
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    searches: tuple[Policy, ...] = ()
    void_reasons: tuple[str, ...] = ()
    conflict: Callable[[Mapping[str, Any]], tuple[str, str] | None] = no_conflict
    match_winners: Callable[[Integers, Mapping[str, Any]], Integers] = highest_past_target
    next_dealers: Callable[[Integers, Integers, Mapping[str, Any], int], Integers] = next_seat_deals
    hand_places: Callable[[Mapping[str, Any], int, int], tuple[int, ...]] | None = None
    open_places: Callable[[Mapping[str, Any], int], tuple[int, ...]] | None = None
    dealt: tuple[tuple[str, bool], ...] = ()
    open_conflict: Callable[[Sequence[int]], str | None] | None = None
    pack: Callable[[Mapping[str, Any]], npt.NDArray[np.uint8]] | None = None
    own_numbers: Callable[[Mapping[str, Any]], npt.NDArray[np.uint8]] | None = None

    @property
    def all_policies(self) -> tuple[Policy, ...]:
        """Built-in policies and searches, weakest first."""
        return (*self.policies, *self.searches)
