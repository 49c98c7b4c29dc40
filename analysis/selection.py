"""Which statistic of which group is meant by a text, as ``win_rate@plays_first:yes``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from analysis.measure import Measure
from analysis.seating import ALL, Group
from analysis.statistic import Statistic

BEFORE_GROUP = "@"


class UnknownSelectionError(ValueError):
    """A text (`text`) names no statistic, or no group of one; the message says what there is."""

    def __init__(self, text: str, message: str) -> None:
        super().__init__(message)
        self.text = text


@dataclass(frozen=True, slots=True)
class Selected:
    """A statistic told for a group."""

    statistic: Statistic
    group: Group

    @property
    def text(self) -> str:
        """The text that selects it."""
        return self.statistic.name + ("" if self.group.name == ALL else BEFORE_GROUP + self.group.name)


def select(measure: Measure, text: str) -> Selected:
    """Find the statistic, and the group, that a text names.

    Parameters
    ----------
    measure
        Has the statistics and groups to choose from.
    text
        ``STATISTIC`` for all rows, or ``STATISTIC@GROUP``.

    Raises
    ------
    UnknownSelectionError
        If there is no such statistic or group.
    """
    name, _, group_name = (piece.strip() for piece in text.partition(BEFORE_GROUP))
    by_name = {statistic.name: statistic for statistic in measure.statistics}
    if name not in by_name:
        raise UnknownSelectionError(text, _no_such("statistic", name, list(by_name)))
    groups = {group.name: group for group in measure.groups_of(by_name[name])}
    if not group_name and ALL not in groups:
        message = f"{name} is told by group alone; write {name}@GROUP with {', '.join(groups)}"
        raise UnknownSelectionError(text, message)
    if (group_name or ALL) not in groups:
        raise UnknownSelectionError(text, _no_such(f"group of {name}", group_name, list(groups)))
    return Selected(by_name[name], groups[group_name or ALL])


def _no_such(what: str, name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"There is {', '.join(known[:12])}" + (", ..." * (len(known) > 12))
    return f"there is no {what} {name!r}. {hint}"
