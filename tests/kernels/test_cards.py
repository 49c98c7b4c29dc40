"""Card numbers, packs and texts."""

from __future__ import annotations

from collections import Counter

import pytest

from kernels.cards import JOKER_TEXT, RANKS, SUITS, card_number, card_text, card_texts, pack, rank_mask, rank_number


def test_every_card_is_read_back_from_its_text() -> None:
    cards = [int(card) for card in pack(1)]
    assert [card_number(card_text(card)) for card in cards] == cards
    assert sorted(card_texts(cards)) == sorted(rank + suit for rank in RANKS for suit in SUITS)


@pytest.mark.parametrize(
    ("text", "card"), [("7S", 55), ("ac", 14), (" td ", 26), ("10d", 26), ("2H", 34), ("jk", 0), ("3S", 51)]
)
def test_texts_as_people_write_them(text: str, card: int) -> None:
    assert card_number(text) == card


@pytest.mark.parametrize("text", ["", "7", "1S", "7X", "77S", "S7", "JKR", "11S"])
def test_what_is_no_card_is_refused_and_the_allowed_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no card: a rank of 23456789TJQKA and a suit of CDHS"):
        card_number(text)


def test_two_packs_hold_every_card_twice_and_jokers_last() -> None:
    cards = pack(2, jokers=4)
    assert len(cards) == 108
    assert set(Counter(cards[:104].tolist()).values()) == {2}
    assert card_texts(cards[104:]) == [JOKER_TEXT] * 4
    assert len({int(card) for card in cards[104:]}) == 4


def test_a_pack_without_eights_to_tens_has_forty_cards() -> None:
    cards = pack(1, ranks=(14, 2, 3, 4, 5, 6, 7, 11, 12, 13))
    assert len(cards) == 40
    assert not {"8S", "9S", "TS"} & set(card_texts(cards))


def test_cards_of_a_suit_lie_in_one_lane_of_sixteen_bits() -> None:
    for card in pack(1).tolist():
        assert SUITS[card // 16] == card_text(card)[1]
        assert 2 <= card % 16 <= 14


def test_rank_mask_has_a_bit_for_each_rank() -> None:
    assert rank_mask(()) == 0
    assert rank_mask(("4", "T", "A")) == 1 << 4 | 1 << 10 | 1 << 14
    assert rank_number("t") == 10


@pytest.mark.parametrize("text", ["", "1", "10", "X"])
def test_what_is_no_rank_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no rank: one of 2 3 4"):
        rank_number(text)
