"""The fields of every line of a Loba log."""

from __future__ import annotations

from tests.referee.cards import CARD_TEXTS
from tests.referee.loba_score import DETAIL_ARTICLES
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
_is_card = one_of(*sorted(CARD_TEXTS))


def _is_meld_number(value: object) -> bool:
    """LOB-08: the number of an own meld, or null for a card of the hand."""
    return value is None or is_count(value)


def fields_for(players: int) -> dict[str, dict[str, Check]]:
    """The events and their fields; the score has a line for each seat."""
    return {
        "deal": {
            "event": is_text,
            "game": one_of("loba"),
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
            "exposed": _is_card,
        },
        "redeal": {**_EVENT, "exposed": _is_card},
        "draw": _EVENT,
        "take_discard": _EVENT,
        "meld": _LAYING,
        "extend": _LAYING,
        "discard": {**_EVENT, "from_meld": _is_meld_number},
        "reshuffle": {**_EVENT, "stock": is_cards},
        "go_out": {**_EVENT, "all_at_once": is_bool},
        "end": {
            "event": is_text,
            "reason": one_of("went_out", "no_winner", "cap"),
            "turn": is_count,
            "scores": is_ints,
            "detail": details_of(DETAIL_ARTICLES, players),
        },
    }
