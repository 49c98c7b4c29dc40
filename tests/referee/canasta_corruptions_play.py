"""Corruptions of the play of Canasta: missing and doubled events, red threes, the pile, the discard."""

from __future__ import annotations

import random

from tests.referee.canasta_corruption_tools import (
    SCORE,
    TURN_START,
    Spot,
    corruption,
    meld_rank,
    some_spot,
    spots,
)
from tests.referee.cards import PACK_52, is_black_three, is_red_three, is_wild, rank_of
from tests.referee.log_edits import (
    Log,
    double_one,
    drop_one,
    edit,
    exchanged,
    insert,
    justifications,
    pick,
    plain,
    plain_lays,
    replace,
    swap_next,
    turn_draws,
    where,
    with_options,
)

# ---------------------------------------------------------------- a missing event


@corruption("KAN-06")
def draw_missing(log: Log, rng: random.Random) -> Log | None:
    """A turn without its draw."""
    return drop_one(log, rng, [index for index in turn_draws(log) if log[index + 1]["event"] != "red_three"])


@corruption("KAN-05")
def replacement_missing(log: Log, rng: random.Random) -> Log | None:
    """A red three is not replaced."""
    return drop_one(log, rng, [i for i in where(log, "draw") if log[i]["why"] == "red_three"])


@corruption("KAN-05")
def red_three_missing(log: Log, rng: random.Random) -> Log | None:
    """A red three is not laid."""
    return drop_one(log, rng, where(log, "red_three"))


@corruption("KAN-06", "KAN-16")
def take_missing(log: Log, rng: random.Random) -> Log | None:
    """The justifying meld without the take."""
    return drop_one(log, rng, [i for i in where(log, "take_pile") if log[i + 1]["event"] != "red_three"])


@corruption("KAN-06")
def justification_missing(log: Log, rng: random.Random) -> Log | None:
    """The take without the justifying meld."""
    found = [
        index for index in justifications(log) if log[index - 1]["cards"][-1] not in log[index + 1].get("cards", [])
    ]
    return drop_one(log, rng, [i for i in found if log[i]["event"] != "red_three"])


@corruption("LOG", "CARDS", "KAN-06", "KAN-08", "KAN-11", "KAN-12", "KAN-13", *TURN_START, *SCORE)
def lay_missing(log: Log, rng: random.Random) -> Log | None:
    """A meld or an extension is missing; at the latest the score tells."""
    return drop_one(log, rng, plain_lays(log))


@corruption("KAN-06", "KAN-14", "KAN-16")
def discard_missing(log: Log, rng: random.Random) -> Log | None:
    """A turn without its discard."""
    return drop_one(log, rng, where(log, "discard"))


@corruption("KAN-14")
def go_out_missing(log: Log, rng: random.Random) -> Log | None:
    """Going out is not written down."""
    return drop_one(log, rng, where(log, "go_out"))


# ---------------------------------------------------------------- an event twice, or another


@corruption(*TURN_START)
def draw_twice(log: Log, rng: random.Random) -> Log | None:
    """Two draws in one turn, or two replacements."""
    return double_one(log, rng, "draw")


@corruption("KAN-05", "KAN-06", "CARDS", "KAN-16")
def red_three_twice(log: Log, rng: random.Random) -> Log | None:
    """A red three is laid twice."""
    return double_one(log, rng, "red_three")


@corruption("KAN-06")
def take_twice(log: Log, rng: random.Random) -> Log | None:
    """The pile is taken twice."""
    return double_one(log, rng, "take_pile")


@corruption("KAN-01", "KAN-05", "KAN-06", "KAN-14", "KAN-16", "LOG")
def discard_twice(log: Log, rng: random.Random) -> Log | None:
    """Two discards in one turn."""
    return double_one(log, rng, "discard")


@corruption("KAN-06")
def discards_two(log: Log, rng: random.Random) -> Log | None:
    """Two cards in one discard, or none."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else edit(log, index, cards=rng.choice(([], log[index]["cards"] * 2)))


@corruption("KAN-06")
def passes_instead(log: Log, rng: random.Random) -> Log | None:
    """A turn ends without a discard."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else edit(log, index, event="pass", cards=[])


@corruption("CARDS")
def discards_what_he_lacks(log: Log, rng: random.Random) -> Log | None:
    """The discard is not in hand."""
    spot = some_spot(log, rng, lambda spot: spot.name == "discard")
    if spot is None:
        return None
    lacking = [card for card in PACK_52 if card not in spot.hand and not is_red_three(card)]
    return edit(log, spot.index, cards=[rng.choice(lacking)])


@corruption("KAN-05", "KAN-16")
def why_exchanged(log: Log, rng: random.Random) -> Log | None:
    """A replacement counts as the draw of the turn."""
    index = pick(rng, [i for i in where(log, "draw") if log[i]["why"] == "red_three"])
    return None if index is None else edit(log, index, why="turn")


@corruption("KAN-06")
def why_exchanged_otherwise(log: Log, rng: random.Random) -> Log | None:
    """The draw of the turn counts as a replacement."""
    index = pick(rng, turn_draws(log))
    return None if index is None else edit(log, index, why="red_three")


# ---------------------------------------------------------------- KAN-05: red threes


@corruption("KAN-05")
def red_three_discarded(log: Log, rng: random.Random) -> Log | None:
    """A red three drawn is discarded at once."""
    found = [i for i in where(log, "red_three") if log[i - 1]["event"] == "draw" and log[i - 1]["why"] == "turn"]
    index = pick(rng, found)
    return None if index is None else edit(log, index, event="discard")


@corruption("KAN-05")
def other_card_as_red_three(log: Log, rng: random.Random) -> Log | None:
    """A card that is no red three, or two of them."""
    index = pick(rng, where(log, "red_three"))
    return None if index is None else edit(log, index, cards=rng.choice((["3S"], ["4H"], ["3H", "3D"], [])))


def of_a_pile(log: Log) -> list[int]:
    """The red threes found in a pile."""
    return [
        index
        for index in where(log, "red_three")
        if any(
            event["event"] == "take_pile"
            and event["turn"] == log[index]["turn"]
            and set(log[index]["cards"]) <= set(event["cards"])
            for event in log[1:index]
        )
    ]


@corruption("KAN-05")
def red_three_of_the_pile_kept(log: Log, rng: random.Random) -> Log | None:
    """A red three of the pile is not laid."""
    return drop_one(log, rng, of_a_pile(log))


@corruption("KAN-05")
def red_three_of_the_pile_replaced(log: Log, rng: random.Random) -> Log | None:
    """A red three of the pile is replaced."""
    index = pick(rng, of_a_pile(log))
    if index is None or log[index + 1]["event"] == "go_out":
        return None
    return insert(log, index + 1, plain(log[index], "draw", ["4S"], why="red_three"))


# ---------------------------------------------------------------- KAN-06 to KAN-10: the pile


@corruption("KAN-06")
def part_of_the_pile(log: Log, rng: random.Random) -> Log | None:
    """Only some cards of the pile are taken, or in another order."""
    index = pick(rng, [i for i in where(log, "take_pile") if len(set(log[i]["cards"])) > 1])
    if index is None:
        return None
    cards = log[index]["cards"]
    shifted = [*cards[1:], cards[0]]
    return edit(log, index, cards=rng.choice((cards[1:], cards[-1:], shifted if shifted != cards else cards[1:])))


@corruption("KAN-06")
def take_after_the_draw(log: Log, rng: random.Random) -> Log | None:
    """The pile is taken beside the draw."""
    index = pick(rng, [i for i in turn_draws(log) if log[i + 1]["event"] != "red_three"])
    return None if index is None else insert(log, index + 1, plain(log[index], "take_pile", ["4S"]))


@corruption("KAN-06")
def justified_later(log: Log, rng: random.Random) -> Log | None:
    """Another meld is laid before the top card is."""
    found = [
        index
        for index in justifications(log)
        if log[index]["event"] == log[index + 1]["event"] == "meld"
        and log[index - 1]["cards"][-1] not in log[index + 1]["cards"]
    ]
    index = pick(rng, found)
    return None if index is None else swap_next(log, index)


def take_instead_of_draw(log: Log, spot: Spot) -> Log:
    """The pile is taken in place of a draw."""
    return replace(log, spot.index, plain(spot.event, "take_pile", spot.pile))


def is_turn_draw(spot: Spot) -> bool:
    """The draw of a turn."""
    return spot.name == "draw" and spot.event["why"] == "turn"


@corruption("KAN-07")
def takes_a_wild_card(log: Log, rng: random.Random) -> Log | None:
    """A pile with a wild card on top is taken."""
    spot = some_spot(log, rng, lambda spot: is_turn_draw(spot) and is_wild(spot.pile[-1]))
    return None if spot is None else take_instead_of_draw(log, spot)


@corruption("KAN-07")
def takes_a_black_three(log: Log, rng: random.Random) -> Log | None:
    """A pile with a black three on top is taken."""
    spot = some_spot(log, rng, lambda spot: is_turn_draw(spot) and is_black_three(spot.pile[-1]))
    return None if spot is None else take_instead_of_draw(log, spot)


@corruption("KAN-10")
def takes_a_card_for_a_card(log: Log, rng: random.Random) -> Log | None:
    """With one card in hand a one-card pile is taken."""

    def single(spot: Spot) -> bool:
        if not is_turn_draw(spot) or len(spot.hand) != 1 or len(spot.pile) != 1:
            return False
        return not is_wild(spot.pile[0]) and not is_black_three(spot.pile[0])

    spot = some_spot(log, rng, single)
    return None if spot is None else take_instead_of_draw(log, spot)


@corruption("KAN-08")
def frozen_pile_for_an_own_meld(log: Log, rng: random.Random) -> Log | None:
    """A frozen pile is taken because its top card fits a meld."""

    def fits(spot: Spot) -> bool:
        top = rank_of(spot.pile[-1]) if spot.pile else ""
        if not is_turn_draw(spot) or is_wild(spot.pile[-1]) or (len(spot.hand) == len(spot.pile) == 1):
            return False
        return spot.opened and spot.frozen and any(meld_rank(meld) == top for meld in spot.mine)

    spot = some_spot(log, rng, fits)
    if spot is None or is_black_three(spot.pile[-1]):
        return None
    top = spot.pile[-1]
    number = next(i for i, meld in enumerate(spot.mine) if meld_rank(meld) == rank_of(top))
    lay = plain(spot.event, "extend", [top], meld=number, now=[*spot.mine[number], top])
    return insert(take_instead_of_draw(log, spot), spot.index + 1, lay)


@corruption("KAN-08")
def frozen_pile_for_a_wild_card(log: Log, rng: random.Random) -> Log | None:
    """A frozen pile is taken with one natural and a wild card."""
    found = []
    for spot in spots(log):
        if is_turn_draw(spot) and spot.frozen and not is_wild(spot.pile[-1]) and not is_black_three(spot.pile[-1]):
            rank = rank_of(spot.pile[-1])
            naturals = [card for card in spot.hand if rank_of(card) == rank]
            wilds = [card for card in spot.hand if is_wild(card)]
            new = all(meld_rank(meld) != rank for meld in spot.mine)
            if len(naturals) == 1 and wilds and new:
                found.append((spot, [spot.pile[-1], naturals[0], wilds[0]]))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    spot, cards = chosen
    lay = plain(spot.event, "meld", cards, meld=len(spot.mine), now=cards)
    return insert(take_instead_of_draw(log, spot), spot.index + 1, lay)


def justifying(log: Log) -> list[tuple[Spot, Spot]]:
    """Each take with the meld that justifies it."""
    found, take = [], None
    for spot in spots(log):
        if spot.name == "take_pile":
            take = spot
        elif take is not None and spot.name in ("meld", "extend"):
            found.append((take, spot))
            take = None
    return found


@corruption("KAN-08")
def two_wild_cards(log: Log, rng: random.Random) -> Log | None:
    """A pile is taken with wild cards alone, beside a natural card of the pile."""
    found = []
    for take, lay in justifying(log):
        rank = rank_of(take.pile[-1])
        wilds = [card for card in take.hand if is_wild(card)][:2]
        buried = [card for card in take.pile[:-1] if rank_of(card) == rank and card not in take.hand]
        if lay.name == "meld" and len(wilds) == 2 and buried and take.opened:
            found.append((lay, [take.pile[-1], buried[0], *wilds]))
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0].index, cards=chosen[1], now=chosen[1])


@corruption("KAN-08")
def black_three_would_freeze(log: Log, rng: random.Random) -> Log | None:
    """Under black_three_freezes a pile with a black three needs a pair."""
    if log[0]["options"]["black_three_freezes"]:
        return None
    for take, lay in justifying(log):
        rank = rank_of(take.pile[-1])
        pair = [card for card in lay.event["cards"] if rank_of(card) == rank and card in take.hand]
        turned = len(log[0]["pile"]) if take.pile[: len(log[0]["pile"])] == log[0]["pile"] else 0
        discarded = take.pile[turned:]
        if not take.frozen and len(pair) < 2 and any(map(is_black_three, discarded)):
            return with_options(log, black_three_freezes=True)
    return None


@corruption("CARDS")
def justified_with_what_he_lacks(log: Log, rng: random.Random) -> Log | None:
    """A card of the justifying meld is neither in hand nor in the pile."""
    found = []
    for take, lay in justifying(log):
        rank = rank_of(take.pile[-1])
        lacking = [card for card in PACK_52 if rank_of(card) == rank and card not in [*take.hand, *take.pile]]
        mine = [card for card in lay.event["cards"] if not is_wild(card) and card != take.pile[-1]]
        if lacking and mine:
            found.append((lay, mine[0], lacking[0]))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    lay, old, new = chosen
    event = lay.event
    return edit(log, lay.index, cards=exchanged(event["cards"], old, new), now=exchanged(event["now"], old, new))


@corruption("KAN-13")
def card_of_the_pile_in_the_first_meld(log: Log, rng: random.Random) -> Log | None:
    """A first meld from the pile holds more of it than the top card."""
    found = []
    for take, lay in justifying(log):
        rank = rank_of(take.pile[-1])
        buried = [card for card in take.pile[:-1] if rank_of(card) == rank and card not in take.hand]
        buried = [card for card in buried if card != take.pile[-1]]
        if not take.opened and buried:
            found.append((lay, buried[0]))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    lay, card = chosen
    return edit(log, lay.index, cards=[*lay.event["cards"], card], now=[*lay.event["now"], card])
