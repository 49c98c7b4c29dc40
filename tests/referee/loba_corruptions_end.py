"""Corruptions of the end of a round of Loba and of its score: LOB-13 to LOB-15, LOB-17."""

from __future__ import annotations

import random

from tests.referee.cards import JOKER, rank_of
from tests.referee.loba_corruption_tools import (
    SCORE,
    corruption,
    lines_of,
    place_after,
    seats_with,
    some_spot,
    spots,
    with_end,
)
from tests.referee.log_edits import (
    Log,
    change_line,
    edit,
    insert,
    pick,
    plain,
    replace,
    where,
)

# ---------------------------------------------------------------- LOB-13: the end of the stock


@corruption("LOB-13")
def reshuffled_early(log: Log, rng: random.Random) -> Log | None:
    """The discards are shuffled while a card can be drawn."""
    spot = some_spot(log, rng, lambda spot: spot.name == "draw" and len(spot.discards) > 2)
    return None if spot is None else insert(log, spot.index, plain(spot.event, "reshuffle", stock=spot.discards[:-1]))


@corruption("LOB-13")
def top_discard_shuffled_too(log: Log, rng: random.Random) -> Log | None:
    """The top discard does not stay."""
    spot = some_spot(log, rng, lambda spot: spot.name == "reshuffle")
    return None if spot is None else edit(log, spot.index, stock=[*spot.event["stock"], spot.discards[-1]])


@corruption("LOB-13")
def card_lost_in_a_reshuffle(log: Log, rng: random.Random) -> Log | None:
    """A card is missing in the new stock, or has become another."""
    index = pick(rng, where(log, "reshuffle"))
    if index is None:
        return None
    first, *stock = log[index]["stock"]
    other = "4S" if first != "4S" else "5S"
    return edit(log, index, stock=rng.choice((stock, [other, *stock])))


@corruption("CARDS")
def new_stock_in_another_order(log: Log, rng: random.Random) -> Log | None:
    """Another card lies on top of the new stock than is drawn."""
    index = pick(rng, where(log, "reshuffle"))
    if index is None:
        return None
    stock = list(log[index]["stock"])
    other = next((place for place, card in enumerate(stock) if card != stock[0]), 0)
    stock[0], stock[other] = stock[other], stock[0]
    return edit(log, index, stock=stock)


@corruption("LOB-13")
def takes_after_a_reshuffle(log: Log, rng: random.Random) -> Log | None:
    """The discards are shuffled, and the top one is taken."""
    index = pick(rng, where(log, "reshuffle"))
    if index is None:
        return None
    return replace(log, index + 1, plain(log[index], "take_discard", log[index - 1]["cards"]))


@corruption("LOB-13")
def fourth_reshuffle(log: Log, rng: random.Random) -> Log | None:
    """The discards are shuffled once more."""
    if log[-1]["reason"] != "no_winner":
        return None
    return insert(log, len(log) - 1, plain(place_after(log), "reshuffle", stock=["4S", "5S"]))


@corruption("LOB-03", "LOB-13")
def draws_from_nothing(log: Log, rng: random.Random) -> Log | None:
    """A card is drawn when none is left."""
    if log[-1]["reason"] != "no_winner":
        return None
    card = rng.choice((log[0]["exposed"], "4S"))
    return insert(log, len(log) - 1, plain(place_after(log), "draw", [card]))


@corruption("LOB-13")
def discards_without_a_draw_at_the_end(log: Log, rng: random.Random) -> Log | None:
    """Nothing is left to draw, and the player just discards."""
    if log[-1]["reason"] != "no_winner":
        return None
    return insert(log, len(log) - 1, plain(place_after(log), "discard", ["4S"], from_meld=None))


def cut_before(log: Log, turn: int, reason: str) -> Log:
    """The round ends when this turn begins."""
    return [*(event for event in log[:-1] if event.get("turn", 0) < turn), {**log[-1], "turn": turn, "reason": reason}]


@corruption("LOB-13")
def ends_early(log: Log, rng: random.Random) -> Log | None:
    """The round ends while cards can be drawn and nobody is out."""
    turn = pick(rng, sorted({log[index]["turn"] for index in where(log, "draw")} - {1}))
    return None if turn is None else cut_before(log, turn, "no_winner")


@corruption("LOB-13")
def ends_instead_of_a_reshuffle(log: Log, rng: random.Random) -> Log | None:
    """The round ends though the discards can be shuffled."""
    index = pick(rng, where(log, "reshuffle"))
    return None if index is None else cut_before(log, log[index]["turn"], "no_winner")


@corruption("LOB-13")
def ends_within_a_turn(log: Log, rng: random.Random) -> Log | None:
    """The round ends before a discard."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else [*log[:index], {**log[-1], "turn": log[index]["turn"], "reason": "no_winner"}]


@corruption("LOB-12")
def ends_without_going_out(log: Log, rng: random.Random) -> Log | None:
    """The round ends as if somebody had gone out."""
    turn = pick(rng, sorted({log[index]["turn"] for index in where(log, "draw")} - {1}))
    if turn is None or any(log[index]["turn"] == turn for index in where(log, "reshuffle")):
        return None
    return cut_before(log, turn, "went_out")


@corruption("LOB-12", "LOB-13", "LOB-17")
def wrong_reason(log: Log, rng: random.Random) -> Log | None:
    """Another end reason."""
    reasons = [reason for reason in ("went_out", "no_winner", "cap") if reason != log[-1]["reason"]]
    return edit(log, len(log) - 1, reason=rng.choice(reasons))


@corruption("LOG")
def wrong_number_of_turns(log: Log, rng: random.Random) -> Log | None:
    """The last turn's number is off by one."""
    return edit(log, len(log) - 1, turn=log[-1]["turn"] + rng.choice((-1, 1)))


# ---------------------------------------------------------------- LOB-17: the cap


@corruption("LOB-17")
def cap_too_early(log: Log, rng: random.Random) -> Log | None:
    """The round is given up before a thousand turns."""
    turn = pick(rng, sorted({log[index]["turn"] for index in where(log, "draw")} - {1}))
    if turn is None or any(log[index]["turn"] == turn for index in where(log, "reshuffle")):
        return None
    return cut_before(log, turn, "cap")


@corruption("LOB-17")
def plays_on_after_the_cap(log: Log, rng: random.Random) -> Log | None:
    """A turn follows the thousandth."""
    if log[-1]["reason"] != "cap":
        return None
    return insert(log, len(log) - 1, plain(place_after(log), "draw", ["4S"]))


# ---------------------------------------------------------------- LOB-15: everything at once


@corruption("LOB-15")
def at_once_or_not(log: Log, rng: random.Random) -> Log | None:
    """Going out step by step counts as all at once, or the other way round."""
    index = pick(rng, where(log, "go_out"))
    return None if index is None else edit(log, index, all_at_once=not log[index]["all_at_once"])


@corruption("LOB-15")
def scored_at_once_or_not(log: Log, rng: random.Random) -> Log | None:
    """So it is in the score too."""
    index = pick(rng, where(log, "go_out"))
    if index is None:
        return None
    at_once, detail = log[index]["all_at_once"], lines_of(log)
    for seat, lines in enumerate(detail):
        lines["factor"] = 1 if at_once else 2
        lines["hand"] = lines["hand"] // 2 if at_once else 2 * lines["hand"]
        lines["bonus"] = 20 if not at_once and seat == log[index]["seat"] else 0
        lines["total"] = lines["hand"] + lines["bonus"]
    return with_end(edit(log, index, all_at_once=not at_once), detail)


@corruption("LOB-15")
def not_counted_double(log: Log, rng: random.Random) -> Log | None:
    """One loser counts his hand once."""
    seat = pick(rng, seats_with(log, lambda lines: lines["factor"] == 2 and lines["hand"] < 0))
    if seat is None:
        return None
    detail = lines_of(log)
    detail[seat]["hand"] //= 2
    detail[seat]["total"] //= 2
    return with_end(log, detail)


@corruption("LOB-15")
def counted_double(log: Log, rng: random.Random) -> Log | None:
    """The hands count double though nobody laid everything at once."""
    detail = lines_of(log)
    if detail[0]["factor"] == 2:
        return None
    for lines in detail:
        lines.update(factor=2, hand=2 * lines["hand"], total=2 * lines["hand"])
    return with_end(log, detail)


@corruption("LOB-15")
def bonus_left_out(log: Log, rng: random.Random) -> Log | None:
    """Laying everything at once brings nothing."""
    seat = pick(rng, seats_with(log, lambda lines: lines["bonus"] == 20))
    if seat is None:
        return None
    detail = lines_of(log)
    detail[seat].update(bonus=0, total=0)
    return with_end(log, detail)


@corruption("LOB-15")
def bonus_for_nothing(log: Log, rng: random.Random) -> Log | None:
    """A seat gets 20 that it has not earned."""
    seat = rng.choice(seats_with(log, lambda lines: lines["bonus"] == 0))
    detail = lines_of(log)
    detail[seat]["bonus"] = 20
    detail[seat]["total"] += 20
    return with_end(log, detail)


# ---------------------------------------------------------------- LOB-14: what is left


@corruption(*SCORE)
def wrong_hand(log: Log, rng: random.Random) -> Log | None:
    """The line `hand`."""
    return change_line(log, rng, "hand")


@corruption("LOB-15")
def wrong_factor(log: Log, rng: random.Random) -> Log | None:
    """The line `factor`."""
    return change_line(log, rng, "factor")


@corruption("LOB-15")
def wrong_bonus(log: Log, rng: random.Random) -> Log | None:
    """The line `bonus`."""
    return change_line(log, rng, "bonus")


@corruption("LOB-14")
def wrong_total(log: Log, rng: random.Random) -> Log | None:
    """The line `total`."""
    return change_line(log, rng, "total")


@corruption("LOB-14")
def wrong_score(log: Log, rng: random.Random) -> Log | None:
    """The scores are not the totals."""
    scores = log[-1]["scores"]
    changed = [scores[0] + 5, *scores[1:]]
    return edit(log, len(log) - 1, scores=rng.choice((changed, scores[:-1], [*scores, 0], [])))


@corruption(*SCORE)
def positive_points(log: Log, rng: random.Random) -> Log | None:
    """A hand counts for its owner."""
    seat = pick(rng, seats_with(log, lambda lines: lines["hand"] < 0))
    if seat is None:
        return None
    detail = lines_of(log)
    detail[seat].update(hand=-detail[seat]["hand"], total=-detail[seat]["total"])
    return with_end(log, detail)


@corruption(*SCORE)
def seats_exchanged(log: Log, rng: random.Random) -> Log | None:
    """Two seats get each other's score."""
    detail = lines_of(log)
    pairs = [(one, other) for one in range(len(detail)) for other in range(one) if detail[one] != detail[other]]
    pair = pick(rng, pairs)
    if pair is None:
        return None
    detail[pair[0]], detail[pair[1]] = detail[pair[1]], detail[pair[0]]
    return with_end(log, detail)


def hands_left(log: Log) -> list[list[str]]:
    """The hands when the round is over."""
    hands: list[list[str]] = [list(hand) for hand in log[0]["hands"]]
    for spot in spots(log):
        hand = list(spot.hand)
        if spot.name in ("draw", "take_discard"):
            hand += spot.event["cards"]
        elif spot.name in ("meld", "extend") or (spot.name == "discard" and spot.event["from_meld"] is None):
            for card in spot.event["cards"]:
                hand.remove(card)
        hands[spot.event["seat"]] = hand
    return hands


def counted_otherwise(log: Log, rng: random.Random, letters: str, change: int) -> Log | None:
    """Cards of one rank in one hand count that much less."""
    found = []
    for seat, hand in enumerate(hands_left(log)):
        count = sum(1 for card in hand if card != JOKER and rank_of(card) in letters)
        count = hand.count(JOKER) if letters == JOKER else count
        if count:
            found.append((seat, count))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    detail = lines_of(log)
    seat, count = chosen
    detail[seat]["hand"] += change * count * detail[seat]["factor"]
    detail[seat]["total"] += change * count * detail[seat]["factor"]
    return with_end(log, detail)


@corruption(*SCORE)
def aces_count_one(log: Log, rng: random.Random) -> Log | None:
    """Aces in hand count 1."""
    return counted_otherwise(log, rng, "A", 14)


@corruption(*SCORE)
def jokers_count_nothing(log: Log, rng: random.Random) -> Log | None:
    """Jokers in hand count 0."""
    return counted_otherwise(log, rng, JOKER, 15)


@corruption(*SCORE)
def pictures_count_five(log: Log, rng: random.Random) -> Log | None:
    """Jacks, Queens and Kings in hand count 5."""
    return counted_otherwise(log, rng, "JQK", 5)


@corruption("LOB-14")
def nobody_counts(log: Log, rng: random.Random) -> Log | None:
    """LOB-13: without a winner nobody counts his hand."""
    if log[-1]["reason"] == "went_out":
        return None
    return with_end(log, [{**lines, "hand": 0, "total": 0} for lines in lines_of(log)])


@corruption(*SCORE)
def who_is_out_counts(log: Log, rng: random.Random) -> Log | None:
    """LOB-16: a player who is out gets points."""
    seat = pick(rng, [seat for seat, hand in enumerate(log[0]["hands"]) if not hand])
    if seat is None:
        return None
    detail = lines_of(log)
    detail[seat].update(hand=-30, total=-30)
    return with_end(log, detail)


@corruption("LOG")
def score_line_malformed(log: Log, rng: random.Random) -> Log | None:
    """A line is missing, unknown or not an integer, or a seat has none."""
    first, *others = lines_of(log)
    change = rng.choice(("missing", "unknown", "float", "seat"))
    if change == "seat":
        return edit(log, len(log) - 1, detail=others)
    if change == "missing":
        del first["bonus"]
    elif change == "unknown":
        first["fines"] = 0
    else:
        return edit(log, len(log) - 1, detail=[{**first, "total": float(first["total"])}, *others])
    return edit(log, len(log) - 1, detail=[first, *others])
