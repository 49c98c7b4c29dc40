"""Corruptions of drawing in mau-mau: who cannot follow, bars, draws, reshuffles."""

from __future__ import annotations

import random

from tests.referee.cards import PACK_52
from tests.referee.log_edits import (
    Log,
    double_one,
    drop,
    drop_one,
    edit,
    exchanged,
    insert,
    pick,
    plain,
    replace,
    swap_next,
    where,
)
from tests.referee.mau_mau_corruption_tools import AFTER, DRAWS, Spot, corruption, draws, some_spot, spots

# ---------------------------------------------------------------- who cannot follow


@corruption("MAU-06", "MAU-07", "MAU-08", "MAU-16", "LOG")
def unable_missing(log: Log, rng: random.Random) -> Log | None:
    """Who cannot follow does not say so."""
    return drop_one(log, rng, where(log, "unable"))


@corruption("MAU-06", "MAU-08", "LOG", *AFTER)
def unable_twice(log: Log, rng: random.Random) -> Log | None:
    """Fined twice in one turn."""
    return double_one(log, rng, "unable")


@corruption("MAU-06")
def another_fine(log: Log, rng: random.Random) -> Log | None:
    """Fined instead of not, or the other way round."""
    index = pick(rng, where(log, "unable"))
    return None if index is None else edit(log, index, fine=50 - log[index]["fine"])


@corruption("MAU-04", "MAU-13")
def stranger_played_instead_of_unable(log: Log, rng: random.Random) -> Log | None:
    """Who cannot follow plays something."""
    spot = some_spot(log, rng, lambda spot: spot.name == "unable")
    if spot is None:
        return None
    return replace(log, spot.index, plain(spot.event, "play", [rng.choice(sorted(spot.hand))], suit=None))


@corruption("MAU-07", "MAU-09")
def pass_instead_of_unable(log: Log, rng: random.Random) -> Log | None:
    """Who cannot follow passes without a fine."""
    index = pick(rng, where(log, "unable"))
    return (
        None if index is None else replace(log, index, plain(log[index], "pass", why=rng.choice(("barred", "eight"))))
    )


def drawn_plays(log: Log) -> list[Spot]:
    """Where a card just drawn is played."""
    return [spot for spot in spots(log) if spot.name == "play" and not spot.opens_turn]


@corruption("MAU-06")
def another_card_than_the_one_drawn(log: Log, rng: random.Random) -> Log | None:
    """Who drew a card that follows plays another."""
    found = {spot.index for spot in drawn_plays(log)}
    spot = some_spot(log, rng, lambda s: s.index in found and any([card] != s.event["cards"] for card in s.hand))
    if spot is None:
        return None
    others = sorted(card for card in spot.hand if [card] != spot.event["cards"])
    return edit(log, spot.index, cards=[rng.choice(others)], suit=None)


@corruption("MAU-06", "MAU-16", "LOG")
def drawn_card_kept(log: Log, rng: random.Random) -> Log | None:
    """Who draws until a card follows must play it."""
    if log[0]["options"]["unable"] != "draw_until":
        return None
    return drop_one(log, rng, [spot.index for spot in drawn_plays(log)])


@corruption("MAU-06")
def drawn_twice_before_the_play(log: Log, rng: random.Random) -> Log | None:
    """A second card is drawn although the first follows."""
    spot = pick(rng, drawn_plays(log))
    if spot is None:
        return None
    return insert(log, spot.index, plain(spot.event, "draw", ["4S"], why="unable"))


# ---------------------------------------------------------------- bars


@corruption("MAU-07")
def barred_player_wins(log: Log, rng: random.Random) -> Log | None:
    """A barred player plays his last card."""
    spot = some_spot(log, rng, lambda spot: spot.name == "pass" and spot.event["why"] == "barred")
    return None if spot is None else replace(log, spot.index, plain(spot.event, "play", spot.hand, suit=None))


@corruption("MAU-07")
def barred_player_fined_again(log: Log, rng: random.Random) -> Log | None:
    """A barred player whose last card follows is fined."""
    spot = some_spot(log, rng, lambda spot: spot.name == "pass" and spot.event["why"] == "barred")
    return None if spot is None else replace(log, spot.index, plain(spot.event, "unable", fine=spot.table.fine()))


@corruption("MAU-07", "LOG")
def barred_player_does_not_pass(log: Log, rng: random.Random) -> Log | None:
    """A turn of a barred player is missing."""
    return drop_one(log, rng, [index for index in where(log, "pass") if log[index]["why"] == "barred"])


@corruption("MAU-07")
def barred_player_draws(log: Log, rng: random.Random) -> Log | None:
    """A barred player draws instead of passing."""
    index = pick(rng, [index for index in where(log, "pass") if log[index]["why"] == "barred"])
    return None if index is None else replace(log, index, plain(log[index], "draw", ["4S"], why="unable"))


@corruption("MAU-07", "MAU-09")
def pass_for_another_reason(log: Log, rng: random.Random) -> Log | None:
    """Barred instead of an 8, or the other way round."""
    index = pick(rng, where(log, "pass"))
    return None if index is None else edit(log, index, why={"barred": "eight", "eight": "barred"}[log[index]["why"]])


@corruption("MAU-08")
def bars_not_lifted(log: Log, rng: random.Random) -> Log | None:
    """Everybody is barred, and stays so."""
    return drop_one(log, rng, where(log, "bars_lifted"))


@corruption("MAU-08", "MAU-17")
def bars_lifted_twice(log: Log, rng: random.Random) -> Log | None:
    """The bars are lifted twice."""
    return double_one(log, rng, "bars_lifted")


@corruption("MAU-08")
def bars_lifted_instead_of_void(log: Log, rng: random.Random) -> Log | None:
    """With fines only, bars are not lifted."""
    index = pick(rng, where(log, "void"))
    return None if index is None else edit(log, index, event="bars_lifted")


@corruption("MAU-08")
def void_instead_of_bars_lifted(log: Log, rng: random.Random) -> Log | None:
    """The bars are lifted, and the round goes on."""
    index = pick(rng, where(log, "bars_lifted"))
    return None if index is None else edit(log, index, event="void")


@corruption("MAU-06")
def bars_lifted_before_the_draw(log: Log, rng: random.Random) -> Log | None:
    """The bars are lifted after the draw."""
    index = pick(rng, [index for index in where(log, "bars_lifted") if log[index - 1]["event"] == "draw"])
    return None if index is None else swap_next(log, index - 1)


# ---------------------------------------------------------------- draws


@corruption("CARDS")
def other_card_drawn(log: Log, rng: random.Random) -> Log | None:
    """Not the top of the stock is drawn."""
    index = pick(rng, draws(log))
    if index is None:
        return None
    first, *others = log[index]["cards"]
    return edit(log, index, cards=[rng.choice([card for card in PACK_52 if card != first]), *others])


@corruption("CARDS")
def drawn_in_another_order(log: Log, rng: random.Random) -> Log | None:
    """The cards of a draw stand in drawing order."""
    index = pick(rng, [index for index in draws(log) if log[index]["cards"] != log[index]["cards"][::-1]])
    return None if index is None else edit(log, index, cards=log[index]["cards"][::-1])


@corruption(*DRAWS)
def one_card_too_many(log: Log, rng: random.Random) -> Log | None:
    """A draw of one card more."""
    index = pick(rng, draws(log))
    return None if index is None else edit(log, index, cards=[*log[index]["cards"], rng.choice(PACK_52)])


@corruption(*DRAWS)
def one_card_too_few(log: Log, rng: random.Random) -> Log | None:
    """A draw of one card less, if only one of none."""
    index = pick(rng, draws(log))
    return None if index is None else edit(log, index, cards=log[index]["cards"][:-1])


@corruption(*DRAWS)
def draw_in_two_pieces(log: Log, rng: random.Random) -> Log | None:
    """Only a reshuffle splits a draw."""
    index = pick(rng, [index for index in draws(log) if len(log[index]["cards"]) > 1])
    if index is None:
        return None
    first, *others = log[index]["cards"]
    return insert(edit(log, index, cards=others), index, {**log[index], "cards": [first]})


@corruption("MAU-09", "MAU-15")
def only_three_for_stacked_eights(log: Log, rng: random.Random) -> Log | None:
    """The draws of answered 8s add up."""
    index = pick(rng, [index for index in draws(log, "eight") if len(log[index]["cards"]) > 3])
    return None if index is None else edit(log, index, cards=log[index]["cards"][:3])


@corruption(*DRAWS, "MAU-16", "LOG")
def draw_missing(log: Log, rng: random.Random) -> Log | None:
    """Who must draw does not."""
    return drop_one(log, rng, draws(log))


@corruption(*DRAWS, "MAU-08", "LOG", *AFTER)
def draw_twice(log: Log, rng: random.Random) -> Log | None:
    """A draw is written twice."""
    return double_one(log, rng, "draw")


@corruption(*DRAWS)
def draw_for_another_reason(log: Log, rng: random.Random) -> Log | None:
    """Another reason than the one there is."""
    index = pick(rng, draws(log))
    if index is None:
        return None
    reasons = ("eight", "seven", "unable", "forgot_call", "start_card")
    return edit(log, index, why=rng.choice([why for why in reasons if why != log[index]["why"]]))


@corruption(*DRAWS)
def draw_for_nothing(log: Log, rng: random.Random) -> Log | None:
    """A turn begins with a draw that nobody owes."""
    spot = some_spot(log, rng, lambda spot: spot.is_boundary and len(spot.table.stock) > 0)
    if spot is None:
        return None
    why = rng.choice(("eight", "seven", "unable", "forgot_call", "start_card"))
    return insert(log, spot.index, plain(spot.event, "draw", spot.table.next_cards(1), why=why))


# ---------------------------------------------------------------- reshuffles


def reshuffles(log: Log) -> list[int]:
    """Every reshuffle."""
    return where(log, "reshuffle")


@corruption("MAU-16")
def reshuffle_missing(log: Log, rng: random.Random) -> Log | None:
    """Cards are drawn from an empty stock."""
    return drop_one(log, rng, reshuffles(log))


@corruption("MAU-16")
def reshuffle_twice(log: Log, rng: random.Random) -> Log | None:
    """The new stock is shuffled once more."""
    return double_one(log, rng, "reshuffle")


@corruption("MAU-16")
def reshuffle_with_the_top_card(log: Log, rng: random.Random) -> Log | None:
    """The top card stays."""
    spot = some_spot(log, rng, lambda spot: spot.name == "reshuffle")
    return None if spot is None else edit(log, spot.index, stock=[*spot.event["stock"], spot.table.top])


@corruption("MAU-16")
def reshuffle_without_a_card(log: Log, rng: random.Random) -> Log | None:
    """A card of the lixo is missing."""
    index = pick(rng, reshuffles(log))
    return None if index is None else edit(log, index, stock=log[index]["stock"][1:])


@corruption("MAU-16")
def reshuffle_with_another_card(log: Log, rng: random.Random) -> Log | None:
    """A card of the lixo has become another."""
    index = pick(rng, reshuffles(log))
    if index is None:
        return None
    old = rng.choice(log[index]["stock"])
    return edit(
        log, index, stock=exchanged(log[index]["stock"], old, rng.choice([card for card in PACK_52 if card != old]))
    )


@corruption("CARDS")
def reshuffle_in_another_order(log: Log, rng: random.Random) -> Log | None:
    """Another card of the new stock is drawn first."""
    index = pick(rng, [index for index in reshuffles(log) if len(set(log[index]["stock"])) > 1])
    if index is None:
        return None
    first, *others = log[index]["stock"]
    return edit(log, index, stock=[*(card for card in others if card != first), first, *[first] * others.count(first)])


@corruption("MAU-16")
def reshuffle_before_the_stock_is_empty(log: Log, rng: random.Random) -> Log | None:
    """Cards are left, and yet the lixo is shuffled."""
    spot = some_spot(log, rng, lambda spot: spot.name == "draw")
    if spot is None:
        return None
    return insert(log, spot.index, plain(spot.event, "reshuffle", stock=spot.table.under_top()))


@corruption("MAU-16")
def reshuffle_though_nobody_draws(log: Log, rng: random.Random) -> Log | None:
    """A reshuffle waits until a card must be drawn."""
    spot = some_spot(log, rng, lambda spot: spot.is_boundary)
    if spot is None:
        return None
    return insert(log, spot.index, plain(spot.event, "reshuffle", stock=spot.table.under_top()))


@corruption("MAU-16")
def reshuffle_after_the_draw(log: Log, rng: random.Random) -> Log | None:
    """The new stock is made before the draw."""
    index = pick(rng, [index for index in reshuffles(log) if log[index + 1]["event"] == "draw"])
    return None if index is None else swap_next(log, index)


@corruption("MAU-16")
def reshuffle_and_draw_missing(log: Log, rng: random.Random) -> Log | None:
    """An empty stock is no reason to draw less while the lixo has cards."""
    found = [index for index in reshuffles(log) if log[index - 1]["event"] == "draw"]
    index = pick(rng, [index for index in found if log[index - 1]["turn"] == log[index]["turn"]])
    return None if index is None else drop(log, index, 2)
