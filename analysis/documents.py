"""The JSON documents that results are told in, read back and checked: one class a schema.

What a document may hold beyond the fields named here is let through: a later version of a schema only adds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from analysis.document_parts import ChangedParameter, Decision, PutBack, Searching

SUMMARY, COMPARE, TOURNAMENT, SWEEP, TUNE, ODDS, ADVICE = (
    "carteador.summary/1",
    "carteador.compare/1",
    "carteador.tournament/1",
    "carteador.sweep/1",
    "carteador.tune/1",
    "carteador.odds/1",
    "carteador.advice/1",
)


MOST_PARTS = 1_000
"""The largest divisor of a mean over the tables of a deal."""


class DocumentError(ValueError):
    """A text or a mapping is none of the documents: the message says what is wrong with it."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One estimate, as `analysis.summary.SummaryRow`."""

    statistic: str
    group: str = "all"
    unit: str = ""
    n: int = 0
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    std_error: float | None = None

    @property
    def is_share(self) -> bool:
        """Whether it is a proportion, 0 to 1."""
        return self.unit == "share"


class Counts(msgspec.Struct, frozen=True):
    """How many rows (`counts`) have each of the `values`, which rise."""

    values: list[int]
    counts: list[int]

    def __post_init__(self) -> None:
        """Refuse what is no count of values."""
        if len(self.values) != len(self.counts):
            raise ValueError("there are not as many counts as values")
        if any(count < 0 for count in self.counts):
            raise ValueError("a count is negative")
        if any(after <= before for before, after in zip(self.values, self.values[1:], strict=False)):
            raise ValueError("the values do not rise")

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.counts)


class FineCounts(msgspec.Struct, frozen=True):
    """Value counts of means over the tables of a deal: whole numbers of points over a small one."""

    values: list[float]
    counts: list[int]

    def __post_init__(self) -> None:
        """Refuse what is no count of values."""
        self.whole()

    def whole(self) -> tuple[Counts, int]:
        """Return the same counts of whole values, and by what these are divided.

        Raises
        ------
        ValueError
            If the values are no multiples of a common fraction, or they are no counts.
        """
        for divisor in range(1, MOST_PARTS + 1):
            scaled = [value * divisor for value in self.values]
            if all(abs(value - round(value)) < 1e-6 * max(1.0, abs(value)) for value in scaled):
                return Counts([round(value) for value in scaled], self.counts), divisor
        raise ValueError("the values have no common fraction")


class Document(msgspec.Struct, kw_only=True):
    """What all documents have.

    Attributes
    ----------
    first
        Number of the first deal (or match); None, like `command`, in documents of versions that did not write it.
    command
        The ``carteador`` command that repeats it.
    sentence
        What it says, in words.
    """

    schema: str
    game: str
    deals: int
    seed: int
    first: int | None = None
    confidence: float = 0.95
    command: str | None = None
    sentence: list[str] | str = []
    provenance: dict[str, Any] = {}

    @property
    def sentences(self) -> list[str]:
        """What it says in words, a list also where the document has one text."""
        return [self.sentence] if isinstance(self.sentence, str) else list(self.sentence)


class Reached(msgspec.Struct, kw_only=True):
    """A precision at which a run was to stop: the half width wanted, and what there was when it stopped."""

    statistic: str
    group: str = "all"
    unit: str = ""
    wanted: float
    reached: float | None = None
    met: bool = False

    @property
    def name(self) -> str:
        """As the command has it."""
        return self.statistic if self.group == "all" else f"{self.statistic}@{self.group}"


class Summary(Document, kw_only=True):
    """A run (``carteador.summary/1``); `matches` is their number in a run of matches."""

    options: dict[str, Any]
    policies: list[str]
    statistics: list[Row]
    histograms: dict[str, dict[str, Counts]] = {}
    matches: int | None = None
    until: list[Reached] = []


class Contestant(msgspec.Struct, kw_only=True):
    """One of the two ways of playing that are compared."""

    label: str
    policy: str = ""
    options: dict[str, Any] = {}
    changed: dict[str, Any] = {}


class Difference(msgspec.Struct, kw_only=True):
    """A statistic of both, and the paired difference a - b."""

    statistic: str
    unit: str = ""
    a: float | None = None
    b: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    std_error: float | None = None
    n: int = 0
    variance_reduction: float | None = None


class SignTest(msgspec.Struct, kw_only=True):
    """Deals in which a does better than b, worse and equally well; two-sided exact `p_value`."""

    better: int = 0
    worse: int = 0
    equal: int = 0
    p_value: float | None = None


class Compare(Document, kw_only=True):
    """A paired comparison (``carteador.compare/1``) of ``policies`` or of ``rules``."""

    a: Contestant
    b: Contestant
    of: str = "policies"
    seats: int | None = None
    sides: int | None = None
    tables: list[dict[str, Any]] = []
    differences: list[Difference] = []
    sign_test: SignTest | None = None
    histogram: FineCounts | None = None


class Pair(msgspec.Struct, kw_only=True):
    """Two policies of a tournament against each other."""

    a: str
    b: str
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    std_error: float | None = None
    win_rate_a: float | None = None
    win_rate_b: float | None = None
    variance_reduction: float | None = None
    n: int = 0
    better: int = 0
    worse: int = 0
    equal: int = 0
    sign_test_p_value: float | None = None
    p_value: float | None = None
    p_holm: float | None = None


class Ranked(msgspec.Struct, kw_only=True):
    """A policy's place in a tournament."""

    rank: int
    policy: str
    strength: float
    strength_low: float | None = None
    strength_high: float | None = None
    wins: int = 0
    losses: int = 0


class MixedRow(msgspec.Struct, kw_only=True):
    """A policy at tables where several sit together."""

    policy: str
    score: float | None = None
    low: float | None = None
    high: float | None = None
    win_rate: float | None = None
    win_rate_low: float | None = None
    win_rate_high: float | None = None


class Mixed(msgspec.Struct, kw_only=True):
    """Mixed tables of a tournament."""

    rows: list[MixedRow] = []


class Tournament(Document, kw_only=True):
    """All pairs of policies (``carteador.tournament/1``)."""

    policies: list[str]
    options: dict[str, Any] = {}
    pairs: list[Pair] = []
    ranking: list[Ranked] = []
    mixed: Mixed | None = None


class Axis(msgspec.Struct, kw_only=True):
    """What a sweep varies: a house rule or a parameter of a policy."""

    name: str
    kind: str = "rule"
    policy: str | None = None
    values: list[Any] = []


class AgainstFirst(msgspec.Struct, kw_only=True):
    """Paired difference of a point from the first point of the sweep."""

    statistic: str
    difference: float | None = None
    low: float | None = None
    high: float | None = None


class Point(msgspec.Struct, kw_only=True):
    """One point of a sweep's grid."""

    values: dict[str, Any]
    deals: int = 0
    rows: list[Row] = []
    against_first: list[AgainstFirst] = []


class Fresh(msgspec.Struct, kw_only=True):
    """The best point once more, on deals that had no part in finding it."""

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    std_error: float | None = None
    deals: int = 0
    first_deal: int | None = None


class Best(msgspec.Struct, kw_only=True):
    """The best point of a sweep."""

    values: dict[str, Any]
    statistic: str
    direction: str = "highest"
    target: float | None = None
    estimate_in_sweep: float | None = None
    fresh: Fresh | None = None


class Sweep(Document, kw_only=True):
    """A statistic over a grid of rules or parameters (``carteador.sweep/1``)."""

    axes: list[Axis]
    points: list[Point]
    best: Best | None = None
    options: dict[str, Any] = {}
    policy: str | None = None
    against: str | None = None

    def __post_init__(self) -> None:
        """Refuse points that do not lie on the grid, or do not tell the same statistics."""
        if not self.axes or not self.points:
            raise ValueError("a sweep has an axis and a point at least")
        names = {axis.name for axis in self.axes}
        told = _told(self.points[0])
        for point in self.points:
            if not names <= set(point.values):
                raise ValueError("a point has no value for an axis")
            if not told <= _told(point):
                raise ValueError("a point lacks a statistic of the first one")


class OddsRow(msgspec.Struct, kw_only=True):
    """A statistic of the seat with a hand, without it on the same deals, and the difference."""

    statistic: str
    section: str = ""
    question: str = ""
    unit: str = ""
    n: int = 0
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    std_error: float | None = None
    average: float | None = None
    difference: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None


class Odds(Document, kw_only=True):
    """What a hand is worth (``carteador.odds/1``)."""

    seat: int
    hand: list[str]
    rows: list[OddsRow]
    top_card: list[str] = []
    options: dict[str, Any] = {}
    policies: list[str] = []


class Tune(Document, kw_only=True):
    """A search for parameters (``carteador.tune/1``).

    Attributes
    ----------
    policy, against, found, judged, tuned
        Texts of the policy as it was, its opponents, what was found, that without what was put back, what to use.
    over_start, over_opponents
        By statistic, the judged one on fresh deals against the policy as it was and, by text, every other opponent.
    gain
        The difference that decides.
    checks
        Commands that play the fresh deals again.
    """

    policy: str
    against: list[str]
    found: str
    judged: str
    tuned: str
    improved: bool
    search: Searching
    parameters: list[ChangedParameter] = []
    pruned: list[PutBack] = []
    gain: Difference | None = None
    over_start: dict[str, Difference] | None = None
    over_opponents: dict[str, dict[str, Difference]] = {}
    options: dict[str, Any] = {}
    interrupted: bool = False
    checks: list[str] = []


class Advice(Document, kw_only=True):
    """What to play (``carteador.advice/1``): no deals are counted, but worlds.

    Attributes
    ----------
    deal, match, turn
        Which turn it is; all None of a position that was typed in, and `deal` the hand of a match.
    search, rollouts
        Who played the options out, in how many worlds.
    """

    deals: int = 0
    search: str
    rollouts: int
    decisions: list[Decision]
    deal: int | None = None
    match: int | None = None
    turn: int | None = None
    options: dict[str, Any] = {}
    policies: list[str] = []


def _told(point: Point) -> set[tuple[str, str]]:
    return {(row.statistic, row.group) for row in point.rows}


SCHEMAS: Mapping[str, type[Document]] = {
    SUMMARY: Summary,
    COMPARE: Compare,
    TOURNAMENT: Tournament,
    SWEEP: Sweep,
    TUNE: Tune,
    ODDS: Odds,
    ADVICE: Advice,
}
"""Class of each schema that can be reported."""


def read_json(content: bytes) -> Document:
    """Read a document from JSON.

    Raises
    ------
    DocumentError
        If it is no JSON, of no schema known here, or lacks what its schema demands.
    """
    try:
        value = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"it is no JSON: {_first_line(error)}") from None
    return read(value)


def read(value: Any) -> Document:
    """Read a document from what `json` made of it, or from what wrote it (`analysis.summary.summary_document`).

    Raises
    ------
    DocumentError
        If it is of no schema known here, or lacks what its schema demands.
    """
    if isinstance(value, Document):
        return value
    if not isinstance(value, Mapping) or not isinstance(value.get("schema"), str):
        raise DocumentError("it is no document of carteador: it names no schema")
    kind = SCHEMAS.get(value["schema"])
    if kind is None:
        raise DocumentError(f"its schema is {value['schema']!r}; a report is made of {_listed(list(SCHEMAS))}")
    try:
        document = msgspec.convert(value, type=kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise DocumentError(f"it is no {value['schema']}: {_first_line(error)}") from None
    if not (math.isfinite(document.confidence) and 0 < document.confidence < 1):
        raise DocumentError(f"its confidence is {document.confidence!r}, which is not between 0 and 1")
    return document


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}"
