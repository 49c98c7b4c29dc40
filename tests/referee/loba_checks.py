"""Short checks of the tests of Loba: a deal is accepted, or its last event breaks an article."""

from __future__ import annotations

from tests.referee.faults import last_event_breaks
from tests.referee.loba import Verdict, judge
from tests.referee.loba_builder import Recorder
from tests.referee.log import Event, RuleBroken


def accepted(recorder: Recorder) -> Verdict:
    """The deal so far is legal, and idle turns bring it to a legal end."""
    return judge(recorder.finish())


def rejected(log: Recorder | list[Event], article: str) -> RuleBroken:
    """The last event breaks the article, everything before it is in order."""
    return last_event_breaks(judge, log.events if isinstance(log, Recorder) else log, article)
