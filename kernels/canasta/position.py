"""A position of canasta as a player types it in: his hand, the pile, the melds, and what everybody holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.canasta.advice import count_of, melds_of
from kernels.canasta.layout import (
    CANASTA_SIZE,
    CARDS,
    HAND_SIZE,
    JOKERS,
    MINIMUMS,
    RANKS,
    SEATS,
    SIDES,
    TABLE_LAYOUT,
    THREES,
    TWOS,
    pack_of,
)
from kernels.cards import RANKS as LETTERS
from kernels.cards import card_text, card_texts
from kernels.positions import CARDS as CARDS_KIND
from kernels.positions import (
    CARDS_BY_SEAT,
    CARDS_BY_SIDE,
    CHOICE,
    FLAG,
    MELDS_BY_SIDE,
    NUMBER,
    NUMBERS_BY_SEAT,
    NUMBERS_BY_SIDE,
    RANKS_BY_SEAT,
    REQUIRED,
    SEAT,
    SOME_CARDS,
    Built,
    Known,
    PositionField,
    WrongPositionError,
)

Values = Mapping[str, Any]
Melds = Sequence[Sequence[Sequence[int]]]

QUESTIONS = {
    "draw": "choose_draw",
    "ask": "choose_ask",
    "answer": "choose_answer",
    "meld": "choose_meld",
    "discard": "choose_discard",
}
RED_THREES, BLACK_THREES = (16 + 3, 32 + 3), (3, 48 + 3)
WILD = (int(JOKERS), int(TWOS))
SCORES = dict(zip(MINIMUMS, (-5, 0, 1500, 3000), strict=True))
"""A score for every least value of a first meld (KAN-13)."""

FIELDS = (
    PositionField("hand", CARDS_KIND, "Your cards.", "KAN-01", REQUIRED),
    PositionField(
        "decides",
        CHOICE,
        "What you decide: to draw or take the pile, to ask your partner, what to answer, what to lay, what to discard.",
        "KAN-06",
        "meld",
        choices=tuple(QUESTIONS),
    ),
    PositionField("pile", CARDS_KIND, "The pile, bottom to top.", "KAN-06", ()),
    PositionField("frozen", FLAG, "The pile is frozen for all; otherwise as its cards make it.", "KAN-08"),
    PositionField("melds", MELDS_BY_SIDE, "The melds of each side, in the order of laying.", "KAN-11"),
    PositionField("new", SOME_CARDS, "Cards of your side's melds that you laid in this turn.", "KAN-15", ()),
    PositionField("laid", NUMBERS_BY_SEAT, "1 for each seat that laid cards before this turn.", "KAN-15", high=1),
    PositionField("red_threes", CARDS_BY_SIDE, "The red threes that each side has laid.", "KAN-05"),
    PositionField(
        "hands", NUMBERS_BY_SEAT, "Cards in each hand; otherwise eleven in those of the others.", "KAN-01", high=108
    ),
    PositionField("known", CARDS_BY_SEAT, "Cards that each other seat took with the pile and still holds.", "KAN-06"),
    PositionField("shown", SOME_CARDS, "Cards of your hand that you took with the pile.", "KAN-06", ()),
    PositionField("thrown", RANKS_BY_SEAT, "Ranks that each seat has discarded.", "KAN-06"),
    PositionField("seat", SEAT, "Your seat.", "KAN-01", 0),
    PositionField(
        "begun", NUMBERS_BY_SEAT, "1 for each seat that has had a turn, and so laid its red threes.", "KAN-05", high=1
    ),
    PositionField("stock", NUMBER, "Cards in the stock; otherwise those that are nowhere else.", "KAN-06", high=108),
    PositionField(
        "turn", NUMBER, "Number of the turn; otherwise about what the stock says.", "KAN-06", low=1, high=400
    ),
    PositionField("scores", NUMBERS_BY_SIDE, "Scores before this hand.", "KAN-13", low=-100_000, high=1_000_000),
    PositionField("took", FLAG, "You have taken the pile in this turn.", "KAN-06", False),
    PositionField("asked", NUMBERS_BY_SEAT, "1 for each seat that has asked whether to go out.", "KAN-14", high=1),
    PositionField("refused", FLAG, "Your partner has answered no in this turn.", "KAN-14", False),
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
    question, seat = QUESTIONS[known["decides"]], int(known["seat"])
    own["seat"] = (seat + 2) % SEATS if question == "choose_answer" else seat
    _set_hands(own, known, question)
    _set_pile(own, known, values)
    melds: Melds = known["melds"] or [()] * SIDES
    for side in range(SIDES):
        _set_melds(own, side, melds[side])
    _set_red_threes(own, known)
    _set_turn(own, known, melds)
    scores = known["scores"] or values["start_score"]
    own["minimum"] = [_minimum(score) for score in scores]
    hand = _counts(card for card in known["hand"] if card not in RED_THREES)
    own["seen"] = int(own["pile_counts"]) + sum(_counts(card for meld in laid for card in meld) for laid in melds)
    own["stock_left"] = _stock(own, known)
    own["turn"] = known["turn"] or max(1, CARDS - SEATS * HAND_SIZE - int(own["stock_left"]))
    _check_question(question, own, hand, values)
    return Built(question, seat, table, (hand,))


def fields_of(question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> dict[str, Any]:
    """Return the fields of a position that came out of a deal; suits that nobody told are given as they come."""
    pile = table["pile"][: int(table["pile_size"])].tolist()
    cards = _Suits(values, pile)
    melds = [[cards.meld(table, side, rank) for rank in melds_of(table, side)] for side in range(SIDES)]
    hand = cards.of(given[0]) + cards.red_threes(int(table["hand_count"][seat]) - _total(given[0]))
    known = [cards.of(table["known"][other]) if other != seat else [] for other in range(SEATS)]
    laid = table["has_laid"].tolist()
    if seat == table["seat"]:
        laid[seat] = int(laid[seat] and not table["concealed"])
    side = seat % SIDES
    new = _missing(int(table["melded"][side]), int(table["melded_before"]))
    return {
        "hand": card_texts(hand),
        "decides": next(name for name, asked in QUESTIONS.items() if asked == question),
        "pile": card_texts(pile),
        "frozen": bool(table["pile_frozen"]),
        "melds": [[card_texts(meld) for meld in laid_there] for laid_there in melds],
        "new": card_texts(_some([card for meld in melds[side] for card in meld], new)),
        "laid": laid,
        "red_threes": [card_texts(cards.red_threes(int(count))) for count in table["red_threes"]],
        "hands": table["hand_count"].tolist(),
        "known": [card_texts(there) for there in known],
        "shown": card_texts(_some(hand, int(table["known"][seat]))),
        "thrown": [_letters(int(counts)) for counts in table["thrown"]],
        "seat": seat,
        "begun": table["started"].tolist(),
        "stock": int(table["stock_left"]),
        "turn": int(table["turn"]),
        "scores": [SCORES[int(least)] for least in table["minimum"]],
        "took": bool(table["took_pile"]),
        "asked": table["asked"].tolist(),
        "refused": bool(table["answer"] < 0),
    }


class _Suits:
    """Cards with suits for what is told by rank, as many as the pack has beside those that lie in the pile."""

    def __init__(self, values: Values, pile: Iterable[int]) -> None:
        left = Counter(pack_of(values).tolist())
        left.subtract(pile)
        self.left = sorted(left.elements(), reverse=True)

    def take(self, rank: int, count: int, *, red: bool = False) -> list[int]:
        """So many cards of a rank, of the threes black or red ones."""
        fitting = (
            [card for card in self.left if card & 15 == rank and (card in RED_THREES) == red][-count:] if count else []
        )
        for card in fitting:
            self.left.remove(card)
        return fitting

    def of(self, counts: Any) -> list[int]:
        """Cards by rank."""
        return [card for rank in range(RANKS) for card in self.take(rank, count_of(counts, rank))]

    def red_threes(self, count: int) -> list[int]:
        """So many red threes."""
        return self.take(int(THREES), count, red=True)

    def meld(self, table: np.void, side: int, rank: int) -> list[int]:
        """A meld, the side's jokers in its first melds."""
        naturals = self.take(rank, count_of(table["melded"][side], rank))
        wilds, jokers = count_of(table["wilds"][side], rank), self._jokers_left(table, side, rank)
        return naturals + self.take(int(JOKERS), min(wilds, jokers)) + self.take(int(TWOS), max(0, wilds - jokers))

    def _jokers_left(self, table: np.void, side: int, rank: int) -> int:
        """Jokers of a side that are not in melds of before: its points tell how many it has laid (KAN-03)."""
        melds = melds_of(table, side)
        wilds = [count_of(table["wilds"][side], other) for other in melds]
        naturals = sum(_points(other) * count_of(table["melded"][side], other) for other in melds)
        surplus = int(table["melded_points"][side]) - naturals - _points(int(TWOS)) * sum(wilds)
        jokers = surplus // (_points(int(JOKERS)) - _points(int(TWOS)))
        return max(0, jokers - sum(wilds[: melds.index(rank)]))


def _counts(cards: Iterable[int]) -> int:
    """Cards by rank as a word of counts (`kernels.rank_counts`)."""
    return sum(1 << 4 * (card & 15) for card in cards)


def _total(counts: int) -> int:
    return sum(count_of(counts, rank) for rank in range(RANKS))


def _missing(counts: int, part: int) -> int:
    """What one word of counts has more than another."""
    return sum(max(0, count_of(counts, rank) - count_of(part, rank)) << 4 * rank for rank in range(RANKS))


def _some(cards: Iterable[int], counts: int) -> list[int]:
    """Cards of a list by rank, as many as a word of counts has."""
    found: list[int] = []
    for card in cards:
        if card not in RED_THREES and count_of(_counts(found), card & 15) < count_of(counts, card & 15):
            found.append(card)
    return found


def _letters(counts: int) -> str:
    return "".join(LETTERS[rank - 2] for rank in range(2, RANKS - 1) if count_of(counts, rank))


def _points(rank: int) -> int:
    """Value of a card of a rank (KAN-03)."""
    if rank == JOKERS:
        return 50
    if rank in (TWOS, 14):
        return 20
    return 10 if rank >= 8 else 5


def _minimum(score: int) -> int:
    """Least value of a first meld (KAN-13)."""
    return next(least for least, from_score in reversed(SCORES.items()) if score >= from_score or least == MINIMUMS[0])


def _set_hands(own: Any, known: Known, question: str) -> None:
    """Sizes of hands, what all know of them, who has begun (KAN-01, KAN-05, KAN-06)."""
    seat, hand = int(known["seat"]), known["hand"]
    if not hand:
        raise WrongPositionError("hand", "who decides has a card")
    begun = [1] * SEATS if known["begun"] is None else list(known["begun"])
    mover = int(own["seat"])
    if not begun[mover]:
        raise WrongPositionError("begun", f"it is the turn of seat {mover}, so it has begun")
    if begun[seat] and any(card in RED_THREES for card in hand):
        raise WrongPositionError("hand", "red threes are laid before anything is decided: put them among red_threes")
    counts = known["hands"] or [len(hand) if player == seat else HAND_SIZE for player in range(SEATS)]
    if counts[seat] != len(hand):
        raise WrongPositionError("hands", f"seat {seat} is said to hold {counts[seat]}, but its hand is of {len(hand)}")
    if min(counts) == 0:
        raise WrongPositionError("hands", f"seat {counts.index(0)} has no card left, which ends the hand (KAN-14)")
    if _total(_missing(_counts(known["shown"]), _counts(hand))):
        raise WrongPositionError("shown", "these cards are not all in your hand")
    cards = known["known"] or [()] * SEATS
    if cards[seat]:
        raise WrongPositionError("known", f"seat {seat} is you: your cards that all know are shown")
    for player, there in enumerate(cards):
        if any(card in RED_THREES for card in there):
            raise WrongPositionError("known", "a red three never comes into a hand with the pile")
        if len(there) > counts[player]:
            raise WrongPositionError("known", f"seat {player} holds only {counts[player]} cards")
        own["known"][player] = _counts(known["shown"] if player == seat else there)
    own["hand_count"], own["started"] = counts, begun
    for player, ranks in enumerate(known["thrown"] or [()] * SEATS):
        own["thrown"][player] = sum(1 << 4 * (LETTERS.index(rank) + 2) for rank in ranks)
    own["asked"] = known["asked"] or [0] * SEATS
    own["answer"] = -1 if known["refused"] else 0
    if known["refused"] and not own["asked"][seat]:
        raise WrongPositionError("refused", f"asked says that seat {seat} has not asked")
    if question == "choose_answer" and own["asked"][mover]:
        raise WrongPositionError("asked", f"seat {mover} is asking, and may once")


def _set_pile(own: Any, known: Known, values: Values) -> None:
    """Put down the pile (KAN-02, KAN-06, KAN-08, KAN-09)."""
    pile = list(known["pile"])
    own["pile"][: len(pile)], own["pile_size"] = pile, len(pile)
    own["pile_counts"] = _counts(card for card in pile if card not in RED_THREES)
    own["pile_red_threes"] = sum(card in RED_THREES for card in pile)
    freezing = [card & 15 in WILD or card in RED_THREES for card in pile]
    if values["black_three_freezes"]:
        freezing += [card in BLACK_THREES for card in pile]
    own["pile_frozen"] = any(freezing) if known["frozen"] is None else known["frozen"]
    if own["pile_frozen"] and not pile:
        raise WrongPositionError("frozen", "there is no pile")


def _set_melds(own: Any, side: int, melds: Sequence[Sequence[int]]) -> None:
    """Lay the melds of a side (KAN-11, KAN-12, KAN-18)."""
    naturals = wilds = points = 0
    for place, meld in enumerate(melds):
        text = " ".join(card_texts(meld)) or "a meld without cards"
        plain = [card for card in meld if card & 15 not in WILD]
        ranks = {card & 15 for card in plain}
        wild = len(meld) - len(plain)
        if len(ranks) != 1 or min(ranks) <= THREES or len(plain) < 2 or len(meld) < 3 or wild > 3:
            raise WrongPositionError("melds", f"{text} is no meld (KAN-11)")
        rank = ranks.pop()
        if count_of(naturals, rank):
            raise WrongPositionError("melds", f"side {side} has one meld of a rank (KAN-11), but also {text}")
        naturals, wilds = naturals + _counts(plain), wilds + (wild << 4 * rank)
        points += sum(_points(card & 15) for card in meld)
        own["meld_number"][side, rank] = place
        if len(meld) >= CANASTA_SIZE:
            own["mixed_canastas" if wild else "natural_canastas"][side] += 1
    own["melded"][side], own["wilds"][side], own["melded_points"][side] = naturals, wilds, points
    own["meld_count"][side] = len(melds)


def _set_red_threes(own: Any, known: Known) -> None:
    """Count the red threes on the table (KAN-05)."""
    for side, cards in enumerate(known["red_threes"] or [()] * SIDES):
        if not set(cards) <= set(RED_THREES):
            raise WrongPositionError(
                "red_threes", f"{card_text(RED_THREES[1])} and {card_text(RED_THREES[0])} are the red threes"
            )
        own["red_threes"][side] = len(cards)


def _set_turn(own: Any, known: Known, melds: Melds) -> None:
    """What has happened in this turn (KAN-14, KAN-15)."""
    mover = int(own["seat"])
    side = mover % SIDES
    new = _counts(known["new"])
    if _total(_missing(new, _counts(card for meld in melds[side] for card in meld))):
        raise WrongPositionError("new", "these cards are not all among your side's melds")
    laid = list(known["laid"] or [0] * SEATS)
    for player in range(SEATS):
        if laid[player] and not own["meld_count"][player % SIDES]:
            raise WrongPositionError("laid", f"the side of seat {player} has no melds")
    if known["laid"] is None and not new:
        # Who melded is not said: both partners may have.
        laid = [int(bool(own["meld_count"][player % SIDES])) for player in range(SEATS)]
    before = _missing(int(own["melded"][side]), new)
    touched = [rank for rank in range(RANKS) if count_of(new, rank) and count_of(before, rank)]
    own["melded_before"] = before
    own["concealed"] = not laid[mover] and not touched
    laid[mover] = int(laid[mover] or new > 0)
    own["has_laid"], own["took_pile"], own["laid"] = laid, known["took"], new > 0


def _stock(own: Any, known: Known) -> int:
    """Cards in the stock (KAN-01)."""
    red_threes = int(own["red_threes"].sum()) + int(own["pile_red_threes"])
    left = CARDS - int(own["hand_count"].sum()) - _total(int(own["seen"])) - red_threes
    if left < 0:
        raise WrongPositionError("hands", f"with these hands and all that lies open there are {-left} cards too many")
    if known["stock"] is not None and known["stock"] != left:
        raise WrongPositionError(
            "stock", f"{known['stock']} cards, but {left} are nowhere else; all cards on the table must be given"
        )
    missing = 2 * len(RED_THREES) - red_threes - sum(card in RED_THREES for card in known["hand"])
    others = [player for player in range(SEATS) if player != int(known["seat"]) and not own["started"][player]]
    if missing > left + int(own["hand_count"][others].sum()):
        raise WrongPositionError("red_threes", f"{missing} are missing, which nobody can hold who has begun")
    return left


def _check_question(question: str, own: Any, hand: int, values: Values) -> None:
    """Whether that is decided there (KAN-07, KAN-14)."""
    side, cards = int(own["seat"]) % SIDES, _total(hand)
    top = int(own["pile"][own["pile_size"] - 1]) & 15 if own["pile_size"] else 0
    if question == "choose_draw" and own["took_pile"]:
        raise WrongPositionError("took", "who has taken the pile does not draw any more")
    if question == "choose_draw" and top <= THREES:
        raise WrongPositionError("decides", "the pile cannot be taken, so there is nothing to decide before drawing")
    if own["asked"].any() and not values["ask_partner"]:
        raise WrongPositionError("asked", "nobody asks under this rule: ask_partner=true allows it")
    if question in ("choose_ask", "choose_answer"):
        if not values["ask_partner"]:
            raise WrongPositionError("decides", "nobody asks under this rule: ask_partner=true allows it")
        if own["took_pile"] or own["asked"][own["seat"]]:
            raise WrongPositionError("decides", "who has taken the pile, or has asked before, cannot ask (KAN-14)")
    canastas = int(own["natural_canastas"][side]) + int(own["mixed_canastas"][side])
    may_end = canastas >= values["canastas_to_go_out"] and own["answer"] >= 0
    if question == "choose_discard" and cards == 1 and not may_end:
        raise WrongPositionError("decides", "the last card is kept by who cannot go out (KAN-14)")
