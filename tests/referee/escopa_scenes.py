"""Short hand-written packs of Escopa, played up to the point that a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.referee.escopa_builder import Recorder, make_deal
from tests.referee.escopa_cards import combinations
from tests.referee.escopa_options import Options
from tests.referee.log import Event

FREE = Options(capture="free")
IF_PLAYED = Options(capture="if_played")
FOUR_ASKED = Options(escopa="exactly_four")
HALF = Options(overlook_rate=0.5)
HALF_FREE = Options(overlook_rate=0.5, capture="free")
BLIND = Options(overlook_rate=1)
JACK_EIGHT = Options(figures="jqk")

FIFTEEN = "7S 4H 3D AC"
TWO_PAIRS = "KS 5H JD 6C"
NO_FIFTEEN = "2S 2H 2D 2C"


def pack(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    table: str = "",
    stock: str = "",
    bottom: str = "",
) -> Recorder:
    """A pack with these cards, before its first turn; seat 0 begins, the last seat deals."""
    return Recorder(make_deal(options, hands, table, stock, bottom), options)


def dealer_takes(first: str = FIFTEEN, second: str = NO_FIFTEEN, options: Options | None = None) -> Recorder:
    """The first four cards and the next four are these."""
    return pack(options, table=first, stock=second).ready()


def four_twos(options: Options | None = None, hand: str = "7S KS KH") -> Recorder:
    """Four twos lie on the table, which a seven clears."""
    return pack(options, {0: hand}, NO_FIFTEEN)


def empty_table(options: Options | None = None, first: str = "KC KH QC", second: str = "5S 5D 4D") -> Recorder:
    """The dealer has taken twice, so nothing lies there; seats 0 and 1 hold these cards."""
    return pack(options, {0: first, 1: second}, FIFTEEN, TWO_PAIRS).ready()


def last_play(recorder: Recorder) -> str:
    """The card that was played last."""
    card: str = recorder.events[-1]["cards"][0]
    return card


def claim_some(recorder: Recorder) -> Recorder:
    """The next player claims the card just left, with the first cards that make fifteen."""
    card = last_play(recorder)
    others = [other for other in recorder.table.cards if other != card]
    return recorder.claim([card, *next(combinations(card, others, recorder.options.figures))])


def overlooked(options: Options = HALF, hand: str = "7S KS KH", table: str = NO_FIFTEEN) -> Recorder:
    """The first player overlooks his capture, and leaves the first card of this hand."""
    return pack(options, {0: hand}, table).overlook().play(hand.split()[0])


def overlooked_in_turn(turn: int, options: Options = HALF_FREE) -> Recorder:
    """All cards are left on purpose up to a turn, in which a capture is overlooked."""
    recorder = pack(options).idle(turn - 1).ready()
    return recorder.overlook().play(recorder.table.hand[0])


def three_with_a_take() -> Recorder:
    """Three players; after a dealer's take the last deal does not divide evenly."""
    return dealer_takes(options=Options(players=3))


def to_the_last_deal(recorder: Recorder) -> Recorder:
    """Everything is played before the last deal."""
    while len(recorder.table.stock) >= 3 * recorder.options.players or not recorder.table.hands_empty:
        recorder.idle()
    return recorder


def all_on_the_table(players: int = 2, deal_passes: bool = True) -> Recorder:
    """Nobody captures anything."""
    return pack(Options(players=players, deal_passes=deal_passes, capture="free", dealer_take="none"))


SCENES: dict[str, Callable[[], list[Event]]] = {
    "two players": lambda: pack().finish(),
    "three players": lambda: pack(Options(players=3)).finish(),
    "four players": lambda: pack(Options(players=4)).finish(),
    "one dealer": lambda: pack(Options(players=3, deal_passes=False)).finish(),
    "dealer's fifteen": lambda: dealer_takes().finish(),
    "dealer's two pairs": lambda: dealer_takes(TWO_PAIRS).finish(),
    "dealer's two takes": lambda: dealer_takes(FIFTEEN, TWO_PAIRS).finish(),
    "dealer's second four stay": lambda: dealer_takes(FIFTEEN, TWO_PAIRS, Options(dealer_take="once")).finish(),
    "dealer takes nothing": lambda: dealer_takes(FIFTEEN, options=Options(dealer_take="none")).finish(),
    "dealer's escopas do not count": lambda: dealer_takes(TWO_PAIRS, options=Options(dealer_escopas=False)).finish(),
    "cards over": lambda: three_with_a_take().finish(),
    "two cards each in the end": lambda: dealer_takes(options=Options(players=4)).finish(),
    "escopa": lambda: four_twos().play("7S", NO_FIFTEEN).finish(),
    "escopa of four": lambda: four_twos(FOUR_ASKED).play("7S", NO_FIFTEEN).finish(),
    "escopa of one": lambda: empty_table().play("KC").play("5S", "KC").finish(),
    "no escopa of one": lambda: empty_table(FOUR_ASKED).play("KC").play("5S", "KC").finish(),
    "overlooked": lambda: overlooked().finish(),
    "claimed": lambda: overlooked().claim(f"7S {NO_FIFTEEN}").finish(),
    "claimed, four asked": lambda: claim_some(overlooked(Options(overlook_rate=0.5, escopa="exactly_four"))).finish(),
    "claimed before a deal": lambda: claim_some(overlooked_in_turn(6)).finish(),
    "claimed after the last card": lambda: claim_some(overlooked_in_turn(36)).finish(),
    "everything overlooked": lambda: pack(BLIND).finish(),
    "all on the table": lambda: all_on_the_table().finish(),
    "if played": lambda: pack(IF_PLAYED).finish(),
    "jack eight": lambda: pack(JACK_EIGHT).finish(),
}
