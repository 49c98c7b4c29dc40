"""A position of canastra as a player types it in: his hand, the lixo, the melds, and what everybody holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.canastra.advice import melds_of
from kernels.canastra.layout import (
    HAND_SIZE,
    MAX_MELDS,
    MORTO_SIZE,
    NEW_LAVADEIRA,
    NEW_SEQUENCE,
    OPTION_LAYOUT,
    SIDES,
    TABLE_LAYOUT,
    encode,
    seats,
    shuffle_cards,
)
from kernels.cards import JOKER_TEXT, card_texts
from kernels.positions import (
    CARDS,
    CARDS_BY_SEAT,
    CARDS_BY_SIDE,
    CHOICE,
    FLAG,
    MELDS_BY_SIDE,
    NUMBER,
    NUMBERS_BY_SEAT,
    NUMBERS_BY_SIDE,
    REQUIRED,
    SEAT,
    SOME_CARDS,
    Built,
    Known,
    PositionField,
    WrongPositionError,
)
from kernels.word_pairs import JokerNumbers, Words, texts_of, together, words_of

Values = Mapping[str, Any]

QUESTIONS = {"draw": "choose_draw", "meld": "choose_meld", "discard": "choose_discard"}
RED_THREES = (16 + 3, 32 + 3)
BLACK_THREES = (3, 48 + 3)

FIELDS = (
    PositionField("hand", CARDS, "Your cards.", "CAN-04", REQUIRED),
    PositionField(
        "decides",
        CHOICE,
        "What you decide: to draw or take the lixo, what to lay, what to discard.",
        "CAN-07",
        "meld",
        choices=tuple(QUESTIONS),
    ),
    PositionField("lixo", CARDS, "The lixo, bottom to top.", "CAN-05", ()),
    PositionField("melds", MELDS_BY_SIDE, "The melds of each side, in the order of laying, each as it lies.", "CAN-11"),
    PositionField("red_threes", CARDS_BY_SIDE, "The red threes that each side has laid.", "CAN-06"),
    PositionField(
        "hands", NUMBERS_BY_SEAT, "Cards in each hand; otherwise eleven in those of the others.", "CAN-04", high=108
    ),
    PositionField("known", CARDS_BY_SEAT, "Cards that each other seat took with the lixo and still holds.", "CAN-07"),
    PositionField("shown", SOME_CARDS, "Cards of your hand that you took with the lixo.", "CAN-07", ()),
    PositionField("seat", SEAT, "Your seat.", "CAN-01", 0),
    PositionField(
        "begun", NUMBERS_BY_SEAT, "1 for each seat that has had a turn, and so laid its red threes.", "CAN-06", high=1
    ),
    PositionField("morto", NUMBERS_BY_SIDE, "1 for each side that has taken a morto.", "CAN-18", high=1),
    PositionField("closed", NUMBERS_BY_SEAT, "1 for each seat whose morto lies face down before it.", "CAN-18", high=1),
    PositionField("mortos", NUMBER, "Mortos left; otherwise those that no side has taken.", "CAN-23", high=2),
    PositionField("stock", NUMBER, "Cards in the stock; otherwise those that are nowhere else.", "CAN-04", high=108),
    PositionField("took", FLAG, "You have taken the lixo in this turn.", "CAN-07", False),
)
"""What can be said of a position."""


def build(known: Known, values: Values) -> Built:
    """Put a position together.

    Parameters
    ----------
    known
        A value for every field of `FIELDS`.
    values
        A value for every option of the game.

    Raises
    ------
    WrongPositionError
        If it cannot be so.
    """
    table = np.zeros(1, TABLE_LAYOUT)
    own = table[0]
    players, seat = seats(values), int(known["seat"])
    jokers = JokerNumbers()
    hand = jokers.words(known["hand"])
    lixo = jokers.numbers(known["lixo"])
    if not known["hand"]:
        raise WrongPositionError("hand", "who decides has a card")
    if any(card in RED_THREES for card in known["hand"]):
        raise WrongPositionError("hand", "red threes are laid before anything is decided: put them among red_threes")
    if any(card in RED_THREES for card in lixo):
        raise WrongPositionError("lixo", "a red three is never discarded")
    own["players"], own["seat"], own["turn"] = players, seat, 1
    own["lixo"][: len(lixo)], own["lixo_size"] = lixo, len(lixo)
    own["lixo_one"], own["lixo_two"] = seen = words_of(lixo)
    own["took_lixo"] = bool(known["took"])
    melds = [[jokers.numbers(meld) for meld in laid] for laid in known["melds"] or [()] * SIDES]
    _lay_melds(table, melds, values)
    for side, cards in enumerate(known["red_threes"] or [()] * SIDES):
        if not set(cards) <= set(RED_THREES):
            raise WrongPositionError("red_threes", "3H and 3D are the red threes")
        own["red_threes"][side] = len(cards)
        seen = together(seen, words_of(cards))
        for meld in melds[side]:
            seen = together(seen, words_of(meld))
    own["seen_one"], own["seen_two"] = seen
    own["hand_count"][:players] = _hands(known, players)
    own["started"][:players] = _begun(known, players)
    _set_known(own, known, jokers, players)
    _set_mortos(own, known, players)
    own["stock_left"] = _stock(own, known, len(known["hand"]), values)
    question = QUESTIONS[known["decides"]]
    _check_question(question, own, values)
    return Built(question, seat, table, hand)


def fields_of(question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> dict[str, Any]:
    """Return the fields of a position that came out of a deal."""
    players = seats(values)
    threes = texts_of(int(table["seen_one"]) & _RED, int(table["seen_two"]) & _RED)
    mine = int(table["red_threes"][0])
    known = [_listed(int(table["known_one"][other]), int(table["known_two"][other])) for other in range(players)]
    shown, known[seat] = known[seat], []
    return {
        "hand": _listed(given[0], given[1]),
        "decides": next(name for name, asked in QUESTIONS.items() if asked == question),
        "lixo": card_texts(table["lixo"][: int(table["lixo_size"])].tolist()),
        "melds": [melds_of(table, side) for side in range(SIDES)],
        # Which side laid which red three is all the same.
        "red_threes": [threes[:mine], threes[mine:]],
        "hands": table["hand_count"][:players].tolist(),
        "known": known,
        "shown": shown,
        "seat": seat,
        "begun": table["started"][:players].tolist(),
        "morto": table["morto_taken"].tolist(),
        "closed": table["morto_closed"][:players].tolist(),
        "mortos": int(table["mortos_left"]),
        "stock": int(table["stock_left"]),
        "took": bool(table["took_lixo"]),
    }


def _listed(one: int, two: int) -> list[str]:
    """Texts of a pair of words, the jokers first, as nobody sees which is which."""
    return sorted(texts_of(one, two), key=lambda text: text != JOKER_TEXT)


_RED = sum(1 << card for card in RED_THREES)


def _lay_melds(table: Any, melds: Sequence[Sequence[Sequence[int]]], values: Values) -> None:
    """Lay the melds of both sides by the rules of the game."""
    from kernels.canastra.meld_rules import lay, meld_article

    rules = np.zeros(1, OPTION_LAYOUT)
    for name, value in encode(values).items():
        rules[name] = value
    own, options = table.view(np.recarray)[0], rules.view(np.recarray)[0]
    for side, laid in enumerate(melds):
        if len(laid) > MAX_MELDS:
            raise WrongPositionError("melds", f"{len(laid)} melds of a side; there are not so many cards")
        for cards in laid:
            target, places = _as_it_lies(cards)
            one, two = map(np.uint64, words_of(cards))
            action = np.int64(side), target, one, two, np.uint64(places)
            article = int(meld_article(own, options, *action))
            if article:
                raise WrongPositionError("melds", f"{_text(cards)} cannot lie so (CAN-{article:02d})")
            meld = lay(own, options, *action)
            # Laid together, the lowest curinga would get the lowest place; here each lies where it is said to.
            curingas = [card for card in cards if card & 15 in _CURINGAS]
            table["meld_wild_cards"][0, side, meld, : len(curingas)] = curingas


def _as_it_lies(cards: Sequence[int]) -> tuple[np.int64, int]:
    """Target of a meld and the ranks that its curingas stand for, from its cards in order (CAN-12 to CAN-15)."""
    naturals = {place: card for place, card in enumerate(cards) if card & 15 not in _CURINGAS}
    ranks = {card & 15 for card in naturals.values()}
    if len(ranks) < 2:
        return NEW_LAVADEIRA, 0
    low = next((card & 15) - place for place, card in naturals.items())
    if any(card & 15 != low + place for place, card in naturals.items()):
        raise WrongPositionError("melds", f"{_text(cards)} cannot lie so: give the cards of a sequence in order")
    places = [low + place for place in range(len(cards)) if place not in naturals]
    if any(not 0 <= rank < 16 for rank in places):
        raise WrongPositionError("melds", f"{_text(cards)} cannot lie so (CAN-12)")
    return NEW_SEQUENCE, sum(1 << rank for rank in places)


_CURINGAS = (0, 2)
"""Ranks of the curingas."""


def _text(cards: Sequence[int]) -> str:
    return " ".join(card_texts(cards)) or "a meld without cards"


def _hands(known: Known, players: int) -> list[int]:
    """Cards in each hand (CAN-04)."""
    seat, own = int(known["seat"]), len(known["hand"])
    counts = known["hands"]
    if counts is None:
        return [own if player == seat else HAND_SIZE for player in range(players)]
    if counts[seat] != own:
        raise WrongPositionError("hands", f"seat {seat} is said to hold {counts[seat]}, but its hand is of {own}")
    return list(counts)


def _begun(known: Known, players: int) -> list[int]:
    """Who has had a turn, the seat itself included (CAN-06)."""
    begun = [1] * players if known["begun"] is None else list(known["begun"])
    if not begun[int(known["seat"])]:
        raise WrongPositionError("begun", f"it is the turn of seat {known['seat']}, so it has begun")
    return begun


def _set_known(own: Any, known: Known, jokers: JokerNumbers, players: int) -> None:
    """What everybody knows of the hands (CAN-07)."""
    seat = int(known["seat"])
    others = [jokers.words(cards) for cards in known["known"] or [()] * players]
    if others[seat][0]:
        raise WrongPositionError("known", f"seat {seat} is you: your cards that all know are shown")
    others[seat] = _shown(known)
    for other, (one, two) in enumerate(others):
        if one & _RED:
            raise WrongPositionError("known", "a red three is never in the lixo")
        if (one.bit_count() + two.bit_count()) > own["hand_count"][other]:
            raise WrongPositionError("known", f"seat {other} holds only {own['hand_count'][other]} cards")
        own["known_one"][other], own["known_two"][other] = one, two


def _shown(known: Known) -> Words:
    """Cards of the own hand that all know, its jokers numbered as there."""
    jokers = JokerNumbers()
    hand = jokers.words(known["hand"])
    shown = JokerNumbers().words(known["shown"])
    if shown[0] & ~hand[0] or shown[1] & ~hand[1]:
        raise WrongPositionError("shown", "these cards are not all in your hand")
    return shown


def _set_mortos(own: Any, known: Known, players: int) -> None:
    """Who took a morto, which still lie closed, and how many are left (CAN-18, CAN-19, CAN-23)."""
    taken = list(known["morto"] or [0] * SIDES)
    closed = list(known["closed"] or [0] * players)
    left = SIDES - sum(taken) if known["mortos"] is None else int(known["mortos"])
    if left + sum(taken) > SIDES:
        raise WrongPositionError("mortos", f"there are two, and {sum(taken)} taken")
    for seat in range(players):
        if not closed[seat]:
            if not own["hand_count"][seat]:
                raise WrongPositionError("hands", f"seat {seat} has neither card nor morto, which ends the hand")
            continue
        if not taken[seat % SIDES] or sum(closed[seat % SIDES :: SIDES]) > 1:
            raise WrongPositionError("closed", f"side {seat % SIDES} has no morto for seat {seat}")
        if own["hand_count"][seat]:
            raise WrongPositionError("closed", f"seat {seat} took its morto with an empty hand, so hands says 0 there")
    own["morto_taken"], own["mortos_left"] = taken, left
    own["morto_closed"][:players] = closed


def _stock(own: Any, known: Known, hand: int, values: Values) -> int:
    """Cards in the stock (CAN-04)."""
    seen = int(own["seen_one"]).bit_count() + int(own["seen_two"]).bit_count()
    heaps = MORTO_SIZE * (int(own["mortos_left"]) + int(own["morto_closed"].sum()))
    others = int(own["hand_count"].sum()) - hand
    left = shuffle_cards(values) - hand - seen - others - heaps
    if left < 0:
        raise WrongPositionError("hands", f"with {others} cards in the other hands there are {-left} too many")
    if known["stock"] is not None and known["stock"] != left:
        raise WrongPositionError(
            "stock", f"{known['stock']} cards, but {left} are nowhere else; all cards on the table must be given"
        )
    begun = own["started"] != 0
    free = left + heaps + int(own["hand_count"][~begun].sum())
    red_threes = 2 * len(RED_THREES) - int(own["red_threes"].sum())
    if red_threes > free:
        raise WrongPositionError("red_threes", f"{red_threes} are missing, which nobody can hold who has begun")
    return left


def _check_question(question: str, own: Any, values: Values) -> None:
    """Whether that is decided there (CAN-07, CAN-09, CAN-10, CAN-21)."""
    side, hand = int(own["seat"]) % SIDES, int(own["hand_count"][own["seat"]])
    if question == "choose_draw":
        if own["took_lixo"]:
            raise WrongPositionError("took", "who has taken the lixo does not draw any more")
        top = int(own["lixo"][own["lixo_size"] - 1]) if own["lixo_size"] else BLACK_THREES[0]
        if top in BLACK_THREES or (values["curinga_top_blocks"] and top & 15 in _CURINGAS):
            raise WrongPositionError(
                "decides", "the lixo is empty or locked, so there is nothing to decide before drawing"
            )
    can_end = (
        own["clean_canastras"][side] + own["dirty_canastras"][side] if own["morto_taken"][side] else own["mortos_left"]
    )
    if question == "choose_discard" and hand == 1 and not can_end:
        raise WrongPositionError("decides", "the last card is kept where neither morto nor batida is open (CAN-21)")
