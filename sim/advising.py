"""What to play (``carteador advise``): every option of a decision, played out in the same worlds by a game's search."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels import registry
from sim import batch, typed
from sim.batch import Chunk, Progress, Records
from sim.common_deals import Playing, check_played, provenance_of
from sim.dealt import Given, given_deal
from sim.errors import KernelError, UsageError
from sim.games import PolicyChoice, Setup, make_setup, parse_policy
from sim.match import hand_job
from sim.names import Names, in_program
from sim.numbers import MAX_INT64, MAX_UINT64, check_fraction, check_integer
from sim.positions import Decision, Searcher, decisions_of_turn, rollouts_of
from sim.typed import HAND, Typed

if TYPE_CHECKING:
    from analysis.advice import OptionSums

ROLLOUTS = 1_000
"""Worlds in which every option is played out, unless another number is asked for."""

WORLDS_AT_ONCE = 100
"""Worlds that follow from one draw: the result of so many worlds does not depend on how they are shared out."""

MOST_TURN = 1_000_000


@dataclass(frozen=True)
class Where:
    """A turn of a deal that is played again.

    Attributes
    ----------
    deal, match, hand
        Number of the deal, or of a hand of a match.
    given
        The deal, where its cards or the scores before it are given.
    """

    turn: int | None
    deal: int | None = None
    match: int | None = None
    hand: int | None = None
    given: Given | None = None

    def arguments(self) -> list[str]:
        """Command-line words that name it."""
        named = {"deal": self.deal, "match": self.match, "hand": self.hand, "turn": self.turn}
        words = [word for name, value in named.items() if value is not None for word in (f"--{name}", str(value))]
        return words + (self.given.arguments() if self.given is not None else [])

    def document(self) -> dict[str, Any]:
        """What names it, ready for JSON."""
        number = self.deal if self.match is None else self.hand
        return {"deal": number, "match": self.match, "turn": self.turn}

    def found(self, setup: Setup, names: Names, announce: Callable[[str], None] | None) -> tuple[list[Decision], int]:
        """Decisions of that turn, and where the streams of their worlds start.

        Raises
        ------
        UsageError
            If nothing is decided in that turn, or the match ends before that hand.
        KernelError
            If a kernel breaks an invariant.
        """
        job = self._job(setup, names)
        batch.first_compile(setup, announce, notes=True)
        decisions = decisions_of_turn(setup, job, self.turn or 1)
        if not decisions:
            raise UsageError(self._nothing_decided(setup, job, names))
        return decisions, stream_of(setup.seed, int(job["match"][0]), int(job["deal"][0]))

    def _nothing_decided(self, setup: Setup, job: Records, names: Names) -> str:
        turns = int(batch.play(setup, job)["turns"][0])
        shown = setup.command("show", *replace(self, turn=None).arguments())
        what = f"the deal has {turns} turns" if (self.turn or 0) > turns else "nothing is decided in that turn"
        return f"{names('turn')}: {what}, so there is no advice for turn {self.turn}. To see the deal: {shown}"

    def _job(self, setup: Setup, names: Names) -> Records:
        """The deal to play, shape (1,)."""
        if self.given is not None:
            return self.given.job
        if self.match is None:
            return batch.deal_jobs(setup, self.deal or 0, 1)
        job = hand_job(setup, self.match, self.hand or 0)
        if job is None:
            raise UsageError(f"{names('hand')}: match {self.match} of seed {setup.seed} ends before hand {self.hand}")
        return job


@dataclass(frozen=True)
class Known:
    """A position that was typed in."""

    typed: Typed

    def arguments(self) -> list[str]:
        """Command-line words that say the same."""
        words = []
        for text in self.typed.texts:
            name, _, value = text.partition("=")
            words += ["--hand", value] if name == HAND else ["--know", text]
        return words

    def document(self) -> dict[str, Any]:
        """What names it, ready for JSON."""
        return {"deal": None, "match": None, "turn": None}

    def found(self, setup: Setup, _names: Names, announce: Callable[[str], None] | None) -> tuple[list[Decision], int]:
        """The one decision, and where the streams of its worlds start."""
        batch.first_compile(setup, announce)
        return [Decision(self.typed.position)], stream_of(setup.seed, -1, 0)


@dataclass
class Weighed:
    """A decision whose options have been played out.

    Attributes
    ----------
    options
        In the order in which they were listed, in the search's own dtype.
    sums
        Of all worlds so far; None before the first.
    played, standard, expert
        Numbers of the options that were really played (-1 where that is not known), and that these policies take.
    """

    decision: Decision
    options: Any = None
    sums: OptionSums | None = None
    played: int = -1
    standard: int = 0
    expert: int = -1

    def rows(self, confidence: float) -> list[dict[str, Any]]:
        """A row an option, the best first: what it is, what it comes to, who takes it."""
        assert self.sums is not None
        position = self.decision.position
        told = registry.module(position.setup.spec.name, "advice").told
        rows = []
        for row in self.sums.rows(confidence):
            option = row.pop("option")
            event, words = told(
                position.question.name,
                self.options[option],
                position.table[0],
                position.given,
                position.setup.options,
            )
            marks = {
                "played": option == self.played,
                "standard": option == self.standard,
                "expert": option == self.expert,
            }
            rows.append({"words": words, "event": event, **row, **marks})
        return rows

    def known(self) -> dict[str, Any] | None:
        """The fields by which the position can be typed in; None in a game that has none."""
        position = self.decision.position
        game = position.setup.spec.name
        if not typed.fields(game):
            return None
        found: dict[str, Any] = registry.module(game, "position").fields_of(
            position.question.name, position.seat, position.table[0], position.given, position.setup.options
        )
        return found

    def seen(self) -> list[tuple[str, str]]:
        """What the seat knows, line by line."""
        position = self.decision.position
        seen = registry.module(position.setup.spec.name, "advice").seen
        return list(
            seen(position.question.name, position.seat, position.table[0], position.given, position.setup.options)
        )


@dataclass
class Advice:
    """Decisions with what their options are worth.

    Attributes
    ----------
    search
        Which search played the options out.
    worlds
        In how many worlds each was to be.
    """

    setup: Setup
    where: Where | Known
    search: PolicyChoice
    worlds: int
    confidence: float
    playing: Playing
    weighed: list[Weighed] = field(default_factory=list)
    progress: Progress = field(default_factory=lambda: Progress(total=0))

    @property
    def command(self) -> str:
        """The command that repeats it."""
        words: list[object] = [*self.where.arguments(), "--rollouts", self.worlds]
        if self.search.text != _default_search(self.setup).text:
            words += ["--search", self.search.text]
        if self.confidence != 0.95:
            words += ["--confidence", f"{self.confidence:.15g}"]
        return self.setup.command("advise", *words)

    def title(self) -> str:
        """What was asked, in words."""
        from analysis.advice_words import where_words

        return f"{self.setup.spec.title} · {where_words(self.where.document(), self.setup.seed)}"

    def sentences(self) -> list[str]:
        """What is best, in words."""
        sentences: list[str] = self.document()["sentence"]
        return sentences

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON: schema ``carteador.advice/1``."""
        from analysis.advice import SCHEMA
        from analysis.advice_words import advice_sentences

        setup = self.setup
        decisions = [self._decision(weighed) for weighed in self.weighed if weighed.sums is not None]
        return {
            "schema": SCHEMA,
            "game": setup.spec.name,
            "title": setup.spec.title,
            "seed": setup.seed,
            **self.where.document(),
            "options": dict(setup.options),
            "changed": dict(setup.changed),
            "policies": setup.policy_texts,
            "search": self.search.text,
            "rollouts": self.worlds,
            "confidence": self.confidence,
            "sentence": advice_sentences(decisions),
            "decisions": decisions,
            "command": self.command,
            "provenance": provenance_of(self.playing, self.progress),
        }

    def _decision(self, weighed: Weighed) -> dict[str, Any]:
        assert weighed.sums is not None
        position = weighed.decision.position
        return {
            "question": position.question.name.removeprefix("choose_"),
            "seat": position.seat,
            "side": self.setup.spec.side_of(position.seat, self.setup.options),
            "seen": [{"what": what, "text": text} for what, text in weighed.seen()],
            "position": weighed.known(),
            "worlds": weighed.sums.worlds,
            "rows": weighed.rows(self.confidence),
        }


@dataclass(frozen=True)
class Asking:
    """What advice is asked for, checked."""

    setup: Setup
    where: Where | Known
    search: PolicyChoice
    worlds: int
    names: Names = in_program

    def play(self, playing: Playing, confidence: float) -> Advice:
        """Play the deal again, and every option of its turn in so many worlds.

        Raises
        ------
        UsageError
            If nothing is decided in that turn.
        KernelError
            If a kernel breaks an invariant.
        """
        setup = self.setup
        decisions, key = self.where.found(setup, self.names, playing.announce)
        found = [Weighed(decision) for decision in decisions]
        progress = Progress(total=len(found) * self.worlds)
        advice = Advice(setup, self.where, self.search, self.worlds, confidence, playing, found, progress)
        try:
            self._compile(decisions[0], playing.announce)
            progress.started = time.perf_counter()
            self._weigh_all(found, key, playing, progress)
        except KernelError as error:
            raise KernelError(f"{error}. Reproduce: {advice.command}") from error
        check_played([weighed for weighed in found if weighed.sums is not None])
        return advice

    def _weigh_all(self, found: Sequence[Weighed], key: int, playing: Playing, progress: Progress) -> None:
        """Weigh the decisions one after the other, until Ctrl-C."""
        with playing.stopping() as stop:
            for number, weighed in enumerate(found):
                if stop is not None and stop.is_set():
                    progress.stopped = True
                    break
                self._weigh(weighed, _mixed(key, number), playing, stop, progress)

    def _compile(self, decision: Decision, announce: Callable[[str], None] | None) -> None:
        """Load the search, before the clock runs."""
        from kernels import _jit

        game = self.setup.spec.name
        what = f"{game}-{self.search.policy.part}-{decision.position.question.name}"
        compiled = _jit.is_compiled(what)
        if not compiled and announce is not None:
            announce(batch.compiling_text(game))
        Searcher(self.setup, self.search).ask(decision.position, 0, worlds=1)
        if not compiled:
            _jit.mark_compiled(what)

    def _weigh(
        self, weighed: Weighed, key: int, playing: Playing, stop: threading.Event | None, progress: Progress
    ) -> None:
        """Play the options of one decision out in all worlds."""

        def work(chunk: Chunk) -> tuple[int, tuple[Searcher, OptionSums]]:
            searcher = Searcher(self.setup, self.search)
            searcher.ask(weighed.decision.position, _mixed(key, chunk.first), worlds=chunk.count)
            sums = sums_of(searcher)
            return sums.worlds * len(sums.margin), (searcher, sums)

        def finish(_chunk: Chunk, found: tuple[Searcher, OptionSums]) -> None:
            searcher, sums = found
            if weighed.sums is None:
                weighed.options = searcher.options
                weighed.expert = searcher.expert
                weighed.played = searcher.find(weighed.decision)
            weighed.sums = sums if weighed.sums is None else weighed.sums + sums

        batch.run_chunks(
            work,
            0,
            self.worlds,
            threads=playing.workers,
            chunk_size=WORLDS_AT_ONCE,
            finish=finish,
            watch=playing.watch,
            stop=stop,
            progress=progress,
        )


def sums_of(searcher: Searcher) -> OptionSums:
    """Sums of what a search weighed last."""
    from analysis.advice import OptionSums

    tally = searcher.memory["tally"][0]
    options = int(tally["options"])

    def by_option(name: str) -> Any:
        return tally[name][:options].copy()

    return OptionSums(
        worlds=int(tally["worlds"][0]),
        margin=by_option("total"),
        margin_squares=by_option("squares"),
        score=by_option("score_total"),
        score_squares=by_option("score_squares"),
        won=by_option("won"),
        best=by_option("best"),
        cross=tally["cross"][:options, :options].copy(),
    )


def advise(
    game: str,
    *,
    deal: int | None = None,
    match: int | None = None,
    hand: int | str | Sequence[str] | None = None,
    turn: int | None = None,
    position: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    deck: str | Sequence[str] | None = None,
    scores: Sequence[int] | None = None,
    rollouts: int = ROLLOUTS,
    search: str | None = None,
    seed: int | None = None,
    policies: str | Sequence[str] | Mapping[int, str] | None = None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    confidence: float = 0.95,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Advice:
    """Say what every option of a turn is worth: play each out in the same worlds, as far as its seat can know them.

    Parameters
    ----------
    game
        Name of the game.
    deal
        Number of the deal, by default 0; or a hand of a match.
    match
        In place of `deal`, a match, of which `hand` is then the number of the hand, by default the first.
    turn
        Which turn, by default the first, as the event log numbers them.
    hand, position
        In place of a deal, a position at a table: the cards of a hand, and whatever else is known of it, by name or in
        a TOML or JSON file (``carteador games GAME`` lists the fields).
    deck, scores
        The cards of the deal in the order dealt (or a file with them), and the scores before it, which is then a hand
        of a match.
    rollouts
        In how many worlds each option is played out.
    search
        Which search, as ``search:playout=0``; by default the game's strongest.
    seed, policies, rules
        As for `simulate`: they decide what was played until that turn.
    confidence
        Level of the intervals.
    threads
        Worker threads; they change no number.
    progress
        Called now and then.

    Returns
    -------
    Advice
        Its `document` holds everything.

    Raises
    ------
    UsageError
        If an argument is wrong, or nothing is decided in that turn.

    Examples
    --------
    >>> import sim
    >>> advice = sim.advise("escopa", deal=3, turn=5, rollouts=50)
    >>> best = advice.document()["decisions"][0]["rows"][0]
    >>> best["behind"]
    0.0
    """
    setup = make_setup(game, seed=seed, policies=policies, rules=rules)
    where: dict[str, Any] = {"deal": deal, "match": match, "hand": hand, "turn": turn}
    where |= {"position": position, "deck": deck, "scores": scores}
    asking = prepare(setup, **where, rollouts=rollouts, search=search, policies=policies)
    workers = None if threads is None else check_integer("threads", threads, 1, batch.MAX_THREADS)
    playing = Playing(0, asking.worlds, workers, watch=progress)
    return asking.play(playing, check_fraction("confidence", confidence))


def prepare(
    setup: Setup,
    *,
    deal: int | str | None,
    match: int | str | None,
    hand: int | str | Sequence[str] | None,
    turn: int | str | None,
    position: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    know: Sequence[str] = (),
    deck: str | Sequence[str] | None = None,
    scores: str | Sequence[int] | None = None,
    rollouts: int | str,
    search: str | None,
    policies: Any = None,
    names: Names = in_program,
) -> Asking:
    """Check what advice is asked for.

    Parameters
    ----------
    policies
        What was said of policies, if anything.

    Raises
    ------
    UsageError
        If anything is wrong.
    """
    choice = _search_of(setup, search, names)
    worlds = check_integer(names("rollouts"), rollouts, 1, rollouts_of(choice.policy).high)
    if not is_typed(match, hand, position, know):
        where = _turn_of(setup, deal, match, hand, turn, deck, scores, names)
        return Asking(where.given.setup if where.given else setup, where, choice, worlds, names)
    what = names("hand") if hand is not None else names("position") if position is not None else names("know")
    for name, value in (("deal", deal), ("match", match), ("turn", turn), ("deck", deck), ("scores", scores)):
        if value is not None:
            raise UsageError(f"{names(name)}: it names a deal that is played again, which cannot stand beside {what}")
    if policies:
        raise UsageError(
            f"{names('policies')}: nothing is played before {what}; {names('search')} says who plays on from there"
        )
    known = typed.typed_position(setup, hand, position, know, names)  # type: ignore[arg-type]
    return Asking(setup, Known(known), choice, worlds, names)


def is_typed(match: Any, hand: Any, position: Any, know: Sequence[str]) -> bool:
    """Whether advice is asked about a position that is typed in, in place of a deal that is played again."""
    return position is not None or bool(know) or (hand is not None and match is None)


def _turn_of(
    setup: Setup,
    deal: int | str | None,
    match: int | str | None,
    hand: Any,
    turn: int | str | None,
    deck: str | Sequence[str] | None,
    scores: str | Sequence[int] | None,
    names: Names,
) -> Where:
    """Check which turn of which deal is meant."""
    for name, value in (("deal", deal), ("deck", deck), ("scores", scores)):
        if match is not None and value is not None:
            raise UsageError(f"{names(name)} and {names('match')} cannot stand together; give one of them")
    number = check_integer(names("turn"), 1 if turn is None else turn, 1, MOST_TURN)
    if deck is not None or scores is not None:
        given = given_deal(setup, deal, deck, scores, names)
        return Where(number, deal=check_integer(names("deal"), deal or 0, 0, MAX_UINT64), given=given)
    if match is None:
        return Where(number, deal=check_integer(names("deal"), 0 if deal is None else deal, 0, MAX_UINT64))
    return Where(
        number,
        match=check_integer(names("match"), match, 0, MAX_INT64),
        hand=check_integer(names("hand"), 0 if hand is None else hand, 0, MAX_INT64),
    )


def _search_of(setup: Setup, text: str | None, names: Names) -> PolicyChoice:
    """The search that is asked, by default the strongest of the game."""
    spec = setup.spec
    if not spec.searches:
        having = ", ".join(game for game in registry.GAMES if registry.spec(game).searches)
        raise UsageError(f"game: {spec.name} has no search yet, which advice comes from; {having or 'no game'} has one")
    if text is None:
        return _default_search(setup)
    choice = parse_policy(spec, text, names("search"))
    if not choice.policy.part or choice.policy not in spec.searches:
        raise UsageError(
            f"{names('search')}: {choice.policy.name} is no search; "
            f"{spec.name} has {', '.join(search.name for search in spec.searches)}"
        )
    place = choice.policy.parameters.index(rollouts_of(choice.policy))
    if choice.values[place] != choice.policy.parameters[place].default:
        raise UsageError(f"{names('search')}: the rollouts of advice are those of {names('rollouts')}")
    return choice


def _default_search(setup: Setup) -> PolicyChoice:
    return parse_policy(setup.spec, setup.spec.searches[-1].name)


def stream_of(seed: int, match: int, deal: int) -> int:
    """Return where the streams of the worlds of a deal start."""
    from kernels.rng import PURPOSE_ADVICE, stream_start

    with np.errstate(over="ignore"):
        return int(stream_start(np.uint64(seed), np.int64(match), np.uint64(deal), PURPOSE_ADVICE))


def _mixed(key: int, number: int) -> int:
    return stream_of(key, -1, number)
