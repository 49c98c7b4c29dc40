"""What a hand is worth (``carteador odds``): deals in which a seat holds it, beside the same deals without."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kernels.cards import JOKER, card_texts
from sim.api import check_extent
from sim.batch import Chunk, Progress
from sim.common_deals import Playing, check_played, provenance_of, seating_of, sum_over_deals
from sim.errors import UsageError
from sim.games import Setup, make_setup
from sim.manifest import DEALS
from sim.names import Names, in_program
from sim.numbers import check_fraction, check_integer
from sim.placing import placing_for, read_cards

if TYPE_CHECKING:
    from analysis.odds import Odds
    from analysis.paired import PairedRatios


@dataclass(frozen=True)
class Holding:
    """A hand that is asked about, checked.

    Attributes
    ----------
    given, average
        The table with the hand and without.
    """

    given: Setup
    average: Setup
    seat: int
    hand: tuple[int, ...]
    top_cards: tuple[int, ...]

    def play(self, playing: Playing, confidence: float) -> OddsRun:
        """Play the same deals with the hand and without."""
        from analysis.odds import Odds, SeatMeasure

        spec, options = self.given.spec, self.given.options
        measure = SeatMeasure(seating_of(self.given), spec.side_of(self.seat, options))
        total: list[dict[str, PairedRatios]] = []

        def add(_chunk: Chunk, sums: dict[str, PairedRatios]) -> None:
            total[:] = [{name: total[0][name] + found for name, found in sums.items()}] if total else [sums]

        setups = (self.given, self.average)
        progress = sum_over_deals(setups, lambda records: measure.paired(records[0], records[1]), add, playing)
        check_played(total)
        return OddsRun(self, Odds(measure.statistics, total[0], confidence), playing, progress)


@dataclass(frozen=True)
class OddsRun:
    """The odds of a hand, played."""

    holding: Holding
    result: Odds
    playing: Playing
    progress: Progress

    def sentences(self) -> list[str]:
        """The result in words."""
        from analysis.odds_words import odds_sentences

        return odds_sentences(self.result.rows())

    def command(self) -> str:
        """The command that repeats it."""
        holding = self.holding
        words = ["carteador", "odds", holding.given.spec.name, "--hand", " ".join(card_texts(holding.hand))]
        words += ["--seat", str(holding.seat)]
        if holding.top_cards:
            words += ["--top-card", " ".join(card_texts(holding.top_cards))]
        words += ["--deals", str(self.playing.count)]
        if self.playing.first:
            words += ["--first", str(self.playing.first)]
        return shlex.join(words + holding.given.arguments())

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON: schema ``carteador.odds/1``."""
        from analysis.odds import SCHEMA

        holding, setup = self.holding, self.holding.given
        return {
            "schema": SCHEMA,
            "game": setup.spec.name,
            "title": setup.spec.title,
            "seed": setup.seed,
            "first": self.playing.first,
            "deals": self.progress.done,
            "confidence": self.result.confidence,
            "seat": holding.seat,
            "hand": card_texts(holding.hand),
            "top_card": card_texts(holding.top_cards),
            "options": dict(setup.options),
            "changed": dict(setup.changed),
            "policies": setup.policy_texts,
            "rows": self.result.rows(),
            "sentence": self.sentences(),
            "command": self.command(),
            "provenance": provenance_of(self.playing, self.progress),
        }


def odds(
    game: str,
    hand: str | Sequence[str],
    *,
    seat: int = 0,
    top_card: str | Sequence[str] = (),
    score: Sequence[int] | None = None,
    deals: int | None = None,
    seed: int | None = None,
    first: int = 0,
    policies: str | Sequence[str] | Mapping[int, str] | None = None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    threads: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
) -> OddsRun:
    """Say what a hand is worth: everything that is told of a seat, if it is dealt these cards.

    All other cards are dealt at random, exactly as they would be to somebody who holds the hand: every order of them
    is equally likely. With fewer cards than a whole hand, they are the first that the seat is dealt. The same deals
    are played without the hand too, for the average.

    Parameters
    ----------
    game
        Name of a game.
    hand
        Cards as ``"KS KD 10H JK"``, or a list of texts.
    seat
        Whose hand it is; the deal passes from seat to seat, so it plays first as often as any.
    top_card
        What lies open before the first turn, in the order in which it is turned up.
    score
        Score of each side before the deal, in games in which it decides something.
    deals, seed, first, policies, rules, threads, confidence, progress
        As for `sim.simulate`.

    Raises
    ------
    UsageError
        If an argument is wrong; the message says what is allowed.

    Examples
    --------
    >>> import sim
    >>> found = sim.odds("canastra", "AS KS QS JS 10S 9S 8S 7S 6S 5S 4S", deals=500, seed=7)
    >>> rows = {row["statistic"]: row for row in found.document()["rows"]}
    >>> rows["canastra_rate"]["estimate"] > rows["canastra_rate"]["average"]
    True
    """
    count, first = check_extent(DEALS, deals, first)
    common = make_setup(game, seed=seed, policies=policies, rules=rules)
    holding = prepare(common, hand, seat, top_card, score, in_program)
    return holding.play(Playing(first, count, threads, watch=progress), check_fraction("confidence", confidence))


def prepare(
    common: Setup,
    hand: str | Sequence[str],
    seat: int | str,
    top_card: str | Sequence[str],
    score: str | Sequence[int] | None,
    names: Names,
) -> Holding:
    """Check a hand and put it at its seat.

    Raises
    ------
    UsageError
        If anything is wrong.
    """
    spec = common.spec
    if score is not None:
        common = _with_score(common, score, names)
    place = check_integer(names("seat"), seat, 0, common.seats - 1)
    cards, top_cards = read_cards(names("hand"), hand), read_cards(names("top_card"), top_card)
    if spec.pack is None:
        raise UsageError(f"game: {spec.name} does not say what its pack is, so no hand can be given")
    pack = Counter(JOKER if card & 15 == JOKER else card for card in spec.pack(common.options).tolist())
    placing = placing_for(spec, common.options, place, cards, top_cards, pack, names)
    return Holding(replace(common, placing=placing), common, place, cards, top_cards)


def _with_score(common: Setup, score: str | Sequence[int], names: Names) -> Setup:
    """Setup with the option that holds the score before a deal."""
    option = next((option for option in common.spec.options if option.kind == "scores"), None)
    if option is None:
        raise UsageError(f"{names('score')}: no rule of {common.spec.name} looks at the score before a deal")
    options = {**common.options, option.name: score if isinstance(score, str) else list(score)}
    return make_setup(
        common.spec.name,
        seed=common.seed,
        policies=common.policy_texts,
        rules=options,
        names=lambda _argument: names("score"),
    )
