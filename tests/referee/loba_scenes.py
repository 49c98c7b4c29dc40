"""Short hand-written deals of Loba, played up to the point that a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.referee.cards import JOKER, two_packs
from tests.referee.loba_builder import Recorder, make_deal, redeal
from tests.referee.loba_options import Options
from tests.referee.log import Event

TWO = Options(players=2)
ANY = Options(set_suits="any")
MUST = Options(taken_discard_must_meld=True)
EIGHT_JOKERS = Options(jokers=8)

RUN, FIVES, KINGS = "7S 8S 9S", "5H 5D 5C", "KH KD KC"
NINE = f"{RUN} {FIVES} {KINGS}"  # three melds and nothing else
LOOSE = "2H 4D 6C 8H TD QC 2D 4C 6H"  # no two cards go together


def table(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    exposed: str = "",
    scores_before: Sequence[int] = (),
    dealer: int | None = None,
) -> Recorder:
    """A deal with these cards, before its first turn; seat 0 begins, outside a match."""
    return Recorder(make_deal(options, hands, stock, exposed, scores_before, dealer))


def with_redeals(options: Options | None = None, count: int = 1) -> Recorder:
    """A joker was exposed, and everything was dealt anew, so many times."""
    options = options or Options()
    cards = sorted(two_packs(options.jokers_for(options.players)).elements())
    cards.remove(JOKER)
    deal = make_deal(options)
    return Recorder(deal, [redeal(deal["dealer"], [*cards, JOKER])] * count)


def second_turn(
    first: str,
    hand: str,
    now: Sequence[str],
    drawn: str,
    options: Options | None = None,
    later: str = "",
) -> Recorder:
    """Two players, turn 3: seat 0 laid these melds in turn 1 and discarded `first`; `drawn` is his second card.

    Seat 1 draws and discards the 2S between; `later` is what comes after `drawn`.
    """
    options = options or TWO
    recorder = table(options, {0: hand, 1: LOOSE}, f"{first} 2S {drawn} {later}")
    recorder.draw()
    for meld in now:
        recorder.meld(meld)
    return recorder.discard(first).idle().draw()


def after_take(
    top: str, hand: str, now: Sequence[str] = (), options: Options | None = None, first: str = "3C"
) -> Recorder:
    """Two players, turn 3: seat 0 laid these melds in turn 1 and discarded `first`; he has now taken `top`."""
    options = options or TWO
    recorder = table(options, {0: hand, 1: LOOSE}, f"{first} {top}")
    recorder.draw()
    for meld in now:
        recorder.meld(meld)
    return recorder.discard(first).idle().take()


# ---------------------------------------------------------------- going out


def at_once(options: Options | None = None, drawn: str = "3D") -> Recorder:
    """Seat 0 lays nine cards in turn 1 and discards the one drawn."""
    recorder = table(options, {0: NINE}, drawn).draw()
    return recorder.meld(RUN).meld(FIVES).meld(KINGS).discard(drawn)


def at_once_by_laying() -> Recorder:
    """Seat 0 lays all ten cards in turn 1."""
    return table(hands={0: NINE}, stock="TS").draw().meld("7S 8S 9S TS").meld(FIVES).meld(KINGS)


def at_once_by_extending() -> Recorder:
    """So he does with an extension of the same turn."""
    return table(hands={0: NINE}, stock="TS").draw().meld(FIVES).meld(RUN).meld(KINGS).extend(1, "7S 8S 9S TS")


def at_once_by_taking() -> Recorder:
    """Two players: seat 1 takes the card that seat 0 discards and lays everything."""
    recorder = table(TWO, {1: NINE}, "TS").idle().take()
    return recorder.meld("7S 8S 9S TS").meld(FIVES).meld(KINGS)


def out_later(options: Options | None = None) -> Recorder:
    """Two players: seat 0 lays a meld in turn 1 and the others in turn 3."""
    return second_turn("3D", NINE, [RUN], "3H", options).meld(FIVES).meld(KINGS).discard("3H")


def one_card(last: str, drawn: str, options: Options | None = None) -> Recorder:
    """Two players, turn 3: seat 0 laid eight cards in turn 1 and kept the card `last`."""
    return second_turn("3D", f"7S 8S 9S TS {FIVES} 5H {last}", ["7S 8S 9S TS", f"{FIVES} 5H"], drawn, options)


def out_by_extending() -> Recorder:
    """Two players: seat 0 adds his last card with the one he draws in turn 3."""
    return one_card("QS", "JS").extend(0, "7S 8S 9S TS JS QS")


def out_with_a_joker() -> Recorder:
    """Seat 0 draws a joker and discards it as his last card."""
    return at_once(drawn=JOKER)


# ---------------------------------------------------------------- discards


def only_jokers(melds: Sequence[str] = (FIVES, KINGS), drawn: str = JOKER) -> Recorder:
    """Two players, turn 3: beside his melds seat 0 holds nothing but jokers."""
    laid = " ".join(melds)
    jokers = " ".join([JOKER] * (9 - len(laid.split())))
    options = Options(players=2, jokers=8)
    return second_turn("3D", f"{laid} {jokers}", melds, drawn, options)


def long_run(drawn: str = "3H") -> Recorder:
    """Two players, turn 3: seat 0 has laid 7-8-9-10-J of spades and holds five cards."""
    return second_turn("3D", f"7S 8S 9S TS JS {FIVES} QH", ["7S 8S 9S TS JS"], drawn)


def doubled_set(drawn: str = "3H") -> Recorder:
    """Two players, turn 3: seat 0 has laid five fives of three suits and holds five cards."""
    return second_turn("3D", f"{FIVES} 5H 5D 7S 8S TS JC", [f"{FIVES} 5H 5D"], drawn)


# ---------------------------------------------------------------- long rounds


def until_empty(options: Options | None = None, reshuffles: int = 0) -> Recorder:
    """Idle turns until the stock is empty for the first time after so many reshuffles."""
    recorder = table(options)
    while recorder.table.stock or recorder.table.reshuffles < reshuffles:
        recorder.idle()
    return recorder


def idle_by_taking(recorder: Recorder, turns: int) -> Recorder:
    """Turns of players who take the discard and throw away another card."""
    for _ in range(turns):
        if not recorder.over:
            recorder.take().discard(*recorder.table.legal_discards()[0])
    return recorder


def cap() -> Recorder:
    """Everybody takes and nobody lays, for a thousand turns."""
    return idle_by_taking(table().idle(), 1000)


# ---------------------------------------------------------------- matches

FOUR_OF_SEVEN = [-100, 0, -30, -135, 20, -99, -100]  # seats 1, 2, 4 and 5 are still in


def four_of_seven() -> Recorder:
    """A later round of a match of seven; three players are out, seat 2 deals."""
    hands = {4: NINE}
    return table(Options(players=7), hands, "3D", scores_before=FOUR_OF_SEVEN, dealer=2)


def four_of_seven_at_once() -> Recorder:
    """Seat 4 goes out there in the first turn."""
    return four_of_seven().draw().meld(RUN).meld(FIVES).meld(KINGS).discard("3D")


def last_two(dealer: int = 0) -> Recorder:
    """A later round of a match of seven; two players are left."""
    before = [-60, -100, -101, -200, -100, -100, 10]
    return table(Options(players=7), {0: NINE}, scores_before=before, dealer=dealer)


SCENES: dict[str, Callable[[], list[Event]]] = {
    "idle": lambda: table().finish(),
    "idle, two players": lambda: table(TWO).finish(),
    "idle, seven players, eight jokers": lambda: table(Options(players=7, jokers=8)).finish(),
    "idle, no jokers": lambda: table(Options(jokers=0)).finish(),
    "redealt": lambda: with_redeals().finish(),
    "redealt twice": lambda: with_redeals(TWO, 2).finish(),
    "at once": lambda: at_once().events,
    "at once by laying": lambda: at_once_by_laying().events,
    "at once by extending": lambda: at_once_by_extending().events,
    "at once by taking": lambda: at_once_by_taking().events,
    "out later": lambda: out_later().events,
    "out by extending": lambda: out_by_extending().finish(),
    "out with a joker": lambda: out_with_a_joker().events,
    "only jokers": lambda: only_jokers().discard(JOKER).finish(),
    "jokers and a laid card": lambda: only_jokers([RUN + " TS", KINGS]).discard("7S", 0).finish(),
    "end card of a run": lambda: long_run().discard("JS", 0).finish(),
    "card of a set": lambda: doubled_set().discard("5H", 0).finish(),
    "takes and keeps": lambda: after_take("3H", NINE, [RUN]).discard("5H").finish(),
    "takes and lays": lambda: after_take("TS", NINE, [RUN]).extend(0, f"{RUN} TS").discard("5H").finish(),
    "must meld": lambda: (
        after_take("TS", NINE, [RUN], Options(players=2, taken_discard_must_meld=True))
        .extend(0, f"{RUN} TS")
        .discard("5H")
        .finish()
    ),
    "any suits": lambda: table(ANY, {0: "5S 5S 5H 5D 5C 7S 9S JS KS"}).draw().meld("5S 5S 5H 5D 5C").finish(),
    "two jokers": lambda: (
        table(EIGHT_JOKERS, {0: "6C JK 8C 9C JK JC 2S 3S 4S"}).draw().meld("6C JK 8C 9C JK JC").finish()
    ),
    "taken when the stock is empty": lambda: idle_by_taking(until_empty(), 3).finish(),
    "taken after the last reshuffle": lambda: idle_by_taking(until_empty(TWO, 3), 3).finish(),
    "cap": lambda: cap().events,
    "four of seven": lambda: four_of_seven().finish(),
    "four of seven at once": lambda: four_of_seven_at_once().events,
    "last two": lambda: last_two().finish(),
}
