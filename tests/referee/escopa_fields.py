"""The fields of every line of an Escopa log."""

from __future__ import annotations

from tests.referee.escopa_score import DETAIL_ARTICLES
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


def _is_seat_or_null(value: object) -> bool:
    """ESC-09: nobody may have captured."""
    return value is None or is_count(value)


def fields(sides: int) -> dict[str, dict[str, Check]]:
    """The fields of each event, for so many sides."""
    return {
        "deal": {
            "event": is_text,
            "game": one_of("escopa"),
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
            "table": is_cards,
        },
        "dealer_take": _EVENT,
        "to_table": _EVENT,
        "deal_hands": {**_EVENT, "dealer": is_count, "hands": is_card_lists},
        "play": {**_EVENT, "take": is_cards, "escopa": is_bool},
        "overlook": _EVENT,
        "claim": {**_EVENT, "escopa": is_bool},
        "leftover": {**_EVENT, "seat": _is_seat_or_null},
        "end": {
            "event": is_text,
            "reason": one_of("pack_out"),
            "turn": is_count,
            "scores": is_ints,
            "detail": details_of(DETAIL_ARTICLES, sides),
        },
    }
