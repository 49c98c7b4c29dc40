"""A position of escopa as a player types it in: his hand, the table, and what has been taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.cards import RANKS
from kernels.escopa.advice import texts_of
from kernels.escopa.layout import (
    CARDS,
    FIFTEEN,
    HAND_SIZE,
    TABLE_LAYOUT,
    TABLE_SIZE,
    VALUES,
    own_numbers,
    pack_of,
    seats,
    side_of,
    sides,
)
from kernels.positions import (
    CARD,
    CARDS_BY_SIDE,
    FLAG,
    NUMBER,
    NUMBERS_BY_SEAT,
    NUMBERS_BY_SIDE,
    RANKS_BY_SEAT,
    REQUIRED,
    SEAT,
    Built,
    Known,
    PositionField,
    WrongPositionError,
)
from kernels.positions import CARDS as CARDS_KIND

Values = Mapping[str, Any]

FIELDS = (
    PositionField("hand", CARDS_KIND, "Your cards.", "ESC-03", REQUIRED),
    PositionField("table", CARDS_KIND, "The cards face up.", "ESC-03", ()),
    PositionField("taken", CARDS_BY_SIDE, "The cards that each side has taken.", "ESC-10"),
    PositionField("escopas", NUMBERS_BY_SIDE, "Escopas of each side so far.", "ESC-08", high=40),
    PositionField("last", SEAT, "Who captured last; needed once something is taken.", "ESC-09"),
    PositionField("seat", SEAT, "Your seat, who is to play.", "ESC-02", 0),
    PositionField("dealer", SEAT, "Who dealt the cards now in hand.", "ESC-04"),
    PositionField(
        "hands",
        NUMBERS_BY_SEAT,
        "Cards in each hand; otherwise as they follow from yours.",
        "ESC-04",
        high=int(HAND_SIZE),
    ),
    PositionField("stock", NUMBER, "Cards left to deal; otherwise those that are nowhere else.", "ESC-04", high=CARDS),
    PositionField("lacks", RANKS_BY_SEAT, "Ranks that each seat has shown not to hold, as it left a card.", "ESC-05"),
    PositionField("left", CARD, "A card on the table that the player before overlooked: may you claim it?", "ESC-06"),
    PositionField("overlooked", FLAG, "You do not see that you could capture.", "ESC-06", False),
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
    hand, face_up = _word(known["hand"], values), _word(known["table"], values)
    taken = [_word(cards, values) for cards in known["taken"] or [()] * sides(values)]
    claims = known["left"] is not None
    if not hand and not claims:
        raise WrongPositionError("hand", "a player to move has a card")
    if hand.bit_count() > HAND_SIZE:
        raise WrongPositionError("hand", f"{hand.bit_count()} cards; a hand has at most {HAND_SIZE}")
    own["seat"], own["turn"] = seat, 1
    own["cards"], own["total"], own["sums"] = face_up, _total(face_up), _sums(face_up)
    own["taken"][: len(taken)] = taken
    own["seen"] = face_up | sum(taken)
    own["escopas"][: sides(values)] = known["escopas"] or [0] * sides(values)
    for side, cards in enumerate(taken):
        if own["escopas"][side] and not cards:
            raise WrongPositionError("escopas", f"side {side} has taken nothing")
    own["last_seat"] = _last(known["last"], taken, values)
    own["left_card"] = -1
    own["dealer"], counts = _hands(known, hand.bit_count(), claims, players)
    own["hand_count"][:players] = counts
    own["plays_left"] = sum(counts)
    own["stock_left"] = _stock(known["stock"], hand | int(own["seen"]), sum(counts) - counts[seat], players, values)
    own["turn"] = CARDS - TABLE_SIZE - own["plays_left"] - own["stock_left"] + 1
    for player, ranks in enumerate(known["lacks"] or [()] * players):
        own["lacks"][player] = _lacking(ranks, values)
    _check_lacks(own, hand, players)
    if claims:
        own["left_card"] = _left(known["left"][0], face_up, values)
        return Built("choose_claim", seat, table, (hand,))
    return Built("choose_play", seat, table, (hand, int(not known["overlooked"])))


def fields_of(question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> dict[str, Any]:
    """Return the fields of a position that came out of a deal."""
    players, count = seats(values), sides(values)
    fields: dict[str, Any] = {
        "hand": texts_of(given[0], values),
        "table": texts_of(int(table["cards"]), values),
        "taken": [texts_of(int(cards), values) for cards in table["taken"][:count]],
        "escopas": table["escopas"][:count].tolist(),
        "seat": seat,
        "dealer": int(table["dealer"]),
        "hands": table["hand_count"][:players].tolist(),
        "stock": int(table["stock_left"]),
        "lacks": [_ranks_lacking(int(sums), values) for sums in table["lacks"][:players]],
    }
    if table["last_seat"] >= 0:
        fields["last"] = int(table["last_seat"])
    if question == "choose_claim":
        fields["left"] = texts_of(1 << int(table["left_card"]), values)[0]
    elif not given[1]:
        fields["overlooked"] = True
    return fields


def _word(cards: Iterable[int], values: Values) -> int:
    numbers = own_numbers(values)
    return sum(1 << int(numbers[card]) for card in cards)


def _values_of(cards: int) -> list[int]:
    """Value of each of some cards (ESC-01)."""
    return [place // 4 + 1 for place in range(CARDS) if cards >> place & 1]


def _total(cards: int) -> int:
    return sum(_values_of(cards))


def _sums(cards: int) -> int:
    sums = 1
    for value in _values_of(cards):
        sums |= sums << value
    return sums & ((1 << (FIFTEEN + 1)) - 1)


def _last(last: int | None, taken: Sequence[int], values: Values) -> int:
    """Who captured last, -1 for nobody (ESC-09)."""
    if last is None:
        if any(taken):
            raise WrongPositionError("last", "cards are taken, so say who captured last: it decides who gets the rest")
        return -1
    if not taken[side_of(last, values)]:
        raise WrongPositionError("last", f"seat {last} cannot have captured last: its side has taken nothing")
    return last


def _hands(known: Known, own: int, claims: bool, players: int) -> tuple[int, list[int]]:
    """Who dealt, and how many cards everybody holds (ESC-04).

    Since the deal the seats from the dealer's right to the one before the mover have played one card more.
    """
    seat = int(known["seat"])
    given = known["hands"]
    dealers = range(players) if known["dealer"] is None else [known["dealer"]]
    fitting = []
    for dealer in sorted(dealers, key=lambda dealer: (seat - dealer - 1) % players):
        before = (seat - dealer - 1) % players
        counts = [own - int((player - dealer - 1) % players < before) for player in range(players)]
        if claims and own == 0 and before == 0:
            # The last card of a deal has been left: all hands are empty.
            counts = [0] * players
        if min(counts) >= 0 and (given is None or list(given) == counts):
            fitting.append((dealer, counts))
    if not fitting:
        if given is None:
            raise WrongPositionError(
                "dealer", f"seat {known['dealer']} cannot have dealt: others would hold less than no card"
            )
        who = "no dealer" if known["dealer"] is None else f"seat {known['dealer']} as the dealer"
        raise WrongPositionError("hands", f"{', '.join(map(str, given))} fits {who}: all play in turn from his right")
    return fitting[0]


def _stock(stock: int | None, known: int, others: int, players: int, values: Values) -> int:
    """Cards left to deal (ESC-04, ESC-07)."""
    left = CARDS - known.bit_count() - others
    if stock is not None and stock != left:
        raise WrongPositionError(
            "stock",
            f"{stock} cards, but {left} are neither in a hand nor seen; all cards taken and face up must be given",
        )
    each = int(HAND_SIZE) * players
    starts = {CARDS - each - int(TABLE_SIZE)}
    if values["dealer_take"] != "none":
        starts.add(CARDS - each - 2 * int(TABLE_SIZE))
    possible = {0} | {start - each * deals for start in starts for deals in range(CARDS) if start >= each * deals}
    if left not in possible:
        raise WrongPositionError(
            "taken",
            f"{left} cards would be left to deal, which cannot be (it can be {', '.join(map(str, sorted(possible)))}): "
            "all cards taken and face up must be given",
        )
    return left


def _lacking(ranks: Iterable[str], values: Values) -> int:
    """Sums that a seat holds no card for, from the ranks that it does not hold (ESC-05)."""
    return sum(1 << FIFTEEN - value for value in {_value_of_rank(rank, values) for rank in ranks})


def _ranks_lacking(sums: int, values: Values) -> str:
    ranks = _ranks(values)
    return "".join(ranks[value - 1] for value in range(1, VALUES + 1) if sums >> FIFTEEN - value & 1)


def _ranks(values: Values) -> str:
    """Rank characters by value (ESC-01)."""
    return "".join(RANKS[(int(card) & 15) - 2] for card in pack_of(values)[::4])


def _value_of_rank(rank: str, values: Values) -> int:
    ranks = _ranks(values)
    if rank not in ranks:
        raise WrongPositionError("lacks", f"{rank!r} is no rank of the pack: {' '.join(ranks)}")
    return ranks.index(rank) + 1


def _check_lacks(own: np.void, hand: int, players: int) -> None:
    """Whether the unseen cards fill the others' hands: for any of them there are enough that one may hold (Hall)."""
    unseen = _values_of((1 << CARDS) - 1 & ~(hand | int(own["seen"])))
    others = [player for player in range(players) if player != own["seat"]]
    for chosen in range(1, 1 << len(others)):
        group = [player for place, player in enumerate(others) if chosen >> place & 1]
        may = sum(any(not int(own["lacks"][player]) >> FIFTEEN - value & 1 for player in group) for value in unseen)
        if may < sum(int(own["hand_count"][player]) for player in group):
            seats_of_group = " and ".join(f"seat {player}" for player in group)
            raise WrongPositionError("lacks", f"there are too few other cards for {seats_of_group}")


def _left(card: int, face_up: int, values: Values) -> int:
    """Number of the card that was left, which makes fifteen with others on the table (ESC-06)."""
    place = int(own_numbers(values)[card])
    if not face_up >> place & 1:
        raise WrongPositionError("left", "that card is not among those face up")
    value = place // 4 + 1
    if not _sums(face_up & ~(1 << place)) >> FIFTEEN - value & 1:
        raise WrongPositionError("left", "that card makes fifteen with no others on the table")
    return place
