"""The fields of every line of a Canasta log."""

from __future__ import annotations

from tests.referee.canasta_score import DETAIL_ARTICLES
from tests.referee.log import (
    Check,
    details_of,
    is_bool,
    is_card_lists,
    is_cards,
    is_count,
    is_ints,
    is_match,
    is_object,
    is_seed,
    is_text,
    is_texts,
    one_of,
)

_EVENT: dict[str, Check] = {"event": is_text, "turn": is_count, "seat": is_count, "cards": is_cards}
_LAYING: dict[str, Check] = {**_EVENT, "meld": is_count, "now": is_cards}

FIELDS: dict[str, dict[str, Check]] = {
    "deal": {
        "event": is_text,
        "game": one_of("canasta"),
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
        "pile": is_cards,
    },
    "draw": {**_EVENT, "why": one_of("turn", "red_three")},
    "red_three": _EVENT,
    "take_pile": _EVENT,
    "decline_pile": _EVENT,
    "meld": _LAYING,
    "extend": _LAYING,
    "discard": _EVENT,
    "ask": {**_EVENT, "answer": is_bool},
    "pass": _EVENT,
    "go_out": {**_EVENT, "concealed": is_bool},
    "end": {
        "event": is_text,
        "reason": one_of("went_out", "stock_out", "red_three_last"),
        "turn": is_count,
        "scores": is_ints,
        "detail": details_of(DETAIL_ARTICLES),
    },
}
