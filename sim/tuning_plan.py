"""What a search for parameters is to do, checked: which policy, against whom, within which ranges, how long."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernels.spec import GameSpec
from sim import searching
from sim.candidates import Dimension, Point, check_library
from sim.errors import UsageError
from sim.games import PolicyChoice, Setup, make_setup, parse_policy
from sim.names import Names, in_program
from sim.numbers import check_integer
from sim.searching import Terms
from sim.tuning_space import Ranges, check_ranges, dimensions_of, with_named

DEFAULT_DEALS = 10_000
FRESH_FACTOR = 10
"""Fresh deals for each deal of a candidate, where nothing is said."""

MOST_DEALS, MOST_FRESH = 10**9, 10**12
LEAST_POPULATION, MOST_POPULATION = 4, 1_000
MOST_GENERATIONS = 100_000
MOST_BUDGET = 10**15
MOST_OPPONENTS = 20


@dataclass(frozen=True)
class Plan:
    """A search that is checked and ready.

    Attributes
    ----------
    common
        Game, rules and seed.
    policy, against
        The policy whose parameters are sought, as it is, and whom it plays: one or several.
    ranges
        What was named; empty for all parameters that matter.
    deals, fresh
        Of a candidate at the last rung, and at the end.
    generations, population, budget
        What was given; None where the number of parameters decides, and for no budget.
    """

    common: Setup
    policy: PolicyChoice
    against: tuple[PolicyChoice, ...]
    ranges: Ranges
    deals: int
    fresh: int
    generations: int | None = None
    population: int | None = None
    budget: int | None = None

    @property
    def is_against_itself(self) -> bool:
        """Whether the only opponent is the policy as it is."""
        return [one.text for one in self.against] == [self.policy.text]

    @property
    def others(self) -> list[PolicyChoice]:
        """The opponents that are not the policy as it is."""
        return [one for one in self.against if one.text != self.policy.text]

    @property
    def tables(self) -> int:
        """Tables at which a candidate plays each deal."""
        from analysis.comparison import tables_for

        return len(tables_for(self.common.sides)) * len(self.against)

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """What is sought, before what changes nothing is left out."""
        return dimensions_of(self.policy, self.ranges)

    def terms(self, dimensions: int) -> Terms:
        """How long the search goes on; its deals are those of all candidates, each counted once for all tables."""
        return Terms(
            self.deals,
            self.population or searching.default_population(dimensions),
            self.generations or searching.default_generations(dimensions),
            searching.default_patience(dimensions),
            None if self.budget is None else self.budget // self.tables,
        )

    def policy_with(self, dimensions: Sequence[Dimension], point: Point) -> PolicyChoice:
        """The policy with the values of a point of the search."""
        return with_named(self.policy, dict(zip((one.name for one in dimensions), point, strict=True)))

    def changed(self, choice: PolicyChoice) -> list[str]:
        """Names of the parameters in which it differs from the policy as it is."""
        pairs = zip(self.policy.policy.parameters, self.policy.values, choice.values, strict=True)
        return [parameter.name for parameter, old, new in pairs if old != new]

    def put_back(self, choice: PolicyChoice, names: Sequence[str]) -> PolicyChoice:
        """`choice` with some parameters as they were."""
        old = zip(self.policy.policy.parameters, self.policy.values, strict=True)
        return with_named(choice, {parameter.name: value for parameter, value in old if parameter.name in names})


def _opponents(
    spec: GameSpec, policy: PolicyChoice, against: str | Sequence[str] | None, name: str
) -> tuple[PolicyChoice, ...]:
    """Whom the candidates play: the policy as it is if nobody is named."""
    texts = [against] if isinstance(against, str) else list(against or ())
    if not texts:
        return (policy,)
    if len(texts) > MOST_OPPONENTS:
        raise UsageError(f"{name}: {len(texts):,} opponents are too many; allowed are up to {MOST_OPPONENTS}")
    found = [parse_policy(spec, text, name) for text in texts]
    for place, one in enumerate(found):
        if one.text in [other.text for other in found[:place]]:
            raise UsageError(f"{name}: {one.text} is given twice")
    return tuple(found)


def prepare(
    game: str,
    policy: str | None,
    against: str | Sequence[str] | None,
    *,
    parameters: object = (),
    parameter_texts: Sequence[str] = (),
    deals: int | str | None = None,
    fresh: int | str | None = None,
    generations: int | str | None = None,
    population: int | str | None = None,
    budget: int | str | None = None,
    seed: int | str | None = None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    rule_texts: Sequence[str] = (),
    names: Names = in_program,
) -> Plan:
    """Check what is sought.

    Raises
    ------
    UsageError
        If anything is wrong.
    """

    def number(name: str, value: int | str | None, low: int, high: int) -> int | None:
        return None if value is None else check_integer(names(name), value, low, high)

    common = make_setup(game, seed=seed, rules=rules, rule_texts=rule_texts, names=names)
    spec = common.spec
    choice = parse_policy(spec, spec.default_policy if policy is None else policy, names("policy"))
    opponents = _opponents(spec, choice, against, names("against"))
    ranges = check_ranges(choice, parameters, parameter_texts, names)
    _check_searches(choice, opponents, ranges, deals, names)
    each = number("deals", deals, 1, MOST_DEALS) or DEFAULT_DEALS
    plan = Plan(
        common,
        choice,
        opponents,
        ranges,
        each,
        number("fresh", fresh, 2, MOST_FRESH) or FRESH_FACTOR * each,
        number("generations", generations, 1, MOST_GENERATIONS),
        number("population", population, LEAST_POPULATION, MOST_POPULATION),
        number("budget", budget, 1, MOST_BUDGET),
    )
    check_library()
    terms = plan.terms(len(plan.dimensions))
    least = searching.least_deals(terms)
    if terms.budget is not None and terms.budget < least:
        raise UsageError(
            f"{names('budget')}: {plan.budget:_} deals are less than a generation takes, {least * plan.tables:_}; "
            f"with fewer {names('deals')} it takes less"
        )
    return plan


def _check_searches(
    choice: PolicyChoice, opponents: Sequence[PolicyChoice], ranges: Ranges, deals: int | str | None, names: Names
) -> None:
    """Refuse what would never end where a search plays: what is fit for other policies."""
    if not any(one.is_search for one in (choice, *opponents)):
        return
    searcher = "policy" if choice.is_search else "against"
    if choice.is_search and not ranges:
        raise UsageError(
            f"{names('parameter')}: name the parameters to seek; to find out which of {choice.policy.name}'s matter "
            "takes too long"
        )
    if deals is None:
        raise UsageError(
            f"{names('deals')}: say how many, as 50; a deal in which {names(searcher)} searches takes as long as "
            f"thousands of others, so {DEFAULT_DEALS:_}, the default, would not come to an end"
        )
