"""Short checks of the tests of Escopa: a pack is accepted, or its last event breaks an article."""

from __future__ import annotations

from tests.referee.escopa import Verdict, judge
from tests.referee.escopa_builder import Recorder
from tests.referee.faults import last_event_breaks
from tests.referee.log import Event, RuleBroken


def accepted(recorder: Recorder) -> Verdict:
    """The pack so far is legal, and idle turns bring it to a legal end."""
    return judge(recorder.finish())


def rejected(log: Recorder | list[Event], article: str) -> RuleBroken:
    """The last event breaks the article, everything before it is in order."""
    return last_event_breaks(judge, log.events if isinstance(log, Recorder) else log, article)
