"""Statistics against options and parameters, on the same deals at every point of a grid (``carteador sweep``)."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sim.api import check_extent
from sim.batch import Chunk, Progress, Records
from sim.common_deals import Playing, check_played, provenance_of, seating_of, sum_over_deals
from sim.errors import UsageError, nearest
from sim.games import PolicyChoice, Setup, make_setup, parse_policy
from sim.manifest import DEALS
from sim.names import Names, in_program
from sim.numbers import MAX_UINT64, check_fraction
from sim.rules import complete_options, option_text
from sim.sweep_axes import Axis, grid, params_axis, point_policy, rule_axis

if TYPE_CHECKING:
    from analysis.rule_comparison import Asked
    from analysis.sweep import PointSums

MOST_POINTS = 1_000


@dataclass(frozen=True)
class Goal:
    """What the best point is the best in: a statistic, and whether ``highest``, ``lowest`` or ``nearest`` a target."""

    statistic: str
    direction: str
    target: float | None = None

    @property
    def text(self) -> str:
        """As on the command line."""
        return f"{self.statistic}={self.direction if self.target is None else f'{self.target:g}'}"


@dataclass(frozen=True)
class Point:
    """A point of the grid: the value on each axis, and the setups it is played at.

    Attributes
    ----------
    against
        Tables against the other policy; empty where only rules are swept.
    alone
        The table at which all play the same.
    """

    values: Mapping[str, Any]
    against: tuple[Setup, ...]
    alone: Setup


@dataclass(frozen=True)
class Plan:
    """A sweep that is checked and ready to be played."""

    common: Setup
    axes: tuple[Axis, ...]
    points: tuple[Point, ...]
    policy: PolicyChoice
    against: PolicyChoice | None
    statistics: tuple[str, ...]
    goal: Goal | None

    def play(self, playing: Playing, confidence: float, where: str = "statistics") -> SweepRun:
        """Play every point, then the best one again on fresh deals.

        Parameters
        ----------
        where
            What gave the statistics, for errors.
        """
        asked = self._asked(where)
        sums, progress = self._sums(self.points, asked, playing)
        check_played(sums)
        run = SweepRun(self, tuple(asked), tuple(sums), None, playing, progress, confidence)
        best = run.best_number()
        if best is None or progress.stopped:
            return run
        after = playing.first + playing.count
        fresh = replace(playing, first=after if after + playing.count - 1 <= MAX_UINT64 else 0)
        chosen = [0, best] if self.statistics and best else [best]
        points, wanted = [self.points[number] for number in chosen], [asked[number] for number in chosen]
        again, ended = self._sums(points, wanted, fresh)
        if not again:
            return run
        return replace(run, fresh=again[-1], fresh_first=fresh.first, fresh_deals=ended.done)

    def _asked(self, where: str) -> list[Asked | None]:
        from analysis.rule_comparison import Asked
        from analysis.selection import UnknownSelectionError

        if not self.statistics:
            return [None] * len(self.points)
        try:
            return [Asked(seating_of(point.alone), self.statistics) for point in self.points]
        except UnknownSelectionError as error:
            if self.goal is not None and error.text == self.goal.statistic:
                where = "best" if where == "statistics" else "--best"
            raise UsageError(f"{where}: {error}") from None

    def _sums(
        self, points: Sequence[Point], asked: Sequence[Asked | None], playing: Playing
    ) -> tuple[list[PointSums], Progress]:
        from analysis.comparison import sums_of, tables_for
        from analysis.sweep import PointSums, asked_sums

        setups = [setup for point in points for setup in point.against]
        seatings = [seating_of(setup) for setup in setups]
        start = len(setups)
        if self.statistics:
            setups += [point.alone for point in points]
        wanted = [one for one in asked if one is not None]

        def count_deals(records: Sequence[Records]) -> list[PointSums]:
            alone = asked_sums(wanted, records[start:])
            found, at = [], 0
            for number, point in enumerate(points):
                end = at + len(point.against)
                against = None
                if point.against:
                    against = sums_of(tables_for(point.alone.sides), seatings[at:end], records[at:end])
                found.append(PointSums(against, *(alone[number] if alone else (None, {}))))
                at = end
            return found

        total: list[PointSums] = []

        def add(_chunk: Chunk, sums: list[PointSums]) -> None:
            total[:] = [x + y for x, y in zip(total, sums, strict=True)] if total else sums

        progress = sum_over_deals(setups, count_deals, add, playing)
        return total, progress


@dataclass(frozen=True)
class SweepRun:
    """A finished (or interrupted) sweep; `fresh` has the sums of the best point on deals that did not choose it."""

    plan: Plan
    asked: tuple[Asked | None, ...]
    sums: tuple[PointSums, ...]
    fresh: PointSums | None
    playing: Playing
    progress: Progress
    confidence: float
    fresh_first: int = 0
    fresh_deals: int = 0

    def rows(self, number: int) -> list[dict[str, Any]]:
        """Estimates at a point."""
        from analysis.sweep import point_rows

        return point_rows(self.sums[number], self.asked[number], self.plan.points[number].alone.sides, self.confidence)

    def best_number(self) -> int | None:
        """Number of the best point; None if nothing is sought."""
        from analysis.sweep import best_point

        goal = self.plan.goal
        if goal is None:
            return None
        estimates = [self._estimate(self.rows(number))["estimate"] for number in range(len(self.sums))]
        return best_point(estimates, goal.direction, goal.target)

    def best(self) -> dict[str, Any] | None:
        """The best point, as the sweep saw it and on fresh deals."""
        from analysis.sweep import difference_row, point_rows

        goal, number = self.plan.goal, self.best_number()
        if goal is None or number is None:
            return None
        found: dict[str, Any] = {
            "values": dict(self.plan.points[number].values),
            "statistic": goal.statistic,
            "direction": goal.direction,
            "target": goal.target,
            "estimate_in_sweep": self._estimate(self.rows(number))["estimate"],
            "fresh": None,
        }
        if self.fresh is not None:
            rows = point_rows(self.fresh, self.asked[number], self.plan.points[number].alone.sides, self.confidence)
            row = self._estimate(rows)
            kept = {name: row[name] for name in ("unit", "estimate", "low", "high", "std_error")}
            found["fresh"] = {**kept, "deals": self.fresh_deals, "first_deal": self.fresh_first}
            pairs = self.fresh.pairs.get(goal.statistic)
            if pairs is not None and number != 0:
                found["fresh"]["against_first"] = difference_row(goal.statistic, pairs.difference(self.confidence))
        return found

    def _estimate(self, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Row of the statistic that is sought."""
        assert self.plan.goal is not None
        name, _, group = self.plan.goal.statistic.partition("@")
        return next(row for row in rows if row["statistic"] == name and row["group"] == (group or "all"))

    def sentences(self) -> list[str]:
        """The result in words."""
        from analysis.sweep_words import best_sentences

        plan = self.plan
        return best_sentences(self.best(), None if plan.against is None else plan.against.text, len(plan.points))

    def command(self) -> str:
        """The command that repeats it."""
        plan = self.plan
        words = ["carteador", "sweep", plan.common.spec.name]
        for axis in plan.axes:
            words += axis.words()
        swept = {axis.name for axis in plan.axes if axis.policy is None}
        for name, value in plan.common.changed.items():
            if name not in swept:
                words += ["--rule", f"{name}={option_text(value)}"]
        if plan.against is not None:
            words += ["--against", plan.against.text]
        elif plan.policy.text != plan.common.spec.default_policy:
            words += ["--policy", plan.policy.text]
        for text in plan.statistics:
            words += ["--stat", text]
        if plan.goal is not None:
            words += ["--best", plan.goal.text]
        words += ["--deals", str(self.playing.count), "--seed", str(plan.common.seed)]
        if self.playing.first:
            words += ["--first", str(self.playing.first)]
        return shlex.join(words)

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON: schema ``carteador.sweep/1``."""
        from analysis.sweep import SCHEMA, difference_row

        plan = self.plan
        points = []
        for number, point in enumerate(plan.points):
            pairs = self.sums[number].pairs
            differences = [difference_row(text, pair.difference(self.confidence)) for text, pair in pairs.items()]
            points.append(
                {
                    "values": dict(point.values),
                    "deals": self.progress.done,
                    "rows": self.rows(number),
                    "against_first": differences if number else [],
                }
            )
        return {
            "schema": SCHEMA,
            "game": plan.common.spec.name,
            "title": plan.common.spec.title,
            "seed": plan.common.seed,
            "first": self.playing.first,
            "deals": self.progress.done,
            "confidence": self.confidence,
            "policy": plan.policy.text,
            "against": None if plan.against is None else plan.against.text,
            "options": dict(plan.common.options),
            "axes": [axis.row() for axis in plan.axes],
            "points": points,
            "best": self.best(),
            "sentence": self.sentences(),
            "command": self.command(),
            "provenance": provenance_of(self.playing, self.progress),
        }


def sweep(
    game: str,
    *,
    rules: Mapping[str, Sequence[Any]] | None = None,
    params: Mapping[str, Sequence[int]] | None = None,
    policy: str | None = None,
    against: str | None = None,
    statistics: Sequence[str] = (),
    best: Mapping[str, str | float] | None = None,
    fixed: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    deals: int | None = None,
    seed: int | None = None,
    first: int = 0,
    threads: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
) -> SweepRun:
    """Tell statistics for every value of options and parameters, on the same deals.

    Several axes make a grid. Parameters are told by the advantage of the policy that has them over `against`, the
    two changing places as in `sim.compare`; other statistics by a table at which all play the same.

    Parameters
    ----------
    game
        Name of a game.
    rules
        Values by option, as ``{"players": [2, 4]}``.
    params
        Values by policy and parameter, as ``{"standard:take_lixo": range(1, 6)}``.
    policy
        Policy of all seats, where only rules are swept.
    against
        With `params`, whom the policy plays against: the policy with its own parameters if None.
    statistics
        As ``"turns"`` or ``"score@plays_first:yes"``; what says most of rules if none is named.
    best
        One statistic and ``"highest"``, ``"lowest"`` or a number to be near to. With `params` the highest advantage.
        The best point is played again on fresh deals, since the luck that made it the best is no part of it.
    fixed
        House rules of all points.
    deals, seed, first, threads, confidence, progress
        As for `sim.simulate`; deals are those of each point.

    Raises
    ------
    UsageError
        If an argument is wrong; the message says what is allowed.

    Examples
    --------
    >>> import sim
    >>> found = sim.sweep("canastra", rules={"curingas_per_meld": [1, 2]}, statistics=["turns"], deals=500)
    >>> [point["values"] for point in found.document()["points"]]
    [{'curingas_per_meld': 1}, {'curingas_per_meld': 2}]
    """
    count, first = check_extent(DEALS, deals, first)
    common = make_setup(game, seed=seed, rules=fixed, policies=policy)
    axes = [rule_axis(common, name, list(values), "rules") for name, values in (rules or {}).items()]
    axes += [params_axis(common.spec, name, list(values), "params") for name, values in (params or {}).items()]
    goals = [_goal(statistic, value, "best") for statistic, value in (best or {}).items()]
    plan = prepare(common, axes, policy, against, statistics, goals, in_program)
    return plan.play(Playing(first, count, threads, watch=progress), check_fraction("confidence", confidence))


def prepare(
    common: Setup,
    axes: Sequence[Axis],
    policy: str | None,
    against: str | None,
    statistics: Sequence[str],
    goals: Sequence[Goal],
    names: Names,
) -> Plan:
    """Lay out the grid.

    Raises
    ------
    UsageError
        If there is nothing to sweep, too much, or something does not go together.
    """
    from analysis.rule_comparison import DEFAULTS
    from analysis.sweep import ADVANTAGE, ADVANTAGES

    spec = common.spec
    if not axes:
        raise UsageError(f"{names('rules')}: nothing is swept; give an option several values, or a parameter a range")
    swept = list(dict.fromkeys(axis.policy for axis in axes if axis.policy is not None))
    if len(swept) > 1:
        raise UsageError(f"{names('params')}: {' and '.join(swept)} cannot be swept together; name one policy's")
    if swept and policy is not None:
        raise UsageError(
            f"{names('policies')}: the policy is {swept[0]}, whose parameters are swept; "
            f"{names('against')} names whom it plays against"
        )
    if against is not None and not swept:
        raise UsageError(f"{names('against')}: only a policy whose parameters are swept plays against another")
    choice = parse_policy(spec, swept[0] if swept else policy or spec.default_policy, names("policies"))
    opponent = parse_policy(spec, against or swept[0], names("against")) if swept else None
    values = grid(axes)
    if len(values) > MOST_POINTS:
        raise UsageError(f"{names('rules')}: the grid has {len(values):,} points; {MOST_POINTS:,} are the most")
    texts = tuple(dict.fromkeys(statistics))
    told = ADVANTAGES if swept else {}
    if len(goals) > 1:
        raise UsageError(f"{names('best')}: one statistic decides what is best, not {len(goals)}")
    goal = goals[0] if goals else Goal(ADVANTAGE, "highest") if swept else None
    if goal is not None and goal.statistic in ADVANTAGES and not swept:
        raise UsageError(f"{names('best')}: {goal.statistic} is of a policy whose parameters are swept; none are")
    if goal is not None and goal.statistic not in (*told, *texts):
        texts = (*texts, goal.statistic)
    if not texts and not swept:
        texts = DEFAULTS
    points = tuple(_point(common, axes, choice.text, opponent, own, names) for own in values)
    return Plan(common, tuple(axes), points, choice, opponent, texts, goal)


def _point(
    common: Setup,
    axes: Sequence[Axis],
    policy: str,
    against: PolicyChoice | None,
    values: Mapping[str, Any],
    names: Names,
) -> Point:
    from analysis.comparison import tables_for

    spec = common.spec
    rules = {axis.name: values[axis.name] for axis in axes if axis.policy is None}
    options = complete_options(spec, {**common.options, **rules}, (), names)
    choice = parse_policy(spec, point_policy(axes, values, policy), names("params"))
    alone = Setup(spec, options, (choice,) * spec.seats(options), common.seed)
    if against is None:
        return Point(values, (), alone)
    tables = []
    for table in tables_for(alone.sides):
        seats = range(alone.seats)
        choices = tuple(choice if table[spec.side_of(seat, options)] else against for seat in seats)
        tables.append(Setup(spec, options, choices, common.seed))
    return Point(values, tuple(tables), alone)


def parse_goal(text: str) -> Goal:
    """Read ``STATISTIC=highest``, ``STATISTIC=lowest`` or ``STATISTIC=NUMBER``.

    Raises
    ------
    UsageError
        If the text is of another form.
    """
    statistic, equals, value = (piece.strip() for piece in text.rpartition("="))
    if not equals or not statistic:
        raise UsageError(f"--best: {text!r} is not of the form STATISTIC=highest, STATISTIC=lowest or STATISTIC=NUMBER")
    return _goal(statistic, value, "--best")


def _goal(statistic: str, value: object, where: str) -> Goal:
    if value in ("highest", "lowest"):
        return Goal(statistic, str(value))
    try:
        if isinstance(value, bool):
            raise ValueError
        percent = isinstance(value, str) and value.endswith("%")
        target = float(str(value).removesuffix("%").replace("_", "")) / (100 if percent else 1)
        if not math.isfinite(target):
            raise ValueError
    except ValueError:
        near = nearest(str(value), ("highest", "lowest"))
        hint = f". Did you mean {near}?" if near else ""
        raise UsageError(
            f"{where}: {value!r} is not allowed; allowed is highest, lowest or a number to be near to{hint}"
        ) from None
    return Goal(statistic, "nearest", target)
