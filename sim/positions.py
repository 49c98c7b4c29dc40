"""Positions in which a seat decides: found in a deal that is played again, and put to a search.

A position is what the game asks a policy: the table, the seat, what is the question's own (as its hand).
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels import registry
from kernels.spec import Parameter, Policy
from sim.batch import Records, run_kernel
from sim.errors import KernelError
from sim.games import PolicyChoice, Setup
from sim.specialise import MEMORY, NOTES, Question, plain_state, play_module, questions

Values = tuple[int, ...]
_WORD = (1 << 64) - 1
_SCALARS = {"bool": bool, "np.uint64": np.uint64}


@dataclass(frozen=True)
class Position:
    """A decision that a seat has to make.

    Attributes
    ----------
    setup
        The game with its options.
    question
        What is decided.
    seat
        Who decides.
    table
        What everybody can see, shape (1,), in the game's `TABLE_LAYOUT`.
    given
        What is the question's own, as 64-bit words.
    """

    setup: Setup
    question: Question
    seat: int
    table: npt.NDArray[np.void]
    given: Values

    @property
    def scalars(self) -> list[Any]:
        """What is the question's own, each of its type."""
        return typed(self.given, [kind for _, kind in self.question.given])

    def arguments(self, **others: Any) -> list[Any]:
        """All that the question is asked with, in its order; what is not of the position is taken from `others`."""
        named: dict[str, Any] = dict(others)
        named["table"] = self.table.view(np.recarray)[0]
        named["options"] = self.setup.encoded_options.view(np.recarray)[0]
        named["seat"] = np.int64(self.seat)
        named.update(zip((name for name, _ in self.question.given), self.scalars, strict=True))
        return [named[name] for name in self.question.arguments]


@dataclass(frozen=True)
class Decision:
    """A position and what was answered there, as 64-bit words; None where that is not known."""

    position: Position
    answer: Values | None = None


def typed(words: Values, kinds: Sequence[str]) -> list[Any]:
    """Return 64-bit words as what they stand for: texts as ``np.uint64``, ``bool``, ``int``."""
    return [_SCALARS.get(kind, _signed)(word) for word, kind in zip(words, kinds, strict=True)]


def words(values: Sequence[Any]) -> Values:
    """Return whole numbers and truth values as 64-bit words."""
    return tuple(int(value) & _WORD for value in values)


def _signed(word: int) -> np.int64:
    return np.int64(word - (1 << 64) if word >> 63 else word)


def decisions_of_turn(setup: Setup, job: Records, turn: int) -> list[Decision]:
    """Decisions of one turn of a deal, in the order in which they were made.

    Parameters
    ----------
    job
        The deal, shape (1,), dtype `kernels.spec.JOB`.
    """
    from kernels.trace import EVENT

    state = play_module(setup.spec.name, setup.parts, notes=True).new_state()
    notes = state[MEMORY][NOTES]
    notes["turn"] = turn
    run_kernel(setup, job, np.zeros(0, EVENT), np.zeros(1, setup.spec.record_layout), state, notes=True)
    asked = questions(setup.spec.name)
    decisions = []
    for note in notes["note"][0][: int(notes["count"][0])]:
        question = asked[int(note["question"])]
        given = tuple(note["given"].tolist()[: len(question.given)])
        position = Position(setup, question, int(note["seat"]), note["table"].reshape(1).copy(), given)
        decisions.append(Decision(position, tuple(note["answer"].tolist()[: len(question.answered)])))
    return decisions


class Searcher:
    """A search that is put to positions of one game, its memory used again from one to the next.

    Parameters
    ----------
    choice
        A policy of the game's `searches`, with its parameters.
    """

    def __init__(self, setup: Setup, choice: PolicyChoice) -> None:
        self.setup = setup
        self.choice = choice
        self.module = search_module(setup, choice.policy)
        self.memory: Any = np.zeros(1, self.module.MEMORY_LAYOUT)
        self.module.prepare(self.memory)
        self._work = plain_state(play_module(setup.spec.name).new_state()).view(np.recarray)[0]

    def ask(self, position: Position, stream: int, *, worlds: int = 0) -> Any:
        """Ask the search what it does in a position; its tally is then in `memory`.

        Parameters
        ----------
        stream
            State of the stream that it draws from, 0 to 2^64 - 1.
        worlds
            If not 0, all options are played out in so many worlds, in place of the search's own rollouts.

        Raises
        ------
        KernelError
            If a kernel breaks an invariant.
        """
        self.memory["tally"]["weighs_all"] = worlds > 0
        others = {
            "parameters": self._parameters(worlds),
            "stream": np.array([stream], np.uint64),
            "work": getattr(self._work, "work", None),
        }
        arguments = position.arguments(**others)
        ask = getattr(self.module, position.question.name)
        try:
            with np.errstate(over="ignore"):
                return ask(*arguments, self.memory.view(np.recarray)[0])
        except Exception as error:
            raise KernelError(f"the search of {self.setup.spec.name} failed: {error}") from error

    def _parameters(self, worlds: int) -> npt.NDArray[np.int64]:
        policy = self.choice.policy
        row = np.zeros(self.setup.spec.max_parameters, np.int64)
        row[: len(self.choice.values)] = self.choice.values
        if worlds:
            row[policy.parameters.index(rollouts_of(policy))] = worlds
        return row

    @property
    def options(self) -> npt.NDArray[np.void]:
        """What was weighed last, in the search's own dtype."""
        found: npt.NDArray[np.void] = self.memory["option"][0][: int(self.memory["tally"]["options"][0])].copy()
        return found

    @property
    def expert(self) -> int:
        """Number of the option that `expert` takes, -1 if it is not among them."""
        return int(self.memory["expert"][0])

    def find(self, decision: Decision) -> int:
        """Number of what was answered among the options that were listed last, -1 if it is none of them."""
        question = decision.position.question
        if decision.answer is None:
            return -1
        find = getattr(self.module, question.name.replace("choose_", "find_"))
        return int(find(*typed(decision.answer, question.answered), self.memory.view(np.recarray)[0]))


def search_module(setup: Setup, policy: Policy) -> ModuleType:
    """Module that answers for a search."""
    return importlib.import_module(f"{registry.GAMES[setup.spec.name]}.{policy.part}")


def rollouts_of(search: Policy) -> Parameter:
    """The parameter of a search that says how many rollouts it makes."""
    return next(parameter for parameter in search.parameters if parameter.name == "rollouts")
