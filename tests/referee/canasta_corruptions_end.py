"""Corruptions of going out, of the end of the hand and of the score of Canasta."""

from __future__ import annotations

import random

from tests.referee.canasta_corruption_tools import SCORE, corruption, some_spot
from tests.referee.cards import is_red_three
from tests.referee.log_edits import (
    Log,
    change_line,
    drop,
    edit,
    insert,
    pick,
    plain,
    turn_draws,
    where,
    with_options,
)

# ---------------------------------------------------------------- KAN-14, KAN-15: going out


@corruption("KAN-13", "KAN-14")
def goes_out_with_cards_in_hand(log: Log, rng: random.Random) -> Log | None:
    """A player goes out instead of discarding, with cards in hand."""
    index = pick(rng, [i for i in where(log, "discard") if log[i + 1]["event"] != "go_out"])
    return None if index is None else edit(log, index, event="go_out", cards=[], concealed=False)


@corruption("KAN-14")
def goes_out_after_a_discard(log: Log, rng: random.Random) -> Log | None:
    """A player who keeps a card says that he is out."""
    index = pick(rng, [i for i in where(log, "discard") if log[i + 1]["event"] not in ("go_out", "end")])
    if index is None:
        return None
    event = plain(log[index], "go_out", concealed=False)
    return [*log[: index + 1], event, {**log[-1], "turn": log[index]["turn"], "reason": "went_out"}]


@corruption("KAN-14")
def too_few_canastas(log: Log, rng: random.Random) -> Log | None:
    """Under canastas_to_go_out=2 one is not enough."""
    spot = some_spot(log, rng, lambda spot: spot.name == "go_out" and spot.canastas < 2)
    return None if spot is None else with_options(log, canastas_to_go_out=2)


@corruption("KAN-14")
def nobody_asks(log: Log, rng: random.Random) -> Log | None:
    """The partner is asked where nobody asks."""
    return with_options(log, ask_partner=False) if where(log, "ask") else None


@corruption("KAN-14")
def other_answer(log: Log, rng: random.Random) -> Log | None:
    """The player goes out against a no, or does not after a yes."""
    index = pick(rng, where(log, "ask"))
    if index is None:
        return None
    out = any(event["event"] == "go_out" and event["turn"] == log[index]["turn"] for event in log[index:])
    return edit(log, index, answer=not log[index]["answer"]) if out == log[index]["answer"] else None


@corruption("KAN-14")
def asks_twice(log: Log, rng: random.Random) -> Log | None:
    """The partner is asked again, at once or in a later turn."""
    index = pick(rng, where(log, "ask"))
    if index is None:
        return None
    seat, turn = log[index]["seat"], log[index]["turn"]
    later = [i + 1 for i in turn_draws(log) if log[i]["seat"] == seat and log[i]["turn"] > turn]
    later = [i for i in later if log[i]["event"] in ("meld", "extend", "discard")]
    place = rng.choice([index + 1, *later])
    return insert(log, place, plain(log[place - 1], "ask", answer=False))


@corruption("KAN-14")
def asks_after_melding(log: Log, rng: random.Random) -> Log | None:
    """The partner is asked when the player has melded."""
    index = pick(rng, where(log, "meld", "extend"))
    if index is None or log[index + 1]["event"] == "go_out" or log[index]["turn"] == log[-1]["turn"]:
        return None
    asked = with_options(log, ask_partner=True)
    return insert(asked, index + 1, plain(log[index], "ask", answer=False))


@corruption("KAN-15")
def concealed_or_not(log: Log, rng: random.Random) -> Log | None:
    """Going out openly counts as concealed, or the other way round."""
    index = pick(rng, where(log, "go_out"))
    return None if index is None else edit(log, index, concealed=not log[index]["concealed"])


@corruption("KAN-14", "KAN-15")
def wrong_points_for_going_out(log: Log, rng: random.Random) -> Log | None:
    """200 for 100, 100 for 200, or for nothing."""
    detail = [dict(lines) for lines in log[-1]["detail"]]
    lines = rng.choice(detail)
    change = {0: 100, 100: 100, 200: -100}[lines["going_out"]]
    lines["going_out"] += change
    lines["total"] += change
    return edit(log, len(log) - 1, detail=detail, scores=[lines["total"] for lines in detail])


# ---------------------------------------------------------------- KAN-16: the end of the hand


@corruption("KAN-05", "KAN-16")
def ends_early(log: Log, rng: random.Random) -> Log | None:
    """The hand ends while cards are left and nobody is out."""
    turn = pick(rng, sorted({log[index]["turn"] for index in turn_draws(log)} - {1}))
    if turn is None:
        return None
    end = {**log[-1], "turn": turn, "reason": "stock_out"}
    return [*(event for event in log[:-1] if event.get("turn", 0) < turn), end]


@corruption("KAN-16")
def ends_within_a_turn(log: Log, rng: random.Random) -> Log | None:
    """The hand ends before a discard."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else [*log[:index], {**log[-1], "turn": log[index]["turn"], "reason": "stock_out"}]


@corruption("KAN-16")
def draws_from_nothing(log: Log, rng: random.Random) -> Log | None:
    """A card is drawn when none is left."""
    if log[-1]["reason"] != "stock_out":
        return None
    turn = log[-1]["turn"]
    end = len(log) - 1 if log[-2]["event"] != "decline_pile" else len(log) - 2
    place = {"turn": turn, "seat": (log[0]["first"] + turn - 1) % 4}
    return insert(log, end, plain(place, "draw", ["7S"], why="turn"))


@corruption("KAN-16")
def declines_early(log: Log, rng: random.Random) -> Log | None:
    """The pile is declined while a card can be drawn."""
    index = pick(rng, turn_draws(log))
    return None if index is None else insert(log, index, plain(log[index], "decline_pile"))


@corruption("KAN-16")
def declines_what_he_cannot_take(log: Log, rng: random.Random) -> Log | None:
    """The pile is declined by a player who could not take it."""
    if log[-1]["reason"] != "stock_out" or log[-2]["event"] == "decline_pile":
        return None
    turn = log[-1]["turn"]
    place = {"turn": turn, "seat": (log[0]["first"] + turn - 1) % 4}
    return insert(log, len(log) - 1, plain(place, "decline_pile"))


@corruption("KAN-16")
def does_not_decline(log: Log, rng: random.Random) -> Log | None:
    """A player who could take the pile just ends the hand."""
    index = pick(rng, where(log, "decline_pile"))
    return None if index is None else drop(log, index)


@corruption("KAN-16")
def declines_what_he_must_take(log: Log, rng: random.Random) -> Log | None:
    """With an empty stock an unfrozen pile that fits a meld is not taken."""

    def obliged(index: int) -> bool:
        later = any(event["event"] == "draw" for event in log[index:])
        return not later and log[index + 1]["event"] == "extend" and len(log[index + 1]["cards"]) == 1

    index = pick(rng, [i for i in where(log, "take_pile") if obliged(i)])
    if index is None:
        return None
    end = {**log[-1], "turn": log[index]["turn"], "reason": "stock_out"}
    return rng.choice(([*log[:index], end], [*log[:index], plain(log[index], "decline_pile"), end]))


@corruption("KAN-16")
def goes_on_after_the_last_red_three(log: Log, rng: random.Random) -> Log | None:
    """The last card of the stock is a red three, and the player goes on."""
    if log[-1]["reason"] != "red_three_last":
        return None
    name = rng.choice(("discard", "meld", "take_pile"))
    fields = {"meld": 0, "now": ["4S"]} if name == "meld" else {}
    return insert(log, len(log) - 1, plain(log[-2], name, ["4S"], **fields))


@corruption("KAN-05")
def last_red_three_not_laid(log: Log, rng: random.Random) -> Log | None:
    """The hand ends with the draw of the last red three."""
    return drop(log, len(log) - 2) if log[-1]["reason"] == "red_three_last" else None


@corruption("KAN-14", "KAN-16")
def wrong_reason(log: Log, rng: random.Random) -> Log | None:
    """Another end reason."""
    reasons = [reason for reason in ("went_out", "stock_out", "red_three_last") if reason != log[-1]["reason"]]
    return edit(log, len(log) - 1, reason=rng.choice(reasons))


@corruption("LOG")
def wrong_number_of_turns(log: Log, rng: random.Random) -> Log | None:
    """The last turn's number is off by one."""
    return edit(log, len(log) - 1, turn=log[-1]["turn"] + rng.choice((-1, 1)))


# ---------------------------------------------------------------- the score


@corruption("KAN-14", "KAN-15")
def wrong_going_out(log: Log, rng: random.Random) -> Log | None:
    """The line `going_out`."""
    return change_line(log, rng, "going_out")


@corruption("KAN-18")
def wrong_natural_canastas(log: Log, rng: random.Random) -> Log | None:
    """The line `natural_canastas`."""
    return change_line(log, rng, "natural_canastas")


@corruption("KAN-18")
def wrong_mixed_canastas(log: Log, rng: random.Random) -> Log | None:
    """The line `mixed_canastas`."""
    return change_line(log, rng, "mixed_canastas")


@corruption("KAN-18")
def wrong_red_threes(log: Log, rng: random.Random) -> Log | None:
    """The line `red_threes`."""
    return change_line(log, rng, "red_threes")


@corruption("KAN-19")
def wrong_melded_cards(log: Log, rng: random.Random) -> Log | None:
    """The line `melded_cards`."""
    return change_line(log, rng, "melded_cards")


@corruption("KAN-19")
def wrong_cards_in_hand(log: Log, rng: random.Random) -> Log | None:
    """The line `cards_in_hand`."""
    return change_line(log, rng, "cards_in_hand")


@corruption("KAN-19")
def wrong_total(log: Log, rng: random.Random) -> Log | None:
    """The line `total`."""
    return change_line(log, rng, "total")


@corruption("KAN-19")
def wrong_score(log: Log, rng: random.Random) -> Log | None:
    """The scores are not the totals."""
    first, second = log[-1]["scores"]
    return edit(log, len(log) - 1, scores=rng.choice(([first + 5, second], [first], [second, first + 20], [])))


@corruption(*SCORE)
def sides_exchanged(log: Log, rng: random.Random) -> Log | None:
    """Each side gets the other's score."""
    end = log[-1]
    if end["detail"][0] == end["detail"][1]:
        return None
    return edit(log, len(log) - 1, scores=end["scores"][::-1], detail=end["detail"][::-1])


@corruption("KAN-18")
def mixed_counts_as_natural(log: Log, rng: random.Random) -> Log | None:
    """A mixed canasta counts 500."""
    mixed = [side for side in (0, 1) if log[-1]["detail"][side]["mixed_canastas"]]
    side = pick(rng, mixed)
    if side is None:
        return None
    detail = [dict(lines) for lines in log[-1]["detail"]]
    detail[side]["mixed_canastas"] -= 300
    detail[side]["natural_canastas"] += 500
    detail[side]["total"] += 200
    return edit(log, len(log) - 1, detail=detail, scores=[lines["total"] for lines in detail])


@corruption("KAN-18")
def red_threes_of_the_wrong_sign(log: Log, rng: random.Random) -> Log | None:
    """Red threes count for a side without a meld, or against one with."""
    side = pick(rng, [side for side in (0, 1) if log[-1]["detail"][side]["red_threes"]])
    if side is None:
        return None
    detail = [dict(lines) for lines in log[-1]["detail"]]
    worth = detail[side]["red_threes"]
    detail[side]["red_threes"] = -worth
    detail[side]["total"] -= 2 * worth
    return edit(log, len(log) - 1, detail=detail, scores=[lines["total"] for lines in detail])


@corruption("KAN-18")
def four_red_threes_at_100(log: Log, rng: random.Random) -> Log | None:
    """All four red threes count 400."""
    side = pick(rng, [side for side in (0, 1) if abs(log[-1]["detail"][side]["red_threes"]) == 800])
    if side is None:
        return None
    detail = [dict(lines) for lines in log[-1]["detail"]]
    half = detail[side]["red_threes"] // 2
    detail[side]["red_threes"] = half
    detail[side]["total"] -= half
    return edit(log, len(log) - 1, detail=detail, scores=[lines["total"] for lines in detail])


@corruption("KAN-18")
def unplayed_red_three_not_counted(log: Log, rng: random.Random) -> Log | None:
    """KAN-05: red threes of a first turn that never came are left out."""
    played = {event["seat"] for event in log[1:-1]}
    left = [(seat, hand) for seat, hand in enumerate(log[0]["hands"]) if seat not in played]
    found = [seat for seat, hand in left if any(map(is_red_three, hand))]
    if not found:
        return None
    detail = [dict(lines) for lines in log[-1]["detail"]]
    detail[found[0] % 2]["red_threes"] = 0
    return edit(log, len(log) - 1, detail=detail)


@corruption("LOG")
def score_line_malformed(log: Log, rng: random.Random) -> Log | None:
    """A line is missing, unknown or not an integer."""
    first = dict(log[-1]["detail"][0])
    change = rng.choice(("missing", "unknown", "float"))
    if change == "missing":
        del first["going_out"]
    elif change == "unknown":
        first["bonus"] = 0
    else:
        first["total"] = float(first["total"])
    return edit(log, len(log) - 1, detail=[first, log[-1]["detail"][1]])
