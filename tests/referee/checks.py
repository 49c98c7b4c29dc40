"""Short checks of the tests: a deal is accepted, or its last event breaks an article; house rules by name."""

from __future__ import annotations

from tests.referee.builder import Recorder
from tests.referee.canastra import Verdict, judge
from tests.referee.canastra_options import Options
from tests.referee.faults import last_event_breaks
from tests.referee.log import Event, RuleBroken

NATURALS = Options(lixo_justify="naturals_only")
EXTEND = Options(lixo_justify="new_or_extend")
BLOCKED = Options(curinga_top_blocks=True)
TWO = Options(curingas_per_meld=2)
FIXED = Options(curinga_slides=False)
DISCARD = Options(batida_needs_discard=True)
END = Options(stock_out="end")


def accepted(recorder: Recorder) -> Verdict:
    """The deal so far is legal, and idle turns bring it to a legal end."""
    if recorder.in_turn and not recorder.over:
        recorder.idle_discard()
    return judge(recorder.finish())


def rejected(log: Recorder | list[Event], article: str) -> RuleBroken:
    """The last event breaks the article, everything before it is in order."""
    events = log.events if isinstance(log, Recorder) else log
    return last_event_breaks(judge, events, article)
