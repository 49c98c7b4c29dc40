"""Which parameters of a policy are sought, in which range, and how far apart the first candidates lie."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from kernels.spec import Parameter
from sim import batch
from sim.candidates import LEAST_STEP, Dimension
from sim.common_deals import Playing
from sim.errors import UsageError, unknown
from sim.games import PolicyChoice, Setup
from sim.names import Names
from sim.numbers import check_integer, parse_integer
from sim.searching import StoppedError

Ranges = Mapping[str, tuple[int, int] | None]
"""Range by name of a parameter; None for that of the policy."""

TRIED_DEALS = 200
"""Deals on which a parameter must change something to be sought."""

OTHERS = 5
"""Policies around which that is tried, beside the one as it is."""

_RANGE = re.compile(r"(?P<low>[^.]+(?:\.\d+)?)\.\.(?P<high>.+)")


def ranges_of_texts(choice: PolicyChoice, texts: Sequence[str], where: str) -> Ranges:
    """Read ``NAME`` or ``NAME=LOW..HIGH``, once for each.

    Raises
    ------
    UsageError
        If a text is of another form, a parameter is unknown or named twice, or a range goes past the policy's.
    """
    known = _parameters(choice, where)
    ranges: dict[str, tuple[int, int] | None] = {}
    for text in texts:
        name, equals, written = (piece.strip() for piece in text.partition("="))
        if name not in known:
            raise unknown(where, f"parameter of policy {choice.policy.name}", name, known)
        if name in ranges:
            raise UsageError(f"{where}: {name} is given twice; give it once")
        ranges[name] = _range(known[name], written, f"{where} {name}") if equals else None
    return ranges


def checked_ranges(choice: PolicyChoice, given: object, where: str) -> Ranges:
    """Check what a program passes: names, as for `ranges_of_texts`, or a mapping from name to (low, high) or None.

    Raises
    ------
    UsageError
        If it is anything else, or does not fit the policy.
    """
    if isinstance(given, Mapping):
        known = _parameters(choice, where)
        ranges: dict[str, tuple[int, int] | None] = {}
        for name, ends in given.items():
            if name not in known:
                raise unknown(where, f"parameter of policy {choice.policy.name}", str(name), known)
            ranges[name] = None if ends is None else _checked_ends(known[name], ends, f"{where}, {name}")
        return ranges
    if isinstance(given, str) or not isinstance(given, Sequence) or not all(isinstance(one, str) for one in given):
        raise UsageError(f"{where}: {given!r} is not allowed; allowed are names, or a mapping from name to (low, high)")
    return ranges_of_texts(choice, given, where)


def _parameters(choice: PolicyChoice, where: str) -> dict[str, Parameter]:
    known = {parameter.name: parameter for parameter in choice.policy.parameters}
    if not known:
        raise UsageError(f"{where}: {choice.policy.name} has no parameters")
    return known


def _checked_ends(parameter: Parameter, ends: object, where: str) -> tuple[int, int]:
    if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:
        raise UsageError(f"{where}: {ends!r} is not allowed; allowed is (low, high), or None for the whole range")
    low, high = (check_integer(where, end, parameter.low, parameter.high) for end in ends)
    return _rising(low, high, f"({low}, {high})", where)


def _range(parameter: Parameter, written: str, where: str) -> tuple[int, int]:
    found = _RANGE.fullmatch(written)
    if found is None:
        raise UsageError(f"{where}: {written!r} is not of the form low..high")
    low, high = (parse_integer(where, found[end], parameter.low, parameter.high) for end in ("low", "high"))
    return _rising(low, high, written, where)


def _rising(low: int, high: int, written: str, where: str) -> tuple[int, int]:
    if high <= low:
        what = "has only one value" if low == high else "runs downwards"
        raise UsageError(f"{where}: {written} {what}; write low..high")
    return low, high


def dimensions_of(choice: PolicyChoice, ranges: Ranges) -> tuple[Dimension, ...]:
    """Dimensions of a search, in the policy's order: those named, or all where none is.

    Around its value a parameter is sought with a spread of a quarter of a range that was given, and else of 0.3 of
    its size (`_size`); of a sixth of the range where it stands at an end that means "never".
    """
    found = []
    for parameter, value in zip(choice.policy.parameters, choice.values, strict=True):
        if ranges and parameter.name not in ranges:
            continue
        given = ranges.get(parameter.name)
        low, high = given or (parameter.low, parameter.high)
        width = high - low
        if given is not None:
            step = width / 4
        elif _is_never(parameter, value):
            step = width / 6
        else:
            step = min(0.3 * _size(choice, parameter, value), width / 4)
        found.append(Dimension(parameter.name, low, high, min(max(value, low), high), max(step, LEAST_STEP)))
    return tuple(found)


def _is_never(parameter: Parameter, value: int) -> bool:
    """Whether a value stands at an end far away, as a size that no pile reaches or a lead that is always there."""
    return parameter.high - parameter.low > 20 and (value == parameter.high or value == parameter.low < 0)


def _size(choice: PolicyChoice, parameter: Parameter, value: int) -> float:
    """How large values of this kind are: its own, or the median of those of the policy that have the same range."""
    others = [
        abs(other)
        for one, other in zip(choice.policy.parameters, choice.values, strict=True)
        if (one.low, one.high) == (parameter.low, parameter.high) and other and not _is_never(one, other)
    ]
    return max(abs(value), median(others) if others else (parameter.high - parameter.low) / 4)


def that_matter(
    common: Setup, choice: PolicyChoice, dimensions: Sequence[Dimension], playing: Playing
) -> tuple[list[Dimension], list[str]]:
    """Sort out the parameters that change nothing under these rules.

    Each is set to both ends and a step away to either side, alone, with all seats playing so; around the policy as it
    is, and around some others near it, since one parameter may matter only where another is at work. If no score of
    these deals changes, it is left out.

    Parameters
    ----------
    playing
        Which deals, and how.

    Returns
    -------
    matter : list of Dimension
    inert : list of str
        Names of the others.

    Raises
    ------
    StoppedError
        If it was interrupted.
    """
    jobs = batch.deal_jobs(common, playing.first, playing.count)
    batch.first_compile(common, playing.announce)
    bases = [(base, _scores(common, base, jobs)) for base in _bases(choice, dimensions, common.seed)]
    matter: set[str] = set()

    def work(chunk: batch.Chunk) -> tuple[int, bool]:
        played = 0
        for base, plain in bases:
            for changed in _alone(base, dimensions[chunk.first]):
                played += len(jobs)
                if (_scores(common, changed, jobs) != plain).any():
                    return played, True
        return played, False

    def finish(chunk: batch.Chunk, is_other: bool) -> None:
        if is_other:
            matter.add(dimensions[chunk.first].name)

    with playing.stopping() as stop:
        progress = batch.run_chunks(
            work,
            0,
            len(dimensions),
            threads=playing.workers,
            chunk_size=1,
            finish=finish,
            watch=playing.watch,
            stop=stop,
        )
    if progress.stopped:
        raise StoppedError
    return [one for one in dimensions if one.name in matter], [one.name for one in dimensions if one.name not in matter]


def _scores(common: Setup, choice: PolicyChoice, jobs: batch.Records) -> batch.Records:
    """Scores of all sides where all seats play a policy."""
    setup = Setup(common.spec, common.options, (choice,) * common.seats, common.seed)
    return batch.play(setup, jobs)["score"]


def _bases(choice: PolicyChoice, dimensions: Sequence[Dimension], seed: int) -> list[PolicyChoice]:
    """The policy as it is, and others whose values lie about two steps away."""
    random = np.random.default_rng([seed, OTHERS])
    found = [choice]
    for _ in range(OTHERS):
        away = {one.name: round(2 * one.step * random.standard_normal()) for one in dimensions}
        near = {one.name: min(max(one.start + away[one.name], one.low), one.high) for one in dimensions}
        found.append(with_named(choice, near))
    return found


def _alone(base: PolicyChoice, dimension: Dimension) -> list[PolicyChoice]:
    """A policy with this one parameter at both ends, and a step away to either side."""
    value = dict(zip((one.name for one in base.policy.parameters), base.values, strict=True))[dimension.name]
    away = math.ceil(dimension.step)
    tried = dict.fromkeys((value - away, value + away, dimension.low, dimension.high))
    return [
        with_named(base, {dimension.name: other})
        for other in tried
        if dimension.low <= other <= dimension.high and other != value
    ]


def with_named(choice: PolicyChoice, values: Mapping[str, int]) -> PolicyChoice:
    """The same policy with some other values, by name."""
    pairs = zip(choice.policy.parameters, choice.values, strict=True)
    return with_values(choice, tuple(values.get(parameter.name, old) for parameter, old in pairs))


def with_values(choice: PolicyChoice, values: tuple[int, ...]) -> PolicyChoice:
    """The same policy with other values."""
    return replace(choice, values=values)


def check_ranges(choice: PolicyChoice, given: object, texts: Sequence[str], names: Names) -> Ranges:
    """Ranges from the texts of a command, or from what a program passes.

    Raises
    ------
    UsageError
        If the policy has no parameters, or something does not fit.
    """
    if not choice.policy.parameters:
        raise UsageError(f"{names('policy')}: {choice.policy.name} has no parameters that could be sought")
    if texts:
        return ranges_of_texts(choice, texts, names("parameter"))
    return checked_ranges(choice, given if given is not None else (), names("parameters"))
