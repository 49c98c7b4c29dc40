"""Parameters of a policy that play best, sought on common deals and judged on fresh ones (``carteador tune``)."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sim import searching
from sim.batch import MAX_THREADS, Progress
from sim.candidates import Dimension, Point, check_library
from sim.common_deals import provenance_of
from sim.games import PolicyChoice
from sim.numbers import check_fraction, check_integer
from sim.progress import clock_text
from sim.rules import option_text
from sim.searching import Found, Generation, Search, StoppedError
from sim.tuning_arena import Arena, Meter, Stopping
from sim.tuning_plan import Plan, prepare
from sim.tuning_space import TRIED_DEALS, that_matter

if TYPE_CHECKING:
    from analysis.paired import PairedRatios
    from sim.comparing import ComparisonRun

PRUNING_FIRST, FRESH_FIRST = 10**15, 2 * 10**15
"""First deal that decides what is put back, and first deal that the result rests on; a search stays far below."""

LOSS = 1.0
"""Standard errors that values put back together may seem to cost: what is small and real adds up."""


@dataclass
class TuneRun:
    """A search, while it is under way and when it is finished (or interrupted).

    Attributes
    ----------
    dimensions, inert
        What is sought, and the names of parameters that were left out since they change nothing under these rules.
    found
        What the search found.
    chosen, judged
        The policy that it found, and the one that was judged: without the values that were put back.
    over_start, over_opponents
        The judged one against the policy as it was, and against every opponent that is another, on fresh deals; None
        where none was played.
    gain
        The mean advantage over the opponents of the policy as it was, paired with that of the judged one.
    costs
        By parameter, the advantage with this one value put back, paired with that of the judged one.
    """

    plan: Plan
    dimensions: tuple[Dimension, ...]
    progress: Progress
    arena: Arena
    confidence: float
    inert: tuple[str, ...] = ()
    found: Found = field(default_factory=lambda: Found(()))
    chosen: PolicyChoice = field(init=False)
    judged: PolicyChoice = field(init=False)
    over_start: ComparisonRun | None = None
    over_opponents: list[ComparisonRun | None] = field(default_factory=list)
    gain: PairedRatios | None = None
    costs: dict[str, PairedRatios] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with the policy as it is."""
        self.chosen = self.judged = self.plan.policy

    @property
    def is_stopped(self) -> bool:
        """Whether an interrupt ended a part of the work early."""
        return self.arena.was_stopped

    def search(self) -> None:
        """Find better values, if there are any."""
        plan, arena = self.plan, self.arena
        terms = plan.terms(len(self.dimensions))
        self._expect(searching.most_deals(terms), "")
        try:
            if not plan.ranges:
                playing = arena.playing(0, min(TRIED_DEALS, plan.deals))
                matter, inert = that_matter(plan.common, plan.policy, self.dimensions, playing)
                self.dimensions, self.inert = tuple(matter), tuple(inert)
        except StoppedError:
            self.arena.was_stopped = True
            self.found.stopped_by = searching.INTERRUPTED
            return
        if not self.dimensions:
            self.found.stopped_by = searching.NOTHING_MATTERS
            return
        terms, dimensions = plan.terms(len(self.dimensions)), self.dimensions
        names = [parameter.name for parameter in plan.policy.policy.parameters]
        start = tuple(plan.policy.values[names.index(one.name)] for one in dimensions)
        most = searching.most_deals(terms)
        self._expect(most, f"generation 1 of {terms.generations}")

        def play(points: Sequence[Point], first: int, count: int) -> list[PairedRatios]:
            return arena.play([plan.policy_with(dimensions, point).values for point in points], first, count)

        def watch(generation: Generation) -> None:
            share = generation.number / terms.generations
            told = f"generation {min(generation.number + 1, terms.generations)} of {terms.generations}"
            self._expect(round(most * (1 - share)), told)

        self.found = Search(dimensions, start, play, terms, plan.common.seed, watch).run()
        self.chosen = self.judged = plan.policy_with(dimensions, self.found.incumbent)

    def _expect(self, search: int, words: str) -> None:
        """Say what is still to come at most, those deals of the search included."""
        self.arena.meter.expect((search + self._most_after) * self.plan.tables, words)

    @property
    def _most_after(self) -> int:
        """Deals that are played after the search at most, each counted once for all tables."""
        return (2 * len(self.dimensions) + 8) * self.plan.fresh

    def duration_text(self) -> str:
        """How long all of it may take, by the time of a deal."""
        plan, arena = self.plan, self.arena
        try:
            # The first one loads the kernels.
            for deal in range(2):
                start = time.perf_counter()
                arena.play([plan.policy.values], deal, 1)
        except StoppedError:
            return "Interrupted before a deal was played."
        seconds = time.perf_counter() - start
        deals = searching.most_deals(plan.terms(len(self.dimensions))) + self._most_after
        return (
            f"A deal with a search takes {seconds:.2g} s at all tables, so all of it may take up to "
            f"{clock_text(deals * seconds / arena.workers)}. Fewer --deals, --fresh and --generations, or a --budget, "
            "make it shorter."
        )

    def prune(self) -> None:
        """Put back the values that are not shown to matter, unless something is shown to be lost by it."""
        from analysis.tuning import cost_rows

        plan, arena, count = self.plan, self.arena, self.plan.fresh
        names = plan.changed(self.chosen)
        if len(names) < 2:
            return
        arena.meter.expect((2 * len(names) + 8) * count * plan.tables, "what matters")
        try:
            variants = [plan.put_back(self.chosen, [name]).values for name in names]
            _, *sums = arena.play([self.chosen.values, *variants], PRUNING_FIRST, count)
            rows = dict(zip(names, cost_rows(sums, self.confidence), strict=True))
            back = sorted((name for name in names if rows[name]["low"] <= 0), key=lambda name: rows[name]["difference"])
            self.judged = self._without(back)
        except StoppedError:
            # What was not found to be idle stays.
            return

    def _without(self, back: Sequence[str]) -> PolicyChoice:
        """What was found, with as many values put back as seem to cost nothing together, the least costly first.

        How many is found by halving, on deals that did not tell what each of them costs.
        """
        from analysis.tuning import turned

        plan, count = self.plan, self.plan.fresh
        best, fewest, most = self.chosen, 0, len(back)
        tried = most
        while fewest < most:
            without = plan.put_back(self.chosen, back[:tried])
            _, both = self.arena.play([self.chosen.values, without.values], PRUNING_FIRST + count, count)
            loss = turned(both.difference(self.confidence))
            if (loss.difference or 0.0) <= LOSS * (loss.std_error or 0.0):
                best, fewest = without, tried
            else:
                most = tried - 1
            tried = (fewest + most + 1) // 2
        return best

    def judge(self) -> None:
        """Say on fresh deals what the values are worth, and each of them."""
        plan, arena, judged, count = self.plan, self.arena, self.judged, self.plan.fresh
        names = plan.changed(judged)
        if not names:
            return
        arena.meter.expect((len(names) + 4) * count * plan.tables, "fresh deals")
        self.over_start = arena.compare(judged, plan.policy, FRESH_FIRST, count, self.confidence)
        self.over_opponents = [arena.compare(judged, one, FRESH_FIRST, count, self.confidence) for one in plan.others]
        try:
            variants = [plan.put_back(judged, [name]).values for name in names]
            _, self.gain, *sums = arena.play([judged.values, plan.policy.values, *variants], FRESH_FIRST, count)
        except StoppedError:
            return
        self.costs = dict(zip(names, sums, strict=True))

    def sentences(self) -> list[str]:
        """The result in words."""
        sentences: list[str] = self.document()["sentence"]
        return sentences

    @property
    def policy_text(self) -> str:
        """Text of the policy to use: the judged one if it is shown to be better, else the one that was there."""
        text: str = self.document()["tuned"]
        return text

    def command(self) -> str:
        """The command that repeats it."""
        plan = self.plan
        words = ["carteador", "tune", plan.common.spec.name, "--policy", plan.policy.text]
        if not plan.is_against_itself:
            words += [word for one in plan.against for word in ("--against", one.text)]
        for name, ends in plan.ranges.items():
            words += ["--parameter", name if ends is None else f"{name}={ends[0]}..{ends[1]}"]
        words += ["--deals", str(plan.deals), "--fresh", str(plan.fresh)]
        for name in ("generations", "population", "budget"):
            value = getattr(plan, name)
            words += [] if value is None else [f"--{name}", str(value)]
        words += ["--seed", str(plan.common.seed)]
        for name, value in plan.common.changed.items():
            words += ["--rule", f"{name}={option_text(value)}"]
        return shlex.join(words)

    def checks(self) -> list[str]:
        """Commands that play the fresh deals again."""
        return [run.command() for run in (self.over_start, *self.over_opponents) if run is not None]

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON: schema ``carteador.tune/1``."""
        from analysis.comparison import SCORE
        from analysis.tuning import SCHEMA, comparison_rows, cost_rows, difference_row, turned
        from analysis.tuning_words import result_sentences

        plan, common = self.plan, self.plan.common
        over_start = None if self.over_start is None else comparison_rows(self.over_start.result.compared())
        over_opponents = {
            one.text: comparison_rows(run.result.compared())
            for one, run in zip(plan.others, self.over_opponents, strict=False)
            if run is not None
        }
        gain = None if over_start is None else over_start[SCORE]
        if not plan.is_against_itself:
            gain = None if self.gain is None else difference_row(SCORE, turned(self.gain.difference(self.confidence)))
        is_better = gain is not None and gain["low"] is not None and gain["low"] > 0
        values = {choice: dict(self._values(choice)) for choice in (plan.policy, self.chosen, self.judged)}
        names = plan.changed(self.judged)
        costs = dict(zip(self.costs, cost_rows(list(self.costs.values()), self.confidence), strict=True))
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "game": common.spec.name,
            "title": common.spec.title,
            "seed": common.seed,
            "first": FRESH_FIRST,
            "deals": 0 if self.over_start is None else self.over_start.progress.done,
            "seats": common.seats,
            "sides": common.sides,
            "confidence": self.confidence,
            "options": dict(common.options),
            "changed": dict(common.changed),
            "policy": plan.policy.text,
            "against": [one.text for one in plan.against],
            "found": self.chosen.text,
            "judged": self.judged.text,
            "tuned": self.judged.text if is_better else plan.policy.text,
            "improved": is_better,
            "gain": gain,
            "over_start": over_start,
            "over_opponents": over_opponents,
            "parameters": [
                {
                    "name": name,
                    "old": values[plan.policy][name],
                    "new": values[self.judged][name],
                    **costs.get(name, _UNKNOWN_COST),
                }
                for name in names
            ],
            "pruned": [
                {"name": name, "old": values[plan.policy][name], "found": values[self.chosen][name]}
                for name in plan.changed(self.chosen)
                if name not in names
            ],
            "search": self._search_row(),
            "interrupted": self.is_stopped,
            "command": self.command(),
            "checks": self.checks(),
            "provenance": provenance_of(self.arena.playing(0, 1), self.progress),
        }
        document["sentence"] = result_sentences(document)
        return document

    def _values(self, choice: PolicyChoice) -> list[tuple[str, int]]:
        names = [parameter.name for parameter in choice.policy.parameters]
        return list(zip(names, choice.values, strict=True))

    def _search_row(self) -> dict[str, Any]:
        plan, found = self.plan, self.found
        terms = plan.terms(max(1, len(self.dimensions)))
        names = [one.name for one in self.dimensions]
        return {
            "deals": plan.deals,
            "fresh": plan.fresh,
            "population": terms.population,
            "most_generations": terms.generations,
            "patience": terms.patience,
            "budget": plan.budget,
            "rungs": [
                {"candidates": size, "deals": upto} for size, upto in searching.rungs(terms.population, terms.deals)
            ],
            "parameters": [
                {"name": one.name, "low": one.low, "high": one.high, "start": one.start, "step": one.step}
                for one in self.dimensions
            ],
            "inert": list(self.inert),
            "generations": len(found.trajectory),
            "deals_played": found.deals * plan.tables,
            "stopped_by": found.stopped_by,
            "estimate": found.estimate,
            "trajectory": [
                {
                    "generation": one.number,
                    "best": one.best_estimate,
                    "best_values": dict(zip(names, one.best, strict=True)),
                    "mean": one.mean,
                    "sigma": one.sigma,
                    "deals": one.deals * plan.tables,
                    "incumbent": dict(zip(names, one.incumbent, strict=True)),
                    "replaced": one.replaced,
                }
                for one in found.trajectory
            ],
        }


def play(
    plan: Plan,
    *,
    threads: int | None,
    confidence: float,
    announce: Callable[[str], None] | None = None,
    watch: Callable[[Progress], None] | None = None,
    stopping: Stopping = nullcontext,
) -> TuneRun:
    """Search, put back what does not matter, and judge the rest on fresh deals.

    Parameters
    ----------
    threads, announce, watch
        As `sim.common_deals.Playing` has them.
    stopping
        Makes a context that yields an event which ends a stage of the work early: the search, what follows it.
    """
    check_library()
    meter = Meter(watch)
    arena = Arena(plan.common, plan.policy, plan.against, meter, threads, announce)
    run = TuneRun(plan, plan.dimensions, meter.progress, arena, confidence)
    with arena.stage(stopping):
        if announce is not None and arena.is_searched:
            announce(run.duration_text())
        run.search()
    with arena.stage(stopping):
        run.prune()
    with arena.stage(stopping):
        run.judge()
    meter.finish()
    return run


_UNKNOWN_COST = dict.fromkeys(("statistic", "unit", "n", "difference", "low", "high", "std_error", "level", "p_holm"))


def tune(
    game: str,
    policy: str | None = None,
    *,
    against: str | Sequence[str] | None = None,
    parameters: Sequence[str] | Mapping[str, tuple[int, int] | None] = (),
    deals: int | None = None,
    fresh: int | None = None,
    generations: int | None = None,
    population: int | None = None,
    budget: int | None = None,
    seed: int | None = None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    threads: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
) -> TuneRun:
    """Seek the parameters with which a policy plays best, and say on fresh deals what they are worth.

    Candidates come from CMA-ES. Those of a generation play the same deals against the same opponents, both ways round
    as in `sim.compare`; the better half goes on to twice as many deals, and so on. What was found is judged on deals
    that had no part in finding it. Needs the extra `tune`.

    Parameters
    ----------
    game
        Name of a game.
    policy
        As ``"standard"`` or ``"standard:take_lixo=3"``: where the search begins. The game's default policy if None.
    against
        Whom the candidates play: the policy as it is if None. Of several, which count alike, the mean is sought.
    parameters
        Names, also as ``"take_lixo=1..8"``, or a mapping from name to (low, high) or None. If none is named, all that
        change anything under the rules.
    deals
        That a candidate is played on if it comes to the last rung of a generation; 10,000 if None.
    fresh
        Deals at the end; ten times `deals` if None.
    generations, population
        The most generations, and candidates of each; the number of parameters decides if None.
    budget
        The most deals that the search plays, those of all candidates at all tables added; no limit if None.
    seed
        Of the candidates and of all cards; 0 if None.
    rules, threads, confidence, progress
        As for `sim.compare`. Confidence is that of the result, and of all parameters' intervals together.

    Raises
    ------
    UsageError
        If an argument is wrong, or the library is not installed.

    Examples
    --------
    >>> import sim
    >>> found = sim.tune("canastra", "novice", parameters=["take_lixo", "keep_gap=0..100"], deals=200, fresh=2_000,
    ...                  generations=6, seed=7)
    >>> found.document()["improved"]
    True
    """
    plan = prepare(
        game,
        policy,
        against,
        parameters=parameters,
        deals=deals,
        fresh=fresh,
        generations=generations,
        population=population,
        budget=budget,
        seed=seed,
        rules=rules,
    )
    workers = None if threads is None else check_integer("threads", threads, 1, MAX_THREADS)
    return play(plan, threads=workers, confidence=check_fraction("confidence", confidence), watch=progress)
