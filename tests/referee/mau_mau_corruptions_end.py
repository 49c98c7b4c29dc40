"""Corruptions of the end of a round of mau-mau: who goes out, why it ends, the score."""

from __future__ import annotations

import random

from tests.referee.cards import rank_of, suit_of
from tests.referee.log_edits import Log, change_line, double_one, drop, drop_one, edit, insert, pick, where
from tests.referee.mau_mau_corruption_tools import SCORE, corruption, is_won, last_play, some_spot
from tests.referee.mau_mau_score import DETAIL_ARTICLES, points

ENDS = ("MAU-08", "MAU-15", "MAU-17")


@corruption("MAU-15")
def go_out_missing(log: Log, rng: random.Random) -> Log | None:
    """Going out is not written down."""
    return drop_one(log, rng, where(log, "go_out"))


@corruption("MAU-15")
def go_out_twice(log: Log, rng: random.Random) -> Log | None:
    """Going out twice."""
    return double_one(log, rng, "go_out")


@corruption("MAU-08")
def void_missing(log: Log, rng: random.Random) -> Log | None:
    """A void round is not said to be."""
    return drop_one(log, rng, where(log, "void"))


@corruption("MAU-08")
def void_twice(log: Log, rng: random.Random) -> Log | None:
    """A round is void once."""
    return double_one(log, rng, "void")


@corruption(*ENDS)
def play_after_the_end(log: Log, rng: random.Random) -> Log | None:
    """Somebody plays on."""
    index = pick(rng, where(log, "play", "unable"))
    return None if index is None else insert(log, len(log) - 1, {**log[index], "turn": log[-1]["turn"] + 1})


@corruption(*ENDS)
def end_too_early(log: Log, rng: random.Random) -> Log | None:
    """The round ends though somebody is in turn."""
    spot = some_spot(log, rng, lambda spot: spot.is_boundary)
    return None if spot is None else drop(log, spot.index, len(log) - 1 - spot.index)


@corruption(*ENDS)
def another_reason(log: Log, rng: random.Random) -> Log | None:
    """The round ends for another reason."""
    others = [reason for reason in ("went_out", "void", "cap") if reason != log[-1]["reason"]]
    return edit(log, len(log) - 1, reason=rng.choice(others))


@corruption("LOG")
def reason_that_does_not_exist(log: Log, rng: random.Random) -> Log | None:
    """The reason of another game."""
    return edit(log, len(log) - 1, reason=rng.choice(("batida", "stock_out", "", None)))


@corruption("LOG")
def turns_miscounted(log: Log, rng: random.Random) -> Log | None:
    """One turn more or less."""
    return edit(log, len(log) - 1, turn=log[-1]["turn"] + (1 if log[-1]["turn"] == 1 else rng.choice((-1, 1))))


# ---------------------------------------------------------------- the score


@corruption("LOG")
def seat_without_detail(log: Log, rng: random.Random) -> Log | None:
    """A seat's score is missing."""
    return edit(log, len(log) - 1, detail=log[-1]["detail"][:-1])


@corruption("LOG")
def detail_of_no_seat(log: Log, rng: random.Random) -> Log | None:
    """A score too many."""
    return edit(log, len(log) - 1, detail=[*log[-1]["detail"], log[-1]["detail"][0]])


@corruption("LOG")
def line_missing(log: Log, rng: random.Random) -> Log | None:
    """A line of the score is missing."""
    gone = rng.choice(list(DETAIL_ARTICLES))
    first, *others = log[-1]["detail"]
    return edit(log, len(log) - 1, detail=[{name: first[name] for name in first if name != gone}, *others])


@corruption("LOG")
def line_too_many(log: Log, rng: random.Random) -> Log | None:
    """A line that the game does not have."""
    first, *others = log[-1]["detail"]
    return edit(log, len(log) - 1, detail=[{**first, "batida": 0}, *others])


@corruption("LOG")
def broken_points(log: Log, rng: random.Random) -> Log | None:
    """Points that are no whole number."""
    first, *others = log[-1]["detail"]
    return edit(log, len(log) - 1, detail=[{**first, "hand": float(first["hand"])}, *others])


@corruption("MAU-08", "MAU-17", "MAU-18", "MAU-19")
def hand_miscounted(log: Log, rng: random.Random) -> Log | None:
    """The cards left are worth something else."""
    return change_line(log, rng, "hand")


@corruption("MAU-08", "MAU-17", "MAU-18")
def factor_miscounted(log: Log, rng: random.Random) -> Log | None:
    """Another factor."""
    return change_line(log, rng, "factor")


@corruption("MAU-06", "MAU-08", "MAU-17", "MAU-19")
def fines_miscounted(log: Log, rng: random.Random) -> Log | None:
    """A seat's fines are others."""
    return change_line(log, rng, "fines")


@corruption("MAU-06", "MAU-08", "MAU-17", "MAU-19")
def fines_won_miscounted(log: Log, rng: random.Random) -> Log | None:
    """The fines credited are others."""
    return change_line(log, rng, "fines_won")


@corruption("MAU-08", "MAU-17", "MAU-19")
def collected_miscounted(log: Log, rng: random.Random) -> Log | None:
    """The points credited are others."""
    return change_line(log, rng, "collected")


@corruption("MAU-08", "MAU-17", "MAU-18", "MAU-19")
def total_miscounted(log: Log, rng: random.Random) -> Log | None:
    """The total is not the sum."""
    return change_line(log, rng, "total")


@corruption("MAU-18")
def scores_are_not_the_totals(log: Log, rng: random.Random) -> Log | None:
    """A score that is no total, or a score too few."""
    first, *others = log[-1]["scores"]
    return edit(log, len(log) - 1, scores=rng.choice(([first + 5, *others], others)))


def with_hands(log: Log, hands: dict[int, int], **lines: int) -> Log:
    """The score with other hands, totals and scores to match, and lines that are the same for every seat."""
    detail = []
    for seat, line in enumerate(log[-1]["detail"]):
        now = {**line, **lines, "hand": hands.get(seat, line["hand"])}
        detail.append({**now, "total": now["hand"] + now["fines"] + now["fines_won"] + now["collected"]})
    return edit(log, len(log) - 1, detail=detail, scores=[line["total"] for line in detail])


def multiplied(log: Log, times: float) -> Log:
    """The score with another factor, everything else to match."""
    detail = log[-1]["detail"]
    hands = {seat: round(line["hand"] * times) for seat, line in enumerate(detail)}
    return with_hands(log, hands, factor=round(detail[0]["factor"] * times))


def pays(log: Log) -> bool:
    """A round that was won, the losers paying."""
    return is_won(log) and not log[0]["options"]["winner_collects"]


@corruption("MAU-18")
def jack_does_not_double(log: Log, rng: random.Random) -> Log | None:
    """Winning with a Jack counts single, or with two double."""
    won = pays(log) and rank_of(log[last_play(log)]["cards"][-1]) == "J"
    return multiplied(log, 0.5) if won else None


@corruption("MAU-18")
def spades_do_not_double(log: Log, rng: random.Random) -> Log | None:
    """A start card of spades counts like any other."""
    return multiplied(log, 0.5) if pays(log) and suit_of(log[0]["start_card"]) == "S" else None


@corruption("MAU-18")
def doubled_for_nothing(log: Log, rng: random.Random) -> Log | None:
    """Points are doubled without a Jack or a spade."""
    return multiplied(log, 2) if pays(log) and log[-1]["detail"][0]["factor"] == 1 else None


@corruption("MAU-08", "MAU-17")
def void_round_multiplied(log: Log, rng: random.Random) -> Log | None:
    """A void or capped round knows no factor."""
    return None if is_won(log) else multiplied(log, 2)


@corruption("MAU-06")
def fines_multiplied(log: Log, rng: random.Random) -> Log | None:
    """Fines are not multiplied."""
    factor = log[-1]["detail"][0]["factor"]
    if not pays(log) or factor == 1 or not any(line["fines"] for line in log[-1]["detail"]):
        return None
    detail = [
        {**line, "fines": factor * line["fines"], "fines_won": factor * line["fines_won"]} for line in log[-1]["detail"]
    ]
    return with_hands(edit(log, len(log) - 1, detail=detail), {})


@corruption("MAU-08", "MAU-17")
def fines_kept_in_a_void_round(log: Log, rng: random.Random) -> Log | None:
    """A void or capped round cancels the fines."""
    seat = pick(rng, sorted({log[i]["seat"] for i in where(log, "unable") if log[i]["fine"]}))
    if is_won(log) or seat is None:
        return None
    detail = [dict(line) for line in log[-1]["detail"]]
    detail[seat]["fines"] = -50
    return with_hands(edit(log, len(log) - 1, detail=detail), {})


@corruption("MAU-06", "MAU-19")
def fines_lost(log: Log, rng: random.Random) -> Log | None:
    """The winner is not credited with the fines."""
    detail = [dict(line) for line in log[-1]["detail"]]
    if not any(line["fines_won"] for line in detail):
        return None
    return with_hands(edit(log, len(log) - 1, detail=[{**line, "fines_won": 0} for line in detail]), {})


@corruption("MAU-18", "MAU-19")
def points_for_the_winner(log: Log, rng: random.Random) -> Log | None:
    """The winner has no cards to count."""
    if not is_won(log):
        return None
    return with_hands(log, {log[-2]["seat"]: -points(log[last_play(log)]["cards"])})


@corruption(*SCORE)
def scores_of_other_seats(log: Log, rng: random.Random) -> Log | None:
    """Two seats with each other's score."""
    first, second, *others = log[-1]["detail"]
    scores = [line["total"] for line in (second, first, *others)]
    return None if first == second else edit(log, len(log) - 1, detail=[second, first, *others], scores=scores)
