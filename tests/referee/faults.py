"""What the tests of every referee ask: does the last event of a log break this article?"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.referee.log import Event, RuleBroken


def last_event_breaks(judge: Callable[[list[Event]], object], events: list[Event], article: str) -> RuleBroken:
    """The last event breaks the article, everything before it is in order."""
    with pytest.raises(RuleBroken) as caught:
        judge(events)
    assert caught.value.article == article, str(caught.value)
    last = len(events) - 1
    assert caught.value.event_index in (last, last + 1), str(caught.value)
    return caught.value
