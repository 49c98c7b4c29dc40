"""A position of loba as a player types it in: his hand, the discards, the melds, and what everybody has taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.cards import JOKER_TEXT, card_text, card_texts
from kernels.loba.advice import discards_of, melds_of
from kernels.loba.layout import (
    HAND_SIZE,
    MAX_MELDS,
    MOST_RESHUFFLES,
    NATURALS,
    OPTION_LAYOUT,
    SUITS,
    TABLE_LAYOUT,
    TURN_CAP,
    encode,
    jokers_for,
    seats,
)
from kernels.positions import (
    CARDS,
    CARDS_BY_SEAT,
    CHOICE,
    FLAG,
    MELDS_BY_SEAT,
    NUMBER,
    NUMBERS_BY_SEAT,
    REQUIRED,
    SEAT,
    SOME_CARDS,
    SOME_CARDS_BY_SEAT,
    Built,
    Known,
    PositionField,
    WrongPositionError,
)
from kernels.word_pairs import JokerNumbers, Words, texts_of, together, words_of

Values = Mapping[str, Any]

QUESTIONS = {"draw": "choose_draw", "lay": "choose_lay", "discard": "choose_discard"}
NOTHING = -1
ANY_NUMBER = 127
"""Of the drawn cards, where nothing is said of them: as many as there are."""

FIELDS = (
    PositionField("hand", CARDS, "Your cards.", "LOB-02", REQUIRED),
    PositionField("exposed", CARDS, "The exposed card at the bottom of the stock.", "LOB-03", REQUIRED),
    PositionField(
        "decides",
        CHOICE,
        "What you decide: to draw or take the discard, what to lay, what to discard; otherwise, with the nine cards "
        "that one has before drawing, to draw, else what to lay.",
        "LOB-04",
        choices=tuple(QUESTIONS),
    ),
    PositionField("discards", CARDS, "The discards, bottom to top.", "LOB-04", ()),
    PositionField("melds", MELDS_BY_SEAT, "The melds of each seat, in the order of laying, each as it lies.", "LOB-05"),
    PositionField(
        "known", CARDS_BY_SEAT, "Natural cards that each other seat took from the discards and still holds.", "LOB-04"
    ),
    PositionField("shown", SOME_CARDS, "Natural cards of your hand that you took from the discards.", "LOB-04", ()),
    PositionField(
        "took", SOME_CARDS_BY_SEAT, "Cards that each seat took from the discards; otherwise known and shown.", "LOB-04"
    ),
    PositionField("thrown", SOME_CARDS_BY_SEAT, "Cards that each seat discarded, each once.", "LOB-04"),
    PositionField("seat", SEAT, "Your seat.", "LOB-01", 0),
    PositionField(
        "turn",
        NUMBER,
        "Number of the turn; otherwise one more than the discards.",
        "LOB-17",
        low=1,
        high=TURN_CAP,
    ),
    PositionField("taken", SOME_CARDS, "The card that you took from the discards in this turn.", "LOB-04", ()),
    PositionField(
        "taken_meld",
        NUMBER,
        "Number of your meld, from 0, in which you have laid it since.",
        "LOB-12",
        high=MAX_MELDS - 1,
    ),
    PositionField(
        "taken_twin", FLAG, "You held its twin before; otherwise as there are two of it in your hand.", "LOB-04"
    ),
    PositionField("laid", FLAG, "You have laid cards in this turn; otherwise as the card taken lies.", "LOB-15"),
    PositionField(
        "laid_before",
        FLAG,
        "You have laid cards in an earlier turn; otherwise where your melds are not of this turn.",
        "LOB-15",
    ),
    PositionField("out", NUMBERS_BY_SEAT, "1 for each seat that is out of the match.", "LOB-16", high=1),
    PositionField(
        "reshuffles", NUMBER, "How often the discards have become the stock.", "LOB-13", 0, high=MOST_RESHUFFLES
    ),
    PositionField(
        "recycled", SOME_CARDS, "The cards of which the stock was last made; otherwise they may be any.", "LOB-13"
    ),
    PositionField(
        "drawn",
        NUMBERS_BY_SEAT,
        "Cards that each seat has drawn from the stock as it was last made; otherwise any number.",
        "LOB-13",
        high=ANY_NUMBER,
    ),
    PositionField("stock", NUMBER, "Cards in the stock; otherwise those that are nowhere else.", "LOB-03", high=108),
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
    known = {**known, "decides": known["decides"] or _decided(known)}
    jokers = JokerNumbers()
    hand = jokers.words(known["hand"])
    _set_players(own, known, players)
    discards = jokers.numbers(known["discards"])
    own["discards"][: len(discards)], own["discard_count"] = discards, len(discards)
    own["exposed"] = _exposed(known)
    seen = together(words_of(discards), words_of([int(own["exposed"])]))
    melds = [[jokers.numbers(meld) for meld in laid] for laid in known["melds"] or [()] * players]
    _lay_melds(table, melds, values)
    for laid in melds:
        for meld in laid:
            seen = together(seen, words_of(meld))
    own["seen_one"], own["seen_two"] = seen
    own["turn"] = len(discards) + 1 if known["turn"] is None else int(known["turn"])
    own["hand_count"][:players] = _hands(own, known, melds)
    _set_known(own, known, hand, players)
    _set_turn(own, known, hand)
    _set_stock(own, known, values, players)
    question = QUESTIONS[known["decides"]]
    _check_question(question, table, hand, values)
    return Built(question, seat, table, hand)


def _decided(known: Known) -> str:
    """What follows from the number of one's cards: who draws one discards one (LOB-02, LOB-04)."""
    laid = (known["melds"] or {int(known["seat"]): ()})[int(known["seat"])]
    return "draw" if len(known["hand"]) + sum(map(len, laid)) == HAND_SIZE else "lay"


def fields_of(question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> dict[str, Any]:
    """Return the fields of a position that came out of a deal."""
    players = seats(values)
    known = [texts_of(int(table["known_one"][other]), int(table["known_two"][other])) for other in range(players)]
    shown, known[seat] = known[seat], []
    fields = {
        "hand": _listed(given[0], given[1]),
        "exposed": card_text(int(table["exposed"])),
        "decides": next(name for name, asked in QUESTIONS.items() if asked == question),
        "discards": discards_of(table),
        "melds": [melds_of(table, other) for other in range(players)],
        "known": known,
        "shown": shown,
        "took": [_listed(int(table["took"][other]), 0) for other in range(players)],
        "thrown": [_listed(int(table["thrown"][other]), 0) for other in range(players)],
        "seat": seat,
        "turn": int(table["turn"]),
        "laid": bool(table["laid"]),
        "laid_before": bool(table["has_laid"][seat]),
        "out": (1 - table["playing"][:players]).tolist(),
        "reshuffles": int(table["reshuffles"]),
        "drawn": table["drawn"][:players].tolist(),
        "stock": int(table["stock_left"]),
    }
    if table["taken"] >= 0:
        fields |= {"taken": [card_text(int(table["taken"]))], "taken_twin": not table["taken_only"]}
        if table["taken_meld"] >= 0:
            fields["taken_meld"] = int(table["taken_meld"])
    if table["reshuffles"]:
        fields["recycled"] = _listed(int(table["recycled_one"]), int(table["recycled_two"]))
    return fields


def _listed(one: int, two: int) -> list[str]:
    """Texts of a pair of words, the jokers first, as nobody sees which is which."""
    return sorted(texts_of(one, two), key=lambda text: text != JOKER_TEXT)


def _count(words: Words) -> int:
    return words[0].bit_count() + words[1].bit_count()


def _is_joker(card: int) -> bool:
    return card & 15 == 0


def _set_players(own: Any, known: Known, players: int) -> None:
    """Who is still in the match (LOB-16)."""
    seat = int(known["seat"])
    out = list(known["out"] or [0] * players)
    if out[seat]:
        raise WrongPositionError("out", f"it is the turn of seat {seat}, so it is in")
    if players - sum(out) < 2:
        raise WrongPositionError("out", "two players at least are still in")
    own["playing"][:players] = [1 - is_out for is_out in out]
    own["players"], own["seat"], own["first"] = players - sum(out), seat, seat


def _exposed(known: Known) -> int:
    """The exposed card (LOB-03)."""
    if len(known["exposed"]) != 1:
        raise WrongPositionError("exposed", f"{len(known['exposed'])} cards; one is exposed")
    card = int(known["exposed"][0])
    if _is_joker(card):
        raise WrongPositionError("exposed", "a joker is never exposed: such a deal is void")
    return card


def _lay_melds(table: Any, melds: Sequence[Sequence[Sequence[int]]], values: Values) -> None:
    """Lay the melds of all seats by the rules of the game (LOB-05 to LOB-07)."""
    from kernels.loba.covering import NEW
    from kernels.loba.meld_rules import meld_article

    any_set = bool(encode(values)["any_set"])
    own = table.view(np.recarray)[0]
    for seat, laid in enumerate(melds):
        if laid and not table["playing"][0, seat]:
            raise WrongPositionError("melds", f"seat {seat} is out of the match and has none")
        if len(laid) > MAX_MELDS:
            raise WrongPositionError("melds", f"{len(laid)} melds of seat {seat}; there are not so many cards")
        for number, cards in enumerate(laid):
            is_set = len({card & 15 for card in cards if not _is_joker(card)}) == 1
            naturals, twice, jokers = _as_a_set(cards) if is_set else _in_order(cards)
            words = np.uint64(naturals), np.uint64(twice), np.uint64(jokers)
            article = int(meld_article(own, np.int64(seat), NEW, *words, any_set))
            if article:
                raise WrongPositionError("melds", f"{_text(cards)} cannot lie so (LOB-{article:02d})")
            table["meld_one"][0, seat, number], table["meld_two"][0, seat, number] = naturals, twice
            table["meld_jokers"][0, seat, number], table["is_set"][0, seat, number] = jokers, is_set
            table["jokers_laid"][0, seat] += jokers.bit_count()
            table["meld_count"][0, seat] += 1


def _as_a_set(cards: Sequence[int]) -> tuple[int, int, int]:
    """Naturals, those twice, and a bit if there is a joker, which no set has."""
    naturals = [card for card in cards if not _is_joker(card)]
    return *words_of(naturals), int(len(naturals) < len(cards))


def _in_order(cards: Sequence[int]) -> tuple[int, int, int]:
    """Positions of the cards of a sequence given in order (LOB-06, LOB-07)."""
    naturals = [(place, card) for place, card in enumerate(cards) if not _is_joker(card)]
    if len(cards) < 3 or not naturals:
        raise WrongPositionError("melds", f"{_text(cards)} cannot lie so (LOB-06)")
    place, card = naturals[0]
    low = (1 if place == 0 and card & 15 == 14 else card & 15) - place
    suit = card & 48
    if any(_position(other, low + at) != suit + low + at for at, other in naturals):
        raise WrongPositionError("melds", f"{_text(cards)} cannot lie so: give the cards of a sequence in order")
    if low < 1 or low + len(cards) > 15:
        raise WrongPositionError("melds", f"{_text(cards)} cannot lie so (LOB-06)")
    jokers = [suit + low + at for at, other in enumerate(cards) if _is_joker(other)]
    return sum(1 << suit + low + at for at, _ in naturals), 0, sum(1 << position for position in jokers)


def _position(card: int, rank: int) -> int:
    """Position of a card at the place of a rank: an ace may be low."""
    return card - 13 if card & 15 == 14 and rank == 1 else card


def _text(cards: Sequence[int]) -> str:
    return " ".join(card_texts(cards)) or "a meld without cards"


def _hands(own: Any, known: Known, melds: Sequence[Sequence[Sequence[int]]]) -> list[int]:
    """Cards in each hand: who draws a card discards one, so hand and melds are nine (LOB-02, LOB-04)."""
    seat = int(known["seat"])
    counts = []
    for other, laid in enumerate(melds):
        size = HAND_SIZE if known["decides"] == "draw" or other != seat else HAND_SIZE + 1
        left = size - sum(map(len, laid))
        if other == seat and len(known["hand"]) != left:
            raise WrongPositionError(
                "hand",
                f"it has {len(known['hand'])}, your melds {sum(map(len, laid))}: together they are "
                f"{HAND_SIZE} before drawing, {HAND_SIZE + 1} after it",
            )
        if left < 1:
            raise WrongPositionError("melds", f"seat {other} has no card left with {size - left} laid")
        counts.append(left if own["playing"][other] else 0)
    return counts


def _set_known(own: Any, known: Known, hand: Words, players: int) -> None:
    """What everybody knows of the hands, and what each seat took and threw (LOB-04)."""
    seat = int(known["seat"])
    others = list(known["known"] or [()] * players)
    if others[seat]:
        raise WrongPositionError("known", f"seat {seat} is you: your cards that all know are shown")
    others[seat] = known["shown"]
    taken = [card for card in known["taken"] if not _is_joker(card)]
    if taken and known["taken_meld"] is None and taken[0] not in others[seat]:
        others[seat] = (*others[seat], *taken)
    took, thrown = (list(known[name] or [()] * players) for name in ("took", "thrown"))
    took[seat] = (*took[seat], *known["taken"])
    for other in range(players):
        field = "shown" if other == seat else "known"
        if any(map(_is_joker, others[other])):
            raise WrongPositionError(field, "which joker leaves a hand nobody can tell: jokers taken are told by took")
        own["known_one"][other], own["known_two"][other] = words = words_of(others[other])
        own["took"][other] = _mask(took[other]) | words[0]
        own["thrown"][other] = _mask(thrown[other])
        if _count(words) + _known_jokers(own, other) > own["hand_count"][other]:
            raise WrongPositionError(field, f"seat {other} holds only {own['hand_count'][other]} cards")
    mine = int(own["known_one"][seat]), int(own["known_two"][seat])
    if mine[0] & ~hand[0] or mine[1] & ~hand[1]:
        raise WrongPositionError("shown" if known["shown"] else "taken", "these cards are not all in your hand")


def _mask(cards: Iterable[int]) -> int:
    """A bit for every card; of jokers as many as there are."""
    return JokerNumbers().words(cards)[0]


def _known_jokers(own: Any, seat: int) -> int:
    """Jokers that a seat took, where it has neither laid nor thrown one."""
    if own["jokers_laid"][seat] or int(own["thrown"][seat]) & _JOKERS:
        return 0
    return (int(own["took"][seat]) & _JOKERS).bit_count()


_JOKERS = sum(1 << 16 * suit for suit in range(SUITS))


def _set_turn(own: Any, known: Known, hand: Words) -> None:
    """What was taken and laid in this turn (LOB-04, LOB-12, LOB-15)."""
    seat, taken, meld = int(known["seat"]), known["taken"], known["taken_meld"]
    own["taken"], own["taken_meld"] = NOTHING, NOTHING
    if known["decides"] == "draw" and (taken or known["laid"]):
        raise WrongPositionError("taken" if taken else "laid", "before drawing nothing is taken or laid")
    if len(taken) > 1:
        raise WrongPositionError("taken", f"{len(taken)} cards; one is taken in a turn")
    if meld is not None and not taken:
        raise WrongPositionError("taken_meld", "say which card was taken")
    if taken:
        held = _copies(hand, taken[0])
        if meld is not None and not _lies_in(own, seat, int(meld), taken[0]):
            raise WrongPositionError("taken_meld", f"{card_text(taken[0])} does not lie in your meld {meld}")
        if meld is None and not held:
            raise WrongPositionError("taken", f"{card_text(taken[0])} is not in your hand; in which meld does it lie?")
        twin = known["taken_twin"]
        own["taken"] = 0 if _is_joker(taken[0]) else taken[0]
        own["taken_only"] = not (held > (meld is None) if twin is None else twin)
        own["taken_meld"] = NOTHING if meld is None else int(meld)
    laid = meld is not None if known["laid"] is None else bool(known["laid"])
    if meld is not None and not laid:
        raise WrongPositionError("laid", "the card taken has been laid in this turn")
    before = known["laid_before"]
    if before is None:
        before = bool(own["meld_count"][seat]) and not laid
    if (laid or before) != bool(own["meld_count"][seat]):
        what = "melds" if laid or before else "laid"
        raise WrongPositionError(what, "who has laid cards has melds, and who has melds has laid them")
    own["laid"] = laid
    own["has_laid"] = own["meld_count"] > 0
    own["has_laid"][seat] = before


def _copies(words: Words, card: int) -> int:
    """Copies of a card; of a joker, of any."""
    bits = _JOKERS if _is_joker(card) else 1 << card
    return (words[0] & bits).bit_count() + (words[1] & bits).bit_count()


def _lies_in(own: Any, seat: int, meld: int, card: int) -> bool:
    """Whether a meld of a seat has a card."""
    return (
        meld < own["meld_count"][seat]
        and (JOKER_TEXT if _is_joker(card) else card_text(card)) in melds_of(own, seat)[meld]
    )


def _set_stock(own: Any, known: Known, values: Values, players: int) -> None:
    """Cards in the stock, and what it was made of (LOB-01, LOB-13)."""
    jokers = jokers_for(int(own["players"])) if values["jokers"] == "auto" else int(values["jokers"])
    seat, cards = int(known["seat"]), NATURALS + jokers
    hands = int(own["hand_count"].sum())
    seen = _count((int(own["seen_one"]), int(own["seen_two"])))
    left = cards - hands - seen
    if left < 0:
        raise WrongPositionError("discards", f"with {hands} cards in all hands there are {-left} too many")
    if known["stock"] is not None and known["stock"] != left:
        raise WrongPositionError(
            "stock", f"{known['stock']} cards, but {left} are nowhere else; all cards on the table must be given"
        )
    own["stock_left"], own["reshuffles"] = left, known["reshuffles"]
    laid = int(own["jokers_laid"].sum()) + _jokers_of(known["hand"]) + _jokers_of(known["discards"])
    taken = sum(_known_jokers(own, other) for other in range(players) if other != seat)
    if laid + taken > jokers:
        raise WrongPositionError("hand", f"{laid + taken} jokers are known; the pack of this table has {jokers}")
    if not known["reshuffles"]:
        for name in ("recycled", "drawn"):
            if known[name] is not None and (name == "recycled" or max(known[name]) > cards):
                raise WrongPositionError(name, "the discards have never become the stock")
        own["drawn"][:players] = known["drawn"] or [0] * players
        return
    own["drawn"][:players] = known["drawn"] or [ANY_NUMBER] * players
    hidden = _hidden(own, known, jokers, players)
    recycled = known["recycled"]
    if recycled is None:
        recycled = list(hidden.elements())
    stock = Counter(0 if _is_joker(card) else card for card in recycled)
    if (hidden & stock).total() < left:
        raise WrongPositionError(
            "recycled", f"the stock has {left} cards, and only {(hidden & stock).total()} of these can be there"
        )
    own["recycled_one"], own["recycled_two"] = JokerNumbers().words(recycled)


def _jokers_of(cards: Iterable[int]) -> int:
    return sum(map(_is_joker, cards))


def _hidden(own: Any, known: Known, jokers: int, players: int) -> Counter[int]:
    """Cards that a player cannot see, a joker as 0."""
    cards = Counter({card: 2 for card in range(16 * SUITS) if 2 <= card & 15 <= 14})
    cards[0] = jokers
    words = [(int(own["seen_one"]), int(own["seen_two"]))]
    words += [(int(own["known_one"][other]), int(own["known_two"][other])) for other in range(players)]
    # Of the own hand all cards are seen.
    words[1 + int(known["seat"])] = JokerNumbers().words(known["hand"])
    for one, two in words:
        cards.subtract(0 if _is_joker(card) else card for word in (one, two) for card in range(64) if word >> card & 1)
    return +cards


def _check_question(question: str, table: Any, hand: Words, values: Values) -> None:
    """Whether that is decided there (LOB-04, LOB-11, LOB-12)."""
    from kernels.loba.meld_rules import must_lay, take_article

    rules = np.zeros(1, OPTION_LAYOUT)
    for name, value in encode(values).items():
        rules[name] = value
    own, options = table.view(np.recarray)[0], rules.view(np.recarray)[0]
    seat, one, two = np.int64(own.seat), np.uint64(hand[0]), np.uint64(hand[1])
    if question == "choose_draw":
        article = int(take_article(own, options, seat, one, two))
        if article:
            raise WrongPositionError(
                "decides",
                f"the discard may not be taken (LOB-{article:02d}), so nothing is decided before drawing",
            )
    if question == "choose_discard" and must_lay(own, options, seat, one):
        raise WrongPositionError("decides", "the card taken must be laid first (LOB-04, LOB-12)")
