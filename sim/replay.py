"""One deal again: its events as dictionaries, as JSON lines, and as text that a player reads.

A game tells its own deals in ``kernels/<game>/narration.py``; one without it is shown event by event.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import msgspec
import numpy as np

from kernels import registry
from kernels.match_ends import SHARED, UNDECIDED
from sim.batch import Records, deal_jobs, run_kernel
from sim.errors import UsageError
from sim.games import Setup
from sim.match import hand_job

Event = dict[str, Any]
Line = tuple[str, str]

ROLE_STYLES = {"title": "bold", "heading": "bold", "good": "bold green", "bad": "bold yellow"}
_RED_CARD = re.compile(r"(?:10|[2-9JQKA])[♥♦]")
_FRAME = re.compile(r"[┌│└─]+")
_WILD = re.compile(r"\[[^]]+\]")


class Replayer:
    """Plays deals of one setup with the event log on, its buffers used again from deal to deal."""

    def __init__(self, setup: Setup) -> None:
        from kernels.trace import EVENT

        self.setup = setup
        self._log = np.zeros(setup.spec.max_events, EVENT)
        self._records = np.zeros(1, setup.spec.record_layout)
        self._state = registry.module(setup.spec.name, "play").new_state()
        self._decode = registry.module(setup.spec.name, "events").decode

    def deal(self, deal: int) -> list[Event]:
        """Events of a deal outside a match, first ``deal`` and last ``end``."""
        return self._play(deal_jobs(self.setup, deal, 1))

    def hand(self, match: int, hand: int) -> list[Event]:
        """Events of a hand of a match.

        Raises
        ------
        UsageError
            If the match ends before that hand.
        """
        job = hand_job(self.setup, match, hand)
        if job is None:
            raise UsageError(f"--hand: match {match} of seed {self.setup.seed} ends before hand {hand}")
        return self._play(job)

    def match(self, match: int) -> Iterator[list[Event]]:
        """Events of every hand of a match, hand by hand."""
        from sim.match import play_hands

        for job in play_hands(self.setup, match):
            yield self._play(job)

    def _play(self, job: Records) -> list[Event]:
        self._records["status"] = 0
        rows = run_kernel(self.setup, job, self._log, self._records, self._state)
        match = int(job["match"][0])
        context = {
            "game": self.setup.spec.name,
            "seed": self.setup.seed,
            "deal": int(job["deal"][0]),
            "match": None if match < 0 else match,
            "options": dict(self.setup.options),
            "policies": self.setup.policy_texts,
            "scores_before": job["scores_before"][0, : self.setup.sides].tolist(),
        }
        events: list[Event] = self._decode(self._log[:rows], self._records[0], context)
        return events


def json_lines(events: Iterable[Event]) -> bytes:
    """Events as JSON, one object a line."""
    encoder = msgspec.json.Encoder()
    return b"".join(encoder.encode(event) + b"\n" for event in events)


def narrate(game: str, events: Sequence[Event], width: int) -> Iterator[Line]:
    """Lines of a deal's story, each with its role (a key of `ROLE_STYLES`, or any other for plain text)."""
    if find_spec(f"{registry.GAMES[game]}.narration") is None:
        yield from narrate_plainly(events)
        return
    yield from registry.module(game, "narration").narrate(events, width)


def match_lines(setup: Setup, events: Sequence[Event]) -> Iterator[Line]:
    """Tell who has won the match, after the hand that ended it."""
    from analysis.seating import Seating

    deal, end = events[0], events[-1]
    if deal["match"] is None:
        return
    scores = np.add(deal["scores_before"], end["scores"])
    winner = int(setup.spec.match_winners(scores[None, :], setup.options)[0])
    if winner == UNDECIDED:
        return
    hands = f"after {deal['deal'] + 1} {'hand' if deal['deal'] == 0 else 'hands'}"
    yield "text", ""
    if winner == SHARED:
        yield "bad", f"Match {deal['match']:,} is over {hands}: nobody wins it alone."
        return
    told = ", ".join(f"{score:,}" for score in scores)
    word = Seating.of(setup.spec, setup.options, setup.policy_texts).word.capitalize()
    yield "good", f"{word} {winner} wins match {deal['match']:,} {hands}: {told}."


def narrate_plainly(events: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """Tell a deal of any game, a line an event."""
    for event in events:
        kind = str(event["event"])
        if kind in ("deal", "end"):
            yield "title", kind.capitalize()
            for name, value in event.items():
                if name != "event":
                    yield "text", f"  {name}: {_value_text(value)}"
            continue
        shown = " ".join(event.get("cards", []))
        known = ("event", "turn", "seat", "cards")
        more = " ".join(f"{name}={_value_text(value)}" for name, value in event.items() if name not in known)
        yield "text", f"{event.get('turn', ''):>4}  seat {event.get('seat', '')}  {kind:<16} {shown}  {more}".rstrip()


def plain_text(lines: Iterable[Line]) -> str:
    """Lines without colours."""
    return "".join(line + "\n" for _, line in lines)


def coloured(line: Line) -> Any:
    """Return a line for a terminal (a `rich.text.Text`): red suits red, wild cards bold, roles in their style."""
    from rich.text import Text

    role, words = line
    text = Text(words, style=ROLE_STYLES.get(role, ""))
    text.highlight_regex(_FRAME, "dim")
    text.highlight_regex(_WILD, "bold")
    text.highlight_regex(_RED_CARD, "red")
    return text


def _value_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
