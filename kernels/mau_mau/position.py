"""A position of mau-mau as a player types it in: his hand, the lixo, how many cards the others hold, who is barred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.cards import CLUBS, DIAMONDS, HEARTS, JACK, SPADES, card_texts
from kernels.mau_mau.advice import any_follows, most_of
from kernels.mau_mau.layout import (
    DRAWN_FOR_EIGHT,
    HOLDING_BITS,
    HOLDING_JACKS,
    MOST_CARDS,
    TABLE_LAYOUT,
    TURN_CAP,
    UNABLE_FINE_ONCE,
    encode,
    packs_of,
    seats,
    shuffle_cards,
)
from kernels.positions import (
    CARD,
    CARDS,
    CHOICE,
    FLAG,
    NUMBER,
    NUMBERS_BY_SEAT,
    REQUIRED,
    SEAT,
    Built,
    Known,
    PositionField,
    WrongPositionError,
)
from kernels.telling import number
from kernels.word_pairs import texts_of, words_of

Values = Mapping[str, Any]

SUIT_WORDS = {"clubs": CLUBS, "diamonds": DIAMONDS, "hearts": HEARTS, "spades": SPADES}
NOTHING, ITSELF = "nothing", "itself"
LEFT, RIGHT = "left", "right"
SUITED = {f"most_{name}": suit for name, suit in SUIT_WORDS.items()}
MOST = {**SUITED, "jack_chances": HOLDING_JACKS}
MOST_CAME = (1 << HOLDING_BITS) - 1
NOTHING_ANNOUNCED = -1
EIGHT = 8
PLAIN_CARDS_OF_SUIT = 12
"""Cards of a suit in a pack, its Jack apart."""
_EVERY_CARD = 0x7FFC_7FFC_7FFC_7FFC
_RANK_IN_ALL = 0x0001_0001_0001_0001

FIELDS = (
    PositionField("hand", CARDS, "Your cards.", "MAU-03", REQUIRED),
    PositionField(
        "lixo", CARDS, "The discard pile, bottom to top, as far back as it was shuffled.", "MAU-04", REQUIRED
    ),
    PositionField("hands", NUMBERS_BY_SEAT, "Cards in each hand, yours too.", "MAU-03", REQUIRED, high=MOST_CARDS),
    PositionField(
        "announced",
        CHOICE,
        "What a Jack on top asks for: a suit, nothing, or, turned up at the start, itself.",
        "MAU-13",
        choices=(*SUIT_WORDS, NOTHING, ITSELF),
    ),
    PositionField("seat", SEAT, "Your seat, who is to play.", "MAU-04", 0),
    PositionField("direction", CHOICE, "Where the turn passes to.", "MAU-12", LEFT, choices=(LEFT, RIGHT)),
    PositionField("fines", NUMBERS_BY_SEAT, "How many fines each seat has paid.", "MAU-06", high=TURN_CAP),
    PositionField("barred", NUMBERS_BY_SEAT, "1 for who is barred; otherwise who was fined.", "MAU-06", high=1),
    PositionField(
        "pending", NUMBER, "Cards that eights make you draw, unless you answer.", "MAU-09", 0, high=MOST_CARDS
    ),
    PositionField("drawn", CARD, "The card of your hand that you have just drawn, and may play.", "MAU-06"),
    PositionField("announces", FLAG, "You play the Jack just drawn: what is it to ask for?", "MAU-13", False),
    *(
        PositionField(
            name,
            NUMBERS_BY_SEAT,
            f"Most {name.removeprefix('most_')} that each seat can hold: cards drawn since it could not follow.",
            "MAU-06",
            high=MOST_CAME,
        )
        for name in SUITED
    ),
    PositionField(
        "jack_chances",
        NUMBERS_BY_SEAT,
        "Cards that came to each seat since it could not follow, so that it had no Jack; Jacks it played since apart.",
        "MAU-13",
        high=MOST_CAME,
    ),
    PositionField("restocked", CARDS, "Cards last shuffled into the stock, and not seen since.", "MAU-16", ()),
    PositionField("fresh", NUMBERS_BY_SEAT, "How many of those each hand drew and holds.", "MAU-16", high=MOST_CARDS),
    PositionField(
        "came",
        NUMBERS_BY_SEAT,
        "Cards that came to each seat since then, Jacks it played of these apart.",
        "MAU-16",
        high=MOST_CAME,
    ),
    PositionField("start", CARD, "The carta da partida, once it lies in the lixo no more.", "MAU-18"),
    PositionField("turn", NUMBER, "Number of the turn.", "MAU-17", 1, low=1, high=TURN_CAP),
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
    seat = int(known["seat"])
    own["seat"], own["turn"], own["players"], own["packs"] = seat, known["turn"], seats(values), packs_of(values)
    own["direction"] = 1 if known["direction"] == LEFT else -1
    _lay(own, known, values)
    _deal(own, known, values)
    _bar(own, known, values)
    question, given = _asked(own, known, values)
    return Built(question, seat, table, given)


def _lay(own: np.void, known: Known, values: Values) -> None:
    """Put the lixo down (MAU-04, MAU-05, MAU-13)."""
    lixo = known["lixo"]
    if not lixo:
        raise WrongPositionError("lixo", "a card lies on top")
    own["pile"][: len(lixo)] = lixo
    own["pile_size"] = len(lixo)
    own["seen_one"], own["seen_two"] = words_of(lixo)
    own["start_card"] = (known["start"] or lixo)[0]
    top, announced = int(lixo[-1]), known["announced"]
    own["suit"] = NOTHING_ANNOUNCED
    suit, rank = top >> 4, top & 15
    own["follow"] = _of_suit(suit) | _RANK_IN_ALL << rank | _RANK_IN_ALL << JACK
    if rank != JACK:
        if announced is not None:
            raise WrongPositionError("announced", "the card on top is no Jack, so nothing is announced")
    elif announced is None or announced == ITSELF:
        if len(lixo) > 1:
            raise WrongPositionError("announced", "a Jack was played on top, so say which suit it asks for, or nothing")
        if announced is None and values["start_card_acts"]:
            own["follow"] = _EVERY_CARD
    elif announced == NOTHING:
        own["follow"] = _EVERY_CARD
    else:
        own["suit"] = SUIT_WORDS[announced]
        own["follow"] = _of_suit(SUIT_WORDS[announced]) | _RANK_IN_ALL << JACK


def _deal(own: np.void, known: Known, values: Values) -> None:
    """Say how many cards everybody holds, and what is known of them (MAU-03, MAU-06, MAU-16)."""
    players, seat = seats(values), int(known["seat"])
    hand, counts = known["hand"], known["hands"]
    if not hand:
        raise WrongPositionError("hand", "a player to move has a card")
    if counts[seat] != len(hand):
        raise WrongPositionError("hands", f"your hand has {number(len(hand), 'card')}, not {counts[seat]}")
    if min(counts) == 0:
        raise WrongPositionError("hands", f"seat {counts.index(0)} has no card left, which ends the round")
    left = shuffle_cards(values) - sum(counts) - len(known["lixo"])
    if left < 0:
        raise WrongPositionError("hands", f"with the lixo that is {number(-left, 'card')} more than the pack has")
    own["hand_count"][:players] = counts
    own["stock_left"] = left
    for player in range(players):
        word = 0
        for name, lane in MOST.items():
            most = counts[player] if known[name] is None else known[name][player]
            word |= most << HOLDING_BITS * lane
        own["may_hold"][player] = word
    _check_lanes(own, known, players, packs_of(values))
    _restock(own, known, values, left)


def _check_lanes(own: np.void, known: Known, players: int, packs: int) -> None:
    """Whether the cards that nobody has seen fill the others' hands, with as much of each suit as they may hold.

    The smallest cut of the flow from the suits and the Jacks to the hands is looked for among all sets of these
    (Ford and Fulkerson): a set of which all unseen cards are used, while the hands take of the rest what they may.
    """
    seat, given = int(known["seat"]), [name for name in MOST if known[name] is not None]
    if not given:
        return
    unseen = [packs * PLAIN_CARDS_OF_SUIT] * len(SUITED) + [packs * len(SUITED)]
    for card in (*known["hand"], *known["lixo"]):
        unseen[HOLDING_JACKS if card & 15 == JACK else card >> 4] -= 1
    others = [player for player in range(players) if player != seat]
    wanted = sum(int(own["hand_count"][player]) for player in others)
    most = {player: [most_of(int(own["may_hold"][player]), lane) for lane in MOST.values()] for player in others}
    for used in range(1 << len(MOST)):
        filled = sum(unseen[lane] for lane in MOST.values() if used >> lane & 1)
        for player in others:
            free = sum(most[player][at] for at, lane in enumerate(MOST.values()) if not used >> lane & 1)
            filled += min(int(own["hand_count"][player]), free)
        if filled < wanted:
            raise WrongPositionError(given[0], "so few cards that the others may hold do not fill their hands")


def _restock(own: np.void, known: Known, values: Values, stock: int) -> None:
    """Say which cards were shuffled into the stock last, and who drew of them (MAU-16)."""
    restocked, players, seat = known["restocked"], seats(values), int(known["seat"])
    if not restocked:
        for name in ("fresh", "came"):
            if known[name] is not None and any(known[name]):
                raise WrongPositionError(name, "no cards were shuffled into the stock: restocked says which")
        return
    if packs_of(values) > 1:
        raise WrongPositionError("restocked", "of two packs nobody can tell which copy a card is")
    fresh = list(known["fresh"] or [0] * players)
    fresh[seat] = 0
    for player, count in enumerate(fresh):
        if count > own["hand_count"][player]:
            raise WrongPositionError("fresh", f"seat {player} has fewer cards")
    if len(restocked) != stock + sum(fresh):
        raise WrongPositionError(
            "restocked",
            f"{number(len(restocked), 'card')}, but {stock} are in the stock and {sum(fresh)} in the others' hands",
        )
    own["restocked"] = words_of(restocked)[0]
    own["fresh"][:players] = fresh
    own["came"][:players] = fresh if known["came"] is None else known["came"]


def _bar(own: np.void, known: Known, values: Values) -> None:
    """Say who was fined and is barred (MAU-06)."""
    players = seats(values)
    fines = known["fines"] or [0] * players
    barred = [int(count > 0) for count in fines] if known["barred"] is None else known["barred"]
    if any(fines) or any(barred):
        if encode(values)["unable"] > UNABLE_FINE_ONCE:
            raise WrongPositionError(
                "fines" if any(fines) else "barred", f"with unable={values['unable']} nobody is fined or barred"
            )
        if all(barred):
            raise WrongPositionError("barred", "when everybody is barred all bars are lifted")
    own["fines"][:players] = fines
    own["barred"] = sum(bar << player for player, bar in enumerate(barred))


def _asked(own: np.void, known: Known, values: Values) -> tuple[str, tuple[int, ...]]:
    """What the seat is asked, and its hand (MAU-04, MAU-06, MAU-07, MAU-09)."""
    hand = known["hand"]
    one, two = words_of(hand)
    last_and_barred = len(hand) == 1 and int(own["barred"]) >> int(known["seat"]) & 1
    if known["announces"] and known["drawn"] is None:
        raise WrongPositionError("announces", "drawn says which Jack that is")
    if known["pending"]:
        _check_pending(known)
        own["pending"] = known["pending"]
        if not values["stack_eights"] or not one & _RANK_IN_ALL << EIGHT or last_and_barred:
            raise WrongPositionError("pending", "no 8 answers, so you draw and nothing is decided")
        return "choose_answer", (one, two)
    if known["drawn"] is not None:
        return _asked_of_drawn(own, known, values, one, two)
    if not one & int(own["follow"]):
        raise WrongPositionError("hand", "no card follows, so nothing is decided")
    if last_and_barred:
        raise WrongPositionError("hand", "you are barred and this card would win, so you pass and nothing is decided")
    return "choose_play", (one, two)


def _check_pending(known: Known) -> None:
    """Whether the lixo ends with the eights that are to be answered (MAU-09)."""
    eights, over = divmod(int(known["pending"]), DRAWN_FOR_EIGHT)
    if over:
        raise WrongPositionError("pending", f"{known['pending']} cards; for every 8 they are {DRAWN_FOR_EIGHT}")
    # A reshuffle leaves the top card alone.
    for card in known["lixo"][-eights:]:
        if card & 15 != EIGHT:
            raise WrongPositionError("pending", "the lixo does not end with the eights that are to be drawn for")
    if known["drawn"] is not None:
        raise WrongPositionError("drawn", "who answers an 8 has drawn nothing in this turn")


def _asked_of_drawn(own: np.void, known: Known, values: Values, one: int, two: int) -> tuple[str, tuple[int, ...]]:
    """What is asked about a card just drawn (MAU-06, MAU-13)."""
    drawn, hand = known["drawn"][0], known["hand"]
    if not values["unable"].startswith("draw"):
        raise WrongPositionError("drawn", f"with unable={values['unable']} no card just drawn is played")
    if drawn not in hand:
        raise WrongPositionError("drawn", "that card is not in your hand")
    rest = list(hand)
    rest.remove(drawn)
    follow = int(own["follow"])
    if any(follow >> card & 1 for card in rest) or not follow >> drawn & 1:
        raise WrongPositionError("drawn", "who draws had no card that followed, and plays only one that does")
    if known["announces"] or values["unable"] == "draw_until":
        if drawn & 15 != JACK:
            raise WrongPositionError("drawn", "that card is no Jack, so there is nothing to announce")
        return "choose_suit", (one, two)
    return "choose_drawn", (one, two, drawn)


def fields_of(question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> dict[str, Any]:
    """Return the fields of a position that came out of a deal."""
    players = seats(values)
    lixo = table["pile"][: int(table["pile_size"])].tolist()
    counts = table["hand_count"][:players].tolist()
    fields: dict[str, Any] = {
        "hand": texts_of(given[0], given[1]),
        "lixo": card_texts(lixo),
        "hands": counts,
        "seat": seat,
        "direction": LEFT if table["direction"] > 0 else RIGHT,
        "start": card_texts([int(table["start_card"])])[0],
        "turn": int(table["turn"]),
    }
    if lixo[-1] & 15 == JACK:
        fields["announced"] = _announced(table)
    if table["fines"].any():
        fields["fines"] = table["fines"][:players].tolist()
        fields["barred"] = [int(table["barred"]) >> player & 1 for player in range(players)]
    if table["pending"]:
        fields["pending"] = int(table["pending"])
    for name, lane in MOST.items():
        most = [most_of(int(table["may_hold"][player]), lane) for player in range(players)]
        if lane != HOLDING_JACKS:
            # Of a suit it does not matter how many cards came that have left again.
            most = [min(number, count) for number, count in zip(most, counts, strict=True)]
        if most != counts:
            fields[name] = most
    restocked = int(table["restocked"]) & ~int(table["seen_one"]) & ~given[0]
    if restocked:
        fields["restocked"] = texts_of(restocked, 0)
        fields["fresh"] = [0 if player == seat else int(table["fresh"][player]) for player in range(players)]
        fields["came"] = [0 if player == seat else int(table["came"][player]) for player in range(players)]
    if question in ("choose_drawn", "choose_suit"):
        jacks = [text for text in fields["hand"] if text[0] == "J"]
        fields["drawn"] = card_texts([given[2]])[0] if question == "choose_drawn" else jacks[0]
        fields["announces"] = question == "choose_suit"
    return fields


def _announced(table: np.void) -> str:
    """What a Jack on top asks for (MAU-13)."""
    if table["suit"] >= 0:
        return next(name for name, suit in SUIT_WORDS.items() if suit == table["suit"])
    return NOTHING if any_follows(int(table["follow"])) else ITSELF


def _of_suit(suit: int) -> int:
    return 0x7FFC << 16 * suit
