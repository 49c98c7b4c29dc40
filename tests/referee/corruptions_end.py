"""Corruptions of the score and of the end of the hand."""

from __future__ import annotations

import random

from tests.referee.cards import is_red_three
from tests.referee.corruption_tools import SCORE, corruption, spots
from tests.referee.log_edits import Log, change_line, drop, edit, insert, pick, plain, where, with_options

# ---------------------------------------------------------------- the score


@corruption("CAN-25")
def wrong_batida_points(log: Log, rng: random.Random) -> Log | None:
    """The line `batida`."""
    return change_line(log, rng, "batida")


@corruption("CAN-25")
def wrong_clean_canastras(log: Log, rng: random.Random) -> Log | None:
    """The line `clean_canastras`."""
    return change_line(log, rng, "clean_canastras")


@corruption("CAN-25")
def wrong_dirty_canastras(log: Log, rng: random.Random) -> Log | None:
    """The line `dirty_canastras`."""
    return change_line(log, rng, "dirty_canastras")


@corruption("CAN-25")
def wrong_cards_on_table(log: Log, rng: random.Random) -> Log | None:
    """The line `cards_on_table`."""
    return change_line(log, rng, "cards_on_table")


@corruption("CAN-26")
def wrong_red_threes(log: Log, rng: random.Random) -> Log | None:
    """The line `red_threes`."""
    return change_line(log, rng, "red_threes")


@corruption("CAN-26")
def wrong_red_threes_on_table(log: Log, rng: random.Random) -> Log | None:
    """The line `red_threes_on_table`."""
    return change_line(log, rng, "red_threes_on_table")


@corruption("CAN-25")
def wrong_cards_in_hand(log: Log, rng: random.Random) -> Log | None:
    """The line `cards_in_hand`."""
    return change_line(log, rng, "cards_in_hand")


@corruption("CAN-22", "CAN-27")
def wrong_no_morto(log: Log, rng: random.Random) -> Log | None:
    """The line `no_morto`."""
    return change_line(log, rng, "no_morto")


@corruption("CAN-25")
def wrong_total(log: Log, rng: random.Random) -> Log | None:
    """The line `total`."""
    return change_line(log, rng, "total")


@corruption("CAN-25")
def wrong_score(log: Log, rng: random.Random) -> Log | None:
    """The scores are not the totals."""
    first, second = log[-1]["scores"]
    return edit(log, len(log) - 1, scores=rng.choice(([first + 10, second], [first], [second, first + 20], [])))


@corruption(*SCORE)
def sides_exchanged(log: Log, rng: random.Random) -> Log | None:
    """Each side gets the other's score."""
    end = log[-1]
    if end["detail"][0] == end["detail"][1]:
        return None
    return edit(log, len(log) - 1, scores=end["scores"][::-1], detail=end["detail"][::-1])


@corruption("LOG")
def score_line_malformed(log: Log, rng: random.Random) -> Log | None:
    """A line is missing, unknown or not an integer."""
    first = dict(log[-1]["detail"][0])
    change = rng.choice(("missing", "unknown", "float"))
    if change == "missing":
        del first["batida"]
    elif change == "unknown":
        first["bonus"] = 0
    else:
        first["total"] = float(first["total"])
    return edit(log, len(log) - 1, detail=[first, log[-1]["detail"][1]])


@corruption("CAN-20", "CAN-23")
def wrong_reason(log: Log, rng: random.Random) -> Log | None:
    """The other end reason."""
    other = "stock_out" if log[-1]["reason"] == "batida" else "batida"
    return edit(log, len(log) - 1, reason=other)


@corruption("LOG")
def wrong_number_of_turns(log: Log, rng: random.Random) -> Log | None:
    """The last turn's number is off by one."""
    return edit(log, len(log) - 1, turn=log[-1]["turn"] + rng.choice((-1, 1)))


@corruption("CAN-26")
def other_red_three_points(log: Log, rng: random.Random) -> Log | None:
    """Red threes count on the table when they do not, or the other way round."""
    if not any(side["red_threes"] > 0 for side in log[-1]["detail"]):
        return None
    return with_options(log, red_three_table_points=10 - log[0]["options"]["red_three_table_points"])


def unopened_side(log: Log) -> int | None:
    """The side that holds a morto it never opened."""
    for index in where(log, "take_morto"):
        event = log[index]
        opened = any(later["event"] == "morto_opened" and later["morto"] == event["morto"] for later in log)
        if event["when"] == "next_turn" and not opened:
            side: int = event["seat"] % 2
            return side
    return None


@corruption("CAN-25")
def unopened_morto_charged(log: Log, rng: random.Random) -> Log | None:
    """CAN-22: the eleven unseen cards are charged to the pair."""
    side = unopened_side(log)
    if side is None:
        return None
    detail = [dict(lines) for lines in log[-1]["detail"]]
    detail[side]["cards_in_hand"] -= 110
    detail[side]["total"] -= 110
    return edit(log, len(log) - 1, detail=detail, scores=[lines["total"] for lines in detail])


@corruption("CAN-22")
def unopened_morto_misjudged(log: Log, rng: random.Random) -> Log | None:
    """CAN-22: an unopened morto does not count when it must, or counts when it must not."""
    side = unopened_side(log)
    if side is None:
        return None
    detail = [dict(lines) for lines in log[-1]["detail"]]
    change = 100 if detail[side]["no_morto"] else -100
    detail[side]["no_morto"] += change
    detail[side]["total"] += change
    return edit(log, len(log) - 1, detail=detail, scores=[lines["total"] for lines in detail])


@corruption("CAN-27")
def both_without_morto_penalised(log: Log, rng: random.Random) -> Log | None:
    """CAN-27: the cards ran out and neither pair took a morto, yet both pay."""
    if where(log, "take_morto", "go_out"):
        return None
    detail = [{**lines, "no_morto": -100, "total": lines["total"] - 100} for lines in log[-1]["detail"]]
    return edit(log, len(log) - 1, detail=detail, scores=[lines["total"] for lines in detail])


@corruption("CAN-25", "CAN-26")
def unplayed_red_three_in_hand(log: Log, rng: random.Random) -> Log | None:
    """CAN-06: red threes of a first turn that never came are counted as cards in hand."""
    played = {event["seat"] for event in log[1:-1]}
    left = [(seat, hand) for seat, hand in enumerate(log[0]["hands"]) if seat not in played]
    found = [(seat, sum(map(is_red_three, hand))) for seat, hand in left if any(map(is_red_three, hand))]
    if not found:
        return None
    seat, count = found[0]
    detail = [dict(lines) for lines in log[-1]["detail"]]
    detail[seat % 2]["cards_in_hand"] -= 10 * count
    return edit(log, len(log) - 1, detail=detail)


# ---------------------------------------------------------------- the end of the hand


@corruption("CAN-06", "CAN-18", "CAN-23")
def ends_early(log: Log, rng: random.Random) -> Log | None:
    """The hand ends while cards are left and nobody is out."""
    turns = sorted({log[index]["turn"] for index in where(log, "draw", "take_pile")} - {1})
    turn = pick(rng, turns)
    if turn is None:
        return None
    return [*(event for event in log[:-1] if event.get("turn", 0) < turn), {**log[-1], "turn": turn - 1}]


@corruption("CAN-23")
def draws_from_nothing(log: Log, rng: random.Random) -> Log | None:
    """A card is drawn when none is left."""
    if log[-1]["reason"] != "stock_out":
        return None
    turn, before = log[-1]["turn"], log[-2]
    players = log[0]["options"]["players"]
    seat = (log[0]["first"] + turn - 1) % players
    end = len(log) - 1 if before["event"] != "decline_pile" else len(log) - 2
    event = {"event": "draw", "turn": turn, "seat": seat, "cards": ["7S"], "why": "turn"}
    return insert(log, end, event)


@corruption("CAN-23", "CAN-07")
def declines_early(log: Log, rng: random.Random) -> Log | None:
    """The lixo is declined while a card can be drawn."""
    index = pick(rng, [i for i in where(log, "draw") if log[i]["why"] == "turn"])
    return None if index is None else insert(log, index, plain(log[index], "decline_pile"))


@corruption("CAN-23")
def declines_what_he_cannot_take(log: Log, rng: random.Random) -> Log | None:
    """The lixo is declined by a player who could not take it."""
    if log[-1]["reason"] != "stock_out" or log[-2]["event"] == "decline_pile":
        return None
    turn = log[-1]["turn"]
    seat = (log[0]["first"] + turn - 1) % log[0]["options"]["players"]
    place = {"turn": turn, "seat": seat}
    return insert(log, len(log) - 1, plain(place, "decline_pile"))


@corruption("CAN-23")
def does_not_decline(log: Log, rng: random.Random) -> Log | None:
    """A player who could take the lixo just ends the hand."""
    index = pick(rng, where(log, "decline_pile"))
    return None if index is None else drop(log, index)


@corruption("CAN-23")
def morto_to_stock_early(log: Log, rng: random.Random) -> Log | None:
    """A morto becomes stock while the stock has cards."""
    index = pick(rng, [i for i in where(log, "draw") if log[i - 1]["event"] != "morto_to_stock"])
    if index is None:
        return None
    gone = [event["morto"] for event in log[:index] if event["event"] in ("take_morto", "morto_to_stock")]
    if len(gone) == 2:
        return None
    cards = log[0]["mortos"][len(gone)]
    return insert(log, index, plain(log[index], "morto_to_stock", cards, morto=len(gone)))


@corruption("CAN-23")
def other_morto_to_stock(log: Log, rng: random.Random) -> Log | None:
    """The wrong morto becomes stock."""
    index = pick(rng, where(log, "morto_to_stock"))
    if index is None:
        return None
    morto = 1 - log[index]["morto"]
    return edit(log, index, morto=morto, cards=log[0]["mortos"][morto])


@corruption("CARDS")
def morto_to_stock_shuffled(log: Log, rng: random.Random) -> Log | None:
    """The morto that becomes stock does not keep its order."""
    index = pick(rng, where(log, "morto_to_stock"))
    if index is None:
        return None
    cards = log[index]["cards"]
    shifted = [*cards[1:], cards[0]]
    return None if shifted in (cards, cards[::-1]) else edit(log, index, cards=shifted)


@corruption("CAN-23")
def no_morto_to_stock(log: Log, rng: random.Random) -> Log | None:
    """The stock is empty, a morto could become stock, and is not written down."""
    index = pick(rng, where(log, "morto_to_stock"))
    return None if index is None else drop(log, index)


@corruption("CAN-06", "CAN-23")
def stock_out_ends(log: Log, rng: random.Random) -> Log | None:
    """Under stock_out=end no morto becomes stock."""
    return with_options(log, stock_out="end") if where(log, "morto_to_stock") else None


@corruption("CAN-23")
def stock_out_goes_on(log: Log, rng: random.Random) -> Log | None:
    """Under stock_out=morto_becomes_stock the hand goes on while a morto is left."""
    ended = log[-1]["reason"] == "stock_out" and len(where(log, "take_morto", "morto_to_stock")) < 2
    return with_options(log, stock_out="morto_becomes_stock") if ended else None


@corruption("CAN-08", "CAN-20")
def batida_without_discard(log: Log, rng: random.Random) -> Log | None:
    """Under batida_needs_discard nobody goes out by laying his last card."""
    laid = any(log[index - 1]["event"] != "discard" for index in where(log, "go_out"))
    return with_options(log, batida_needs_discard=True) if laid else None


@corruption("CAN-20")
def batida_with_cards_in_hand(log: Log, rng: random.Random) -> Log | None:
    """A player goes out instead of discarding, with cards in hand."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else edit(log, index, event="go_out", cards=[])


@corruption("CAN-20")
def batida_without_canastra(log: Log, rng: random.Random) -> Log | None:
    """So does one whose pair has its morto and no canastra."""
    found = [
        spot.index
        for spot in spots(log)
        if spot.event["event"] == "discard"
        and spot.took_morto[spot.side]
        and all(len(meld) < 7 for meld in spot.melds[spot.side])
    ]
    index = pick(rng, found)
    return None if index is None else edit(log, index, event="go_out", cards=[])


@corruption("CAN-20")
def batida_without_morto(log: Log, rng: random.Random) -> Log | None:
    """So does one whose pair has had no morto."""
    found = [s.index for s in spots(log) if s.event["event"] == "discard" and not s.took_morto[s.side]]
    index = pick(rng, found)
    return None if index is None else edit(log, index, event="go_out", cards=[])
