"""The unit of cost is frozen: its numbers and the way it is timed."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from benches import reference


def test_the_reference_shuffle_is_the_one_it_always_was() -> None:
    found = hashlib.sha256()
    for size in (40, 52, 104, 108):
        cards = np.arange(size, dtype=np.uint8)
        position = reference.shuffle_many(cards, 1_000, np.uint64(reference.SEED))
        found.update(cards.tobytes())
        found.update(int(position).to_bytes(8, "little"))
        assert sorted(cards.tolist()) == list(range(size))
    assert found.hexdigest() == "5b2e5a3e79c10fca67b5a679722b8549f18ced9af9492bd91c20fed0ec9eb651"


def test_it_is_timed_as_it_always_was() -> None:
    assert (reference.BATCHES, reference.CARDS_IN_A_BATCH) == (5, 10_400_000)


def test_a_shuffle_of_more_cards_takes_longer() -> None:
    assert 0 < reference.reference_shuffle_ns(40) < 3 * reference.reference_shuffle_ns(108)


@pytest.mark.parametrize("cards", [-1, 0, 1, 256])
def test_no_pack_is_refused(cards: int) -> None:
    with pytest.raises(ValueError, match=f"cards = {cards}: a pack of 2 to 255"):
        reference.reference_shuffle_ns(cards)
