"""Short checks of the tests of mau-mau: a round is accepted, its last event breaks an article, its events in brief."""

from __future__ import annotations

from collections.abc import Sequence

from tests.referee.faults import last_event_breaks
from tests.referee.log import Event, RuleBroken
from tests.referee.mau_mau import Verdict, judge
from tests.referee.mau_mau_builder import Recorder


def accepted(recorder: Recorder) -> Verdict:
    """The round so far is legal, and idle turns bring it to a legal end."""
    return judge(recorder.finish())


def rejected(log: Recorder | list[Event], article: str) -> RuleBroken:
    """The last event breaks the article, everything before it is in order."""
    return last_event_breaks(judge, log.events if isinstance(log, Recorder) else log, article)


def brief(event: Event) -> str:
    """An event in a line: turn, seat, name, cards, and its further fields."""
    if event["event"] == "end":
        return f"{event['turn']} end {event['reason']}"
    further = [str(event[name]) for name in ("suit", "why", "fine") if event.get(name) is not None]
    stock = " ".join(event.get("stock", ()))
    return " ".join([f"{event['turn']}.{event['seat']}", event["event"], *event["cards"], *further, *stock.split()])


def told(log: Recorder | Sequence[Event], first: int = 1) -> list[str]:
    """The events in brief from this line of the log on."""
    events = log.events if isinstance(log, Recorder) else log
    return [brief(event) for event in events[first:]]
