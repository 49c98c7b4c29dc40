"""Deals from real tables: the whole deck in the order dealt, and the scores before the deal, as people type them in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np

from kernels.cards import JOKER, card_number, card_text, card_texts
from kernels.match_ends import UNDECIDED
from kernels.spec import GameSpec
from sim import batch
from sim.batch import Records
from sim.errors import UsageError
from sim.games import Setup, make_setup
from sim.names import Names
from sim.numbers import MAX_UINT64, check_integer
from sim.paths import read_given, read_path
from sim.placing import Placing, read_cards
from sim.rules import option_text

ALLOWED_DECK = "all cards in the order dealt, or a file with them or with the first line of `show --format jsonl`"
LARGEST_FILE = 10_000_000
LARGEST_SCORE = 10**9
BETWEEN_SCORES = re.compile(r"[\s,:]+")


@dataclass(frozen=True)
class Given:
    """A deal of which more is given than its number.

    Attributes
    ----------
    setup
        The table, with the cards placed.
    job
        The deal, shape (1,), dtype `kernels.spec.JOB`.
    deck
        The cards in the order dealt, if they are given.
    scores
        Scores before the deal in side order, if they are given: it is then a hand of a match.
    """

    setup: Setup
    job: Records
    deck: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()

    def arguments(self) -> list[str]:
        """Command-line words that give the same, beside the number of the deal and the table."""
        words = ["--deck", " ".join(card_texts(self.deck))] if self.deck else []
        return words + (["--scores", ":".join(map(str, self.scores))] if self.scores else [])


def given_deal(
    setup: Setup,
    deal: int | str | None,
    deck: str | Sequence[str] | None,
    scores: str | Sequence[int] | None,
    names: Names,
) -> Given:
    """Put a deal together of which the cards or the scores are given.

    Parameters
    ----------
    deal
        Its number, by default 0: it decides who deals, unless the deck says so, and what else is left to chance.
    deck, scores
        As ``"KS 10H ..."``, a file or a list of texts; as ``"120:340"`` or a list.
    names
        What errors call `deck`, `scores` and `deal`.

    Raises
    ------
    UsageError
        If anything is wrong.
    """
    number = check_integer(names("deal"), 0 if deal is None else deal, 0, MAX_UINT64)
    event: Mapping[str, Any] = {}
    cards: tuple[int, ...] = ()
    if deck is not None:
        where = names("deck")
        event, cards = _read(setup.spec, deck, where)
        setup = _at_its_table(setup, event, where)
        if event:
            cards = _cards_of(setup, event, where)
        setup = replace(setup, placing=_placing(setup, cards, where))
    job = batch.deal_jobs(setup, number, 1)
    if event:
        job["dealer"] = check_integer(f"{names('deck')}, dealer", event.get("dealer", 0), 0, setup.seats - 1)
    if scores is None and event.get("match") is not None:
        scores = event.get("scores_before")
    if scores is None:
        return Given(setup, job, cards)
    before = _scores(setup, scores, names("scores"))
    job["match"], job["deal"] = number, 0
    job["scores_before"][0, : setup.sides] = before
    return Given(setup, job, cards, before)


def _read(spec: GameSpec, deck: str | Sequence[str], where: str) -> tuple[Mapping[str, Any], tuple[int, ...]]:
    """Read a deck: the event of a log that has it, or its cards."""
    if not spec.dealt:
        raise UsageError(f"game: {spec.name} does not say how its cards are dealt, so no deck can be given")
    if not isinstance(deck, str):
        return {}, read_cards(where, deck)
    pieces = deck.replace(",", " ").split()
    if pieces and all(map(_is_card, pieces)):
        return {}, read_cards(where, deck)
    if len(pieces) > 1 and any(map(_is_card, pieces[:2])):
        # Meant as cards: the error is of the one that is none.
        return {}, read_cards(where, deck)
    path = read_path(where, deck, ALLOWED_DECK)
    try:
        text = read_given(path, LARGEST_FILE).decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{where}: {deck!r} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{where}: {deck!r} is no text; allowed is {ALLOWED_DECK}") from None
    if not text.lstrip().startswith("{"):
        return {}, read_cards(where, text)
    try:
        event = msgspec.json.decode(text.lstrip().splitlines()[0])
    except msgspec.DecodeError as error:
        raise UsageError(f"{where}: the first line of {deck!r} is no JSON: {error}") from None
    if not isinstance(event, dict) or event.get("event") != "deal" or event.get("game") != spec.name:
        raise UsageError(f"{where}: the first line of {deck!r} is no deal of {spec.name}")
    return event, ()


def _is_card(text: str) -> bool:
    try:
        card_number(text)
    except ValueError:
        return False
    return True


def _at_its_table(setup: Setup, event: Mapping[str, Any], where: str) -> Setup:
    """The table with the house rules of a log, unless others are asked for."""
    options = event.get("options")
    if not isinstance(options, Mapping):
        return setup
    if setup.changed:
        for name, value in setup.options.items():
            if name in options and options[name] != value:
                told = f"{name} = {option_text(options[name])}, not {option_text(value)}"
                raise UsageError(f"{where}: that deal has other house rules, {told}; name none, or the same")
        return setup
    known = make_setup(setup.spec.name, seed=setup.seed, rules=options, names=lambda _argument: f"{where}, options")
    texts = setup.policy_texts
    policies: Any = texts[0] if len(set(texts)) == 1 else texts
    return make_setup(setup.spec.name, seed=setup.seed, rules=dict(known.options), policies=policies)


def _cards_of(setup: Setup, event: Mapping[str, Any], where: str) -> tuple[int, ...]:
    """The deck of a deal that a log has: every card at its place."""
    spec, options = setup.spec, setup.options
    assert spec.hand_places is not None
    dealer = check_integer(f"{where}, dealer", event.get("dealer", 0), 0, setup.seats - 1)
    hands = event.get("hands")
    if not isinstance(hands, list) or len(hands) < setup.seats or any(hands[setup.seats :]):
        raise UsageError(f"{where}: 'hands' must hold a hand for each of the {setup.seats} seats")
    places: dict[int, int] = {}
    for seat, hand in enumerate(hands[: setup.seats]):
        cards = _texts(hand, f"{where}, hands")
        there = spec.hand_places(options, dealer, seat)
        if len(cards) != len(there):
            raise UsageError(f"{where}, hands: seat {seat} has {len(cards)} cards; dealt are {len(there)}")
        places.update(zip(there, cards, strict=True))
    rest: list[int] = []
    for name, is_reversed in spec.dealt:
        piles = event.get(name, [])
        piles = piles if isinstance(piles, list) and piles and isinstance(piles[0], list) else [piles]
        for pile in piles:
            cards = _texts([pile] if isinstance(pile, str) else pile, f"{where}, {name}")
            rest += reversed(cards) if is_reversed else cards
    free = (place for place in range(len(places) + len(rest)) if place not in places)
    places.update(zip(free, rest, strict=False))
    return tuple(places[place] for place in sorted(places))


def _texts(cards: Any, where: str) -> tuple[int, ...]:
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise UsageError(f"{where}: {cards!r} is no list of cards")
    return read_cards(where, cards)


def _placing(setup: Setup, cards: tuple[int, ...], where: str) -> Placing:
    """Put the whole deck in its order."""
    spec, options = setup.spec, setup.options
    assert spec.pack is not None
    pack = Counter(map(_face, spec.pack(options).tolist()))
    found = Counter(map(_face, cards))
    for card in found:
        if found[card] > pack[card]:
            has = "is not in the pack" if not pack[card] else f"is there {found[card]} times; the pack has {pack[card]}"
            raise UsageError(f"{where}: {card_text(card)} {has}")
    if found != pack:
        missing = sorted((pack - found).elements())
        first = " ".join(map(card_text, missing[:5])) + (" ..." if len(missing) > 5 else "")
        raise UsageError(f"{where}: {len(cards)} cards; the pack of {spec.name} has {pack.total()}: {first} not there")
    if spec.open_conflict is not None:
        for dealer in range(setup.seats):
            there = spec.open_places(options, dealer) if spec.open_places is not None else ()
            conflict = spec.open_conflict(tuple(cards[place] for place in there))
            if conflict is not None:
                raise UsageError(f"{where}: {conflict}")
    given = cards
    if spec.own_numbers is not None:
        numbers = spec.own_numbers(options)
        given = tuple(int(numbers[card]) for card in cards)
    everywhere = tuple(range(len(cards)))
    return Placing(given, (everywhere,) * setup.seats, JOKER in pack)


def _face(card: int) -> int:
    return JOKER if card & 15 == JOKER else card


def _scores(setup: Setup, scores: Any, where: str) -> tuple[int, ...]:
    """Scores before the deal, one for each side."""
    if isinstance(scores, str):
        scores = [text for text in BETWEEN_SCORES.split(scores.strip()) if text]
    if not isinstance(scores, Sequence):
        raise UsageError(f"{where}: {scores!r} is not allowed; allowed is a score for each side, as 120:340")
    if len(scores) != setup.sides:
        raise UsageError(f"{where}: there are {len(scores)} scores for {setup.sides} sides, as 120:340")
    before = tuple(check_integer(where, score, -LARGEST_SCORE, LARGEST_SCORE) for score in scores)
    winner = setup.spec.match_winners(np.array([before], np.int64), setup.options)[0]
    if winner != UNDECIDED:
        raise UsageError(f"{where}: with {option_text(list(before))} the match is over, so no deal follows")
    return before
