"""The fields of every line of a mau-mau log."""

from __future__ import annotations

from tests.referee.cards import SUITS
from tests.referee.log import (
    Check,
    details_of,
    is_card_lists,
    is_cards,
    is_count,
    is_ints,
    is_match,
    is_object,
    is_positive,
    is_seed,
    is_text,
    is_texts,
    one_of,
)
from tests.referee.mau_mau_score import DETAIL_ARTICLES, FINE


def _is_card(value: object) -> bool:
    """One card text."""
    return is_cards([value])


def _is_detail(value: object) -> bool:
    """A list of objects with exactly the lines of the score; the referee counts the seats."""
    one_seat = details_of(DETAIL_ARTICLES, sides=1)
    return isinstance(value, list) and all(one_seat([seat]) for seat in value)


_EVENT: dict[str, Check] = {"event": is_text, "turn": is_positive, "seat": is_count, "cards": is_cards}

FIELDS: dict[str, dict[str, Check]] = {
    "deal": {
        "event": is_text,
        "game": one_of("mau_mau"),
        "seed": is_seed,
        "deal": is_count,
        "match": is_match,
        "options": is_object,
        "policies": is_texts,
        "dealer": is_count,
        "first": is_count,
        "scores_before": is_ints,
        "hands": is_card_lists,
        "stock": is_cards,
        "start_card": _is_card,
    },
    "play": {**_EVENT, "suit": one_of(*SUITS, None)},
    "draw": {**_EVENT, "why": one_of("eight", "seven", "unable", "forgot_call", "start_card")},
    "unable": {**_EVENT, "fine": one_of(0, FINE)},
    "pass": {**_EVENT, "why": one_of("barred", "eight")},
    "skip": _EVENT,
    "reverse": _EVENT,
    "call": _EVENT,
    "bars_lifted": _EVENT,
    "reshuffle": {**_EVENT, "stock": is_cards},
    "go_out": _EVENT,
    "void": _EVENT,
    "end": {
        "event": is_text,
        "reason": one_of("went_out", "void", "cap"),
        "turn": is_positive,
        "scores": is_ints,
        "detail": _is_detail,
    },
}
