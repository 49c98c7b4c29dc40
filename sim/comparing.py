"""Two policies, or one policy under two sets of rules, on the same deals (``carteador compare``)."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.api import DEALS, check_extent
from sim.batch import Chunk, Progress
from sim.common_deals import Playing, check_played, provenance_of, seating_of, sum_over_deals
from sim.errors import UsageError
from sim.games import PolicyChoice, Setup, find_game, make_setup, parse_policy
from sim.names import Names, in_program
from sim.numbers import check_fraction
from sim.rules import complete_options, option_text

if TYPE_CHECKING:
    from analysis.comparison import Comparison
    from analysis.rule_comparison import RuleComparison
    from kernels.spec import GameSpec


@dataclass(frozen=True)
class Contestant:
    """A policy under some rules: one of the two that are compared."""

    choice: PolicyChoice
    options: Mapping[str, Any]
    changed: Mapping[str, Any]

    @property
    def text(self) -> str:
        """Text of its policy."""
        return self.choice.text

    def row(self, label: str) -> dict[str, Any]:
        """What a document says of it."""
        return {"label": label, "policy": self.text, "options": dict(self.options), "changed": dict(self.changed)}


@dataclass(frozen=True)
class ComparisonRun:
    """A finished (or interrupted) comparison.

    Attributes
    ----------
    a, b
        What was compared.
    labels
        What they are called in words: their policies, or their rules.
    result
        `analysis.comparison.Comparison` of two policies, or `analysis.rule_comparison.RuleComparison`.
    tables
        Setups at which every deal was played.
    """

    spec: GameSpec
    a: Contestant
    b: Contestant
    labels: tuple[str, str]
    result: Comparison | RuleComparison
    tables: tuple[Setup, ...]
    playing: Playing
    progress: Progress

    @property
    def is_of_rules(self) -> bool:
        """Whether rules were compared, and not policies."""
        return self.a.text == self.b.text

    def sentences(self) -> list[str]:
        """The result in words."""
        from analysis.comparison_words import policy_sentences, rule_sentences

        if self.is_of_rules:
            return rule_sentences(self.labels, self.result.compared())
        return policy_sentences(self.labels, self.result.compared(), self.result.sign_test(), self.result.confidence)

    def command(self) -> str:
        """The command that repeats it."""
        setup = self.tables[0]
        words = ["carteador", "compare", self.spec.name, "--a", self.a.text, "--b", self.b.text]
        words += ["--deals", str(self.playing.count), "--seed", str(setup.seed)]
        if self.playing.first:
            words += ["--first", str(self.playing.first)]
        both = {name: value for name, value in self.a.changed.items() if self.b.changed.get(name) == value}
        for flag, changed in (("--rule", both), ("--a-rule", self.a.changed), ("--b-rule", self.b.changed)):
            for name, value in changed.items():
                if flag == "--rule" or name not in both:
                    words += [flag, f"{name}={option_text(value)}"]
        return shlex.join(words)

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON: schema ``carteador.compare/1``."""
        from analysis.comparison import SCHEMA

        document: dict[str, Any] = {
            "schema": SCHEMA,
            "game": self.spec.name,
            "title": self.spec.title,
            "of": "rules" if self.is_of_rules else "policies",
            "seed": self.tables[0].seed,
            "first": self.playing.first,
            "deals": self.progress.done,
            "seats": self.tables[0].seats,
            "sides": self.tables[0].sides,
            "confidence": self.result.confidence,
            "a": self.a.row(self.labels[0]),
            "b": self.b.row(self.labels[1]),
            "tables": [{"policies": setup.policy_texts} for setup in self.tables],
            "differences": [found.row() for found in self.result.compared()],
            "sign_test": self.result.sign_test(),
            "sentence": self.sentences(),
            "command": self.command(),
            "provenance": provenance_of(self.playing, self.progress),
        }
        if not self.is_of_rules:
            document["histogram"] = self.result.histogram()  # type: ignore[union-attr]
        return document


def compare(
    game: str,
    a: str | None = None,
    b: str | None = None,
    *,
    deals: int | None = None,
    seed: int | None = None,
    first: int = 0,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    a_rules: Mapping[str, Any] | None = None,
    b_rules: Mapping[str, Any] | None = None,
    statistics: Sequence[str] = (),
    threads: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
) -> ComparisonRun:
    """Play the same deals both ways round and say what the difference is.

    Two policies change places, so that the cards favour neither: with two sides each plays both; with more, one
    plays alone against the other, at every seat in turn, and then the reverse. One policy under two sets of rules
    plays each deal once under either.

    Parameters
    ----------
    game
        Name of a game.
    a, b
        Policies as ``"standard"`` or ``"standard:take_lixo=3"``. `a` is the game's default policy if None, `b` is
        like `a` if None.
    deals, seed, first
        As for `sim.simulate`.
    rules
        House rules of both.
    a_rules, b_rules
        House rules of one of them, which win over `rules`; then both must have one policy.
    statistics
        For two sets of rules: what is compared, as ``"turns"`` or ``"score@plays_first:yes"``.
    threads
        Worker threads; all processors if None.
    confidence
        Level of the intervals.
    progress
        Called with a `sim.batch.Progress` after each chunk.

    Raises
    ------
    UsageError
        If an argument is wrong; the message says what is allowed.

    Examples
    --------
    >>> import sim
    >>> found = sim.compare("canastra", "standard", "novice", deals=1_000, seed=7)
    >>> found.result.score.low > 0
    True
    """
    count, first = check_extent(DEALS, deals, first)
    contest = prepare(game, a, b, seed, rules, a_rules, b_rules, names=in_program)
    playing = Playing(first, count, threads, watch=progress)
    return contest.play(statistics, playing, check_fraction("confidence", confidence), "statistics")


@dataclass(frozen=True)
class Contest:
    """What is compared, checked and ready to be played."""

    spec: GameSpec
    a: Contestant
    b: Contestant
    seed: int

    def play(self, statistics: Sequence[str], playing: Playing, confidence: float, where: str) -> ComparisonRun:
        """Play it.

        Parameters
        ----------
        where
            What gave the statistics, for errors.
        """
        if self.a.text == self.b.text:
            return self._play_rules(statistics, playing, confidence, where)
        if statistics:
            raise UsageError(
                f"{where}: policies are compared in score and win_rate; other statistics are told of one policy under "
                "two sets of rules, or by carteador sweep"
            )
        return self.play_policies(playing, confidence)

    def play_policies(self, playing: Playing, confidence: float) -> ComparisonRun:
        """Play two policies against each other, changing places."""
        from analysis.comparison import Comparison, ComparisonSums, sums_of, tables_for

        sides = self.spec.sides(self.a.options)
        tables = tables_for(sides)
        setups = tuple(self._setup(table) for table in tables)
        seatings = [seating_of(setup) for setup in setups]
        total: list[ComparisonSums] = []

        def add(_chunk: Chunk, sums: ComparisonSums) -> None:
            total[:] = [total[0] + sums] if total else [sums]

        progress = sum_over_deals(setups, lambda records: sums_of(tables, seatings, records), add, playing)
        check_played(total)
        result = Comparison(total[0], sides, confidence)
        labels = (self.a.text, self.b.text)
        return ComparisonRun(self.spec, self.a, self.b, labels, result, setups, playing, progress)

    def _setup(self, table: Sequence[bool]) -> Setup:
        spec, options = self.spec, self.a.options
        choices = tuple(
            (self.a if table[spec.side_of(seat, options)] else self.b).choice for seat in range(spec.seats(options))
        )
        return Setup(spec, options, choices, self.seed)

    def _play_rules(self, statistics: Sequence[str], playing: Playing, confidence: float, where: str) -> ComparisonRun:
        from analysis.rule_comparison import DEFAULTS, Asked, RuleComparison, RuleSums, rule_sums
        from analysis.selection import UnknownSelectionError

        spec = self.spec
        setups = tuple(
            Setup(spec, one.options, (one.choice,) * spec.seats(one.options), self.seed) for one in (self.a, self.b)
        )
        try:
            asked = [Asked(seating_of(setup), statistics or DEFAULTS) for setup in setups]
        except UnknownSelectionError as error:
            raise UsageError(f"{where}: {error}") from None
        total: list[RuleSums] = []

        def add(_chunk: Chunk, sums: RuleSums) -> None:
            total[:] = [total[0] + sums] if total else [sums]

        progress = sum_over_deals(
            setups, lambda records: rule_sums(asked[0], asked[1], records[0], records[1]), add, playing
        )
        check_played(total)
        units = {text: asked[0].unit(text) for text in asked[0].selected}
        result = RuleComparison(total[0], units, confidence)
        labels = _rule_labels(self.a, self.b)
        return ComparisonRun(spec, self.a, self.b, labels, result, setups, playing, progress)


def prepare(
    game: str,
    a: str | None,
    b: str | None,
    seed: int | str | None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    a_rules: Mapping[str, Any] | None = None,
    b_rules: Mapping[str, Any] | None = None,
    *,
    rule_texts: Sequence[str] = (),
    a_rule_texts: Sequence[str] = (),
    b_rule_texts: Sequence[str] = (),
    names: Names = in_program,
) -> Contest:
    """Check what is to be compared.

    Raises
    ------
    UsageError
        If anything is wrong, nothing differs, or both the policy and the rules do.
    """
    spec = find_game(game)
    common = make_setup(game, seed=seed, rules=rules, rule_texts=rule_texts, names=names)
    first = parse_policy(spec, a if a is not None else spec.default_policy, names("a"))
    second = parse_policy(spec, b, names("b")) if b is not None else first
    contestants = []
    for choice, own, texts, name in (
        (first, a_rules, a_rule_texts, "a_rules"),
        (second, b_rules, b_rule_texts, "b_rules"),
    ):
        options = dict(common.options)
        if own or texts:
            options = _with_own_rules(spec, common.options, own, texts, names(name))
        setup = Setup(spec, options, (choice,) * spec.seats(options), common.seed)
        contestants.append(Contestant(choice, options, setup.changed))
    one, two = contestants
    is_of_rules = one.options != two.options
    if is_of_rules and one.choice.text != two.choice.text:
        raise UsageError(
            f"{names('b')}: {two.text!r} differs from {names('a')} {one.text!r}, and so do their rules; compare two "
            "policies under one set of rules, or one policy under two"
        )
    if not is_of_rules and one.choice.text == two.choice.text:
        raise UsageError(
            f"{names('b')}: {two.text!r} under the same rules is the same as {names('a')}; nothing differs"
        )
    return Contest(spec, one, two, common.seed)


def _with_own_rules(
    spec: GameSpec, common: Mapping[str, Any], own: Mapping[str, Any] | None, texts: Sequence[str], where: str
) -> dict[str, Any]:
    merged = {**common, **(own or {})}
    try:
        return complete_options(spec, merged, texts, lambda _name: where)
    except UsageError as error:
        raise UsageError(str(error).replace("--rule ", f"{where} ", 1).replace("--rule:", f"{where}:", 1)) from None


def _rule_labels(a: Contestant, b: Contestant) -> tuple[str, str]:
    """What two sets of rules are called: the options in which they differ."""
    names = [name for name in a.options if a.options[name] != b.options[name]]
    first, second = (", ".join(f"{name}={option_text(one.options[name])}" for name in names) for one in (a, b))
    return first, second
