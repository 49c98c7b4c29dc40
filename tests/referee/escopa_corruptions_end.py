"""Corruptions of the end of an Escopa log: the leftover and the score (ESC-08 to ESC-11)."""

from __future__ import annotations

import random

from tests.referee.escopa_corruption_tools import corruption, spots, with_detail
from tests.referee.log_edits import Log, change_line, drop, edit, exchanged, insert, pick, with_options

LINES = ("escopas", "guindis", "diamonds", "sevens", "cards", "few", "primeira")


def leftover_at(log: Log) -> int:
    """Where the leftover stands."""
    return len(log) - 2


def end_at(log: Log) -> int:
    """Where the end stands."""
    return len(log) - 1


# ---------------------------------------------------------------- ESC-09: the leftover


@corruption("ESC-09")
def leftover_left_out(log: Log, rng: random.Random) -> Log | None:
    """Nobody gets the cards left on the table."""
    return drop(log, leftover_at(log))


@corruption("ESC-09")
def leftover_twice(log: Log, rng: random.Random) -> Log | None:
    """The leftover is taken twice."""
    return insert(log, leftover_at(log), log[leftover_at(log)])


@corruption("ESC-09")
def leftover_early(log: Log, rng: random.Random) -> Log | None:
    """The leftover is taken before the last card is played."""
    index = leftover_at(log)
    if log[index - 1]["event"] != "play" or log[index - 2]["event"] != "play":
        return None
    return [*log[: index - 1], {**log[index], "turn": log[index - 1]["turn"]}, log[index - 1], log[index + 1]]


@corruption("ESC-09")
def leftover_to_another_seat(log: Log, rng: random.Random) -> Log | None:
    """The leftover goes to another seat than the one that captured last."""
    index, players = leftover_at(log), log[0]["options"]["players"]
    seat = log[index]["seat"]
    others = [other for other in range(players) if other != seat]
    return edit(log, index, seat=rng.choice(others))


@corruption("ESC-09")
def leftover_to_the_last_player(log: Log, rng: random.Random) -> Log | None:
    """The leftover goes to who played last, though he did not capture last."""
    index = leftover_at(log)
    last = next(event["seat"] for event in reversed(log) if event["event"] == "play")
    return None if last == log[index]["seat"] else edit(log, index, seat=last)


@corruption("ESC-09")
def leftover_to_nobody(log: Log, rng: random.Random) -> Log | None:
    """Somebody captured, and yet nobody gets the leftover."""
    index = leftover_at(log)
    return None if log[index]["seat"] is None else edit(log, index, seat=None)


@corruption("ESC-09")
def leftover_to_somebody(log: Log, rng: random.Random) -> Log | None:
    """Nobody captured, and yet somebody gets the leftover."""
    index = leftover_at(log)
    return edit(log, index, seat=log[0]["dealer"]) if log[index]["seat"] is None else None


@corruption("ESC-09")
def leftover_without_a_card(log: Log, rng: random.Random) -> Log | None:
    """A card stays on the table, or all of them."""
    index = leftover_at(log)
    return edit(log, index, cards=rng.choice((log[index]["cards"][1:], [])))


@corruption("ESC-09")
def leftover_with_a_card_more(log: Log, rng: random.Random) -> Log | None:
    """A card too many, one that was taken before or twice the same."""
    index = leftover_at(log)
    taken = list(spots(log))[-1].taken
    return edit(log, index, cards=[*log[index]["cards"], rng.choice([*taken, log[index]["cards"][0]])])


@corruption("ESC-09")
def leftover_of_other_cards(log: Log, rng: random.Random) -> Log | None:
    """A card of the leftover is one that was taken before."""
    index = leftover_at(log)
    taken = list(spots(log))[-1].taken
    if not taken:
        return None
    cards = log[index]["cards"]
    return edit(log, index, cards=exchanged(cards, rng.choice(cards), rng.choice(taken)))


@corruption("LOG")
def leftover_in_a_turn_of_its_own(log: Log, rng: random.Random) -> Log | None:
    """The leftover bears the number after the last play's, and so does the end."""
    turn = log[-1]["turn"] + 1
    return [*log[:-2], {**log[-2], "turn": turn}, {**log[-1], "turn": turn}]


# ---------------------------------------------------------------- the score, line by line


@corruption("ESC-08", "ESC-10")
def wrong_escopas(log: Log, rng: random.Random) -> Log | None:
    """The line `escopas`."""
    return change_line(log, rng, "escopas")


@corruption("ESC-10")
def wrong_guindis(log: Log, rng: random.Random) -> Log | None:
    """The line `guindis`."""
    return change_line(log, rng, "guindis")


@corruption("ESC-10")
def wrong_diamonds(log: Log, rng: random.Random) -> Log | None:
    """The line `diamonds`."""
    return change_line(log, rng, "diamonds")


@corruption("ESC-10")
def wrong_sevens(log: Log, rng: random.Random) -> Log | None:
    """The line `sevens`."""
    return change_line(log, rng, "sevens")


@corruption("ESC-10")
def wrong_cards(log: Log, rng: random.Random) -> Log | None:
    """The line `cards`."""
    return change_line(log, rng, "cards")


@corruption("ESC-10")
def wrong_few(log: Log, rng: random.Random) -> Log | None:
    """The line `few`."""
    return change_line(log, rng, "few")


@corruption("ESC-11")
def wrong_primeira(log: Log, rng: random.Random) -> Log | None:
    """The line `primeira`."""
    return change_line(log, rng, "primeira")


@corruption("ESC-10")
def wrong_total(log: Log, rng: random.Random) -> Log | None:
    """The line `total`."""
    return change_line(log, rng, "total")


@corruption("ESC-10")
def wrong_scores(log: Log, rng: random.Random) -> Log | None:
    """The scores are not the totals, or not one a side."""
    scores = log[-1]["scores"]
    return edit(log, end_at(log), scores=rng.choice(([scores[0] + 1, *scores[1:]], scores[1:], [*scores, 0], [])))


@corruption("ESC-08", "ESC-10", "ESC-11")
def point_too_many(log: Log, rng: random.Random) -> Log | None:
    """A line has a point too many, and the total too."""
    side, line = rng.randrange(len(log[-1]["detail"])), rng.choice(LINES)
    return with_detail(log, side, **{line: log[-1]["detail"][side][line] + 1})


@corruption("ESC-08", "ESC-10", "ESC-11")
def sides_exchanged(log: Log, rng: random.Random) -> Log | None:
    """Two sides get each other's score."""
    detail = log[-1]["detail"]
    if detail[0] == detail[1]:
        return None
    detail = [detail[1], detail[0], *detail[2:]]
    return edit(log, end_at(log), detail=detail, scores=[lines["total"] for lines in detail])


def sides_with(log: Log, line: str, *points: int) -> list[int]:
    """The sides whose line has one of these values."""
    return [side for side, lines in enumerate(log[-1]["detail"]) if lines[line] in points]


def moved(log: Log, rng: random.Random, line: str) -> Log | None:
    """The points of one line go from the side that has them to another."""
    detail = log[-1]["detail"]
    side = pick(rng, [side for side, lines in enumerate(detail) if lines[line]])
    if side is None:
        return None
    other = rng.choice([other for other in range(len(detail)) if other != side])
    if detail[other][line] == detail[side][line]:
        return None
    points = detail[side][line]
    return with_detail(with_detail(log, side, **{line: detail[other][line]}), other, **{line: points})


@corruption("ESC-08", "ESC-10")
def escopas_to_the_other_side(log: Log, rng: random.Random) -> Log | None:
    """The escopas count for another side."""
    return moved(log, rng, "escopas")


@corruption("ESC-10")
def guindis_to_the_other_side(log: Log, rng: random.Random) -> Log | None:
    """The point of the seven of diamonds goes to another side."""
    return moved(log, rng, "guindis")


@corruption("ESC-10")
def diamonds_to_the_other_side(log: Log, rng: random.Random) -> Log | None:
    """The point of the diamonds goes to another side."""
    return moved(log, rng, "diamonds")


@corruption("ESC-10")
def sevens_to_the_other_side(log: Log, rng: random.Random) -> Log | None:
    """The point of the sevens goes to another side."""
    return moved(log, rng, "sevens")


@corruption("ESC-10")
def cards_to_the_other_side(log: Log, rng: random.Random) -> Log | None:
    """The point of the cards goes to another side."""
    return moved(log, rng, "cards")


@corruption("ESC-10")
def few_to_the_other_side(log: Log, rng: random.Random) -> Log | None:
    """The two points go to the side that took few cards."""
    return moved(log, rng, "few")


@corruption("ESC-11")
def primeira_to_the_other_side(log: Log, rng: random.Random) -> Log | None:
    """The primeira goes to another side."""
    return moved(log, rng, "primeira")


def tie_broken(log: Log, rng: random.Random, line: str) -> Log | None:
    """A point of a majority that nobody has goes to somebody."""
    detail = log[-1]["detail"]
    if any(lines[line] for lines in detail):
        return None
    return with_detail(log, rng.randrange(len(detail)), **{line: 1})


@corruption("ESC-10")
def equal_diamonds_count(log: Log, rng: random.Random) -> Log | None:
    """A point for as many diamonds as another side has."""
    return tie_broken(log, rng, "diamonds")


@corruption("ESC-10")
def equal_sevens_count(log: Log, rng: random.Random) -> Log | None:
    """A point for as many sevens as another side has."""
    return tie_broken(log, rng, "sevens")


@corruption("ESC-10")
def equal_cards_count(log: Log, rng: random.Random) -> Log | None:
    """A point for as many cards as another side has."""
    return tie_broken(log, rng, "cards")


@corruption("ESC-10")
def few_among_three(log: Log, rng: random.Random) -> Log | None:
    """Two points between three sides."""
    detail = log[-1]["detail"]
    return with_detail(log, rng.randrange(3), few=2) if len(detail) == 3 else None


@corruption("ESC-10")
def few_although_there_were_ten(log: Log, rng: random.Random) -> Log | None:
    """Two points although the opponents took ten cards."""
    side = pick(rng, sides_with(log, "few", 0))
    return None if side is None or len(log[-1]["detail"]) == 3 else with_detail(log, side, few=2)


@corruption("ESC-10")
def all_diamonds_count_as_most(log: Log, rng: random.Random) -> Log | None:
    """All ten diamonds bring the point for the most."""
    side = pick(rng, sides_with(log, "diamonds", 2, 3))
    return None if side is None else with_detail(log, side, diamonds=1)


@corruption("ESC-10")
def all_sevens_count_as_most(log: Log, rng: random.Random) -> Log | None:
    """All four sevens bring the point for the most."""
    side = pick(rng, sides_with(log, "sevens", 3, 4))
    return None if side is None else with_detail(log, side, sevens=1)


@corruption("ESC-10")
def all_in_place_of_most_or_not(log: Log, rng: random.Random) -> Log | None:
    """All the sevens, or diamonds, replace the most where they add to it, or the other way round."""
    if not sides_with(log, "sevens", 3, 4) and not sides_with(log, "diamonds", 2, 3):
        return None
    return with_options(log, all_replaces_most=not log[0]["options"]["all_replaces_most"])


@corruption("ESC-11")
def primeira_for_its_value_or_not(log: Log, rng: random.Random) -> Log | None:
    """The primeira brings the value of the four of a kind where it is a point, or the other way round."""
    other = {"quartet": "quartet_points", "quartet_points": "quartet"}.get(log[0]["options"]["primeira"])
    won = [points for lines in log[-1]["detail"] if (points := lines["primeira"])]
    return with_options(log, primeira=other) if other and won else None


@corruption("ESC-11")
def primeira_without_a_quartet(log: Log, rng: random.Random) -> Log | None:
    """A side wins the primeira although nobody does."""
    if sides_with(log, "primeira", *range(1, 12)):
        return None
    return with_detail(log, rng.randrange(len(log[-1]["detail"])), primeira=1)


@corruption("ESC-08")
def pairs_counted_once(log: Log, rng: random.Random) -> Log | None:
    """ESC-08: two pairs of the dealer's take count as one escopa."""
    if log[1]["event"] != "dealer_take" or not log[0]["options"]["dealer_escopas"]:
        return None
    sides = len(log[-1]["detail"])
    side = log[0]["dealer"] % sides
    return with_detail(log, side, escopas=log[-1]["detail"][side]["escopas"] - 1)


@corruption("LOG")
def score_line_malformed(log: Log, rng: random.Random) -> Log | None:
    """A line is missing, unknown or not an integer."""
    first = dict(log[-1]["detail"][0])
    change = rng.choice(("missing", "unknown", "float"))
    if change == "missing":
        del first[rng.choice(list(first))]
    elif change == "unknown":
        first["settebello"] = 0
    else:
        first["total"] = float(first["total"])
    return edit(log, end_at(log), detail=[first, *log[-1]["detail"][1:]])


@corruption("LOG")
def detail_of_another_number_of_sides(log: Log, rng: random.Random) -> Log | None:
    """A side without lines, or lines without a side."""
    detail = log[-1]["detail"]
    return edit(log, end_at(log), detail=rng.choice((detail[1:], [*detail, detail[0]], [], detail[0])))


@corruption("LOG")
def reason_of_another_game(log: Log, rng: random.Random) -> Log | None:
    """A pack ends when it is out, and in no other way."""
    return edit(log, end_at(log), reason=rng.choice(("went_out", "stock_out", "cap", "", None)))
