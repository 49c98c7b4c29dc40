"""A deal played interpreted, to find where a policy file breaks it off; run as ``python -m sim.own.replaying``.

What is to be played comes from the process that has started this one, by its pipe.
"""

from __future__ import annotations

import faulthandler
import json
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from kernels.spec import JOB
from sim.games import Setup, find_game
from sim.own.source import questions_of, told_questions
from sim.specialise import made, plain_state


class Notes:
    """What was asked and answered last.

    Attributes
    ----------
    question, number, seat, turn
        Name of the question, kernel number of the policy, seat, turn.
    answer
        None until it is there.
    article
        Number of the article that the rules found broken since; 0 for none.
    """

    def __init__(self) -> None:
        self.question, self.number, self.seat, self.turn = "", -1, -1, 0
        self.answer: tuple[Any, ...] | None = None
        self.article = 0

    def asking(self, name: str, arguments: tuple[str, ...], ask: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that asks and notes it."""

        def asked(*given: Any) -> Any:
            by_name = dict(zip(arguments, given, strict=False))
            self.question, self.number = name, int(given[0])
            self.seat = int(by_name.get("seat", -1))
            self.turn = int(getattr(by_name.get("table"), "turn", 0))
            self.answer, self.article = None, 0
            answer = ask(*given)
            self.answer = answer if isinstance(answer, tuple) else (answer,)
            return answer

        return asked

    def judging(self, judge: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that judges and notes what is broken."""

        def judged(*given: Any) -> Any:
            article = judge(*given)
            self.article = int(article)
            return article

        return judged


def replay(setup: Setup, job: Any) -> dict[str, Any]:
    """Play a deal and say where it broke off (`sim.own.failing.interpreted`)."""
    from kernels.trace import EVENT

    spec = setup.spec
    play = made(spec.name, setup.parts).play
    questions = questions_of(spec.name)
    notes = Notes()
    for name, function in list(vars(play).items()):
        if name in questions:
            setattr(play, name, notes.asking(name, tuple(questions[name].arguments), function))
        elif name.endswith("_article"):
            setattr(play, name, notes.judging(function))
    state = play.new_state()
    if setup.placing is not None:
        setup.placing.fill(plain_state(state))
    records = np.zeros(1, spec.record_layout)
    try:
        with np.errstate(over="ignore", divide="raise", invalid="raise"):
            play.batch(
                np.uint64(setup.seed),
                job,
                setup.encoded_options,
                setup.policy_numbers,
                setup.parameters,
                state,
                np.zeros(0, EVENT),
                records,
            )
    except Exception as error:
        return _told(setup, notes, error)
    return {"finished": True}


def _told(setup: Setup, notes: Notes, error: Exception) -> dict[str, Any]:
    from kernels import own as compiled
    from kernels.questions import answer_text

    own = next((own for own in setup.own_policies if own.number == notes.number), None)
    if own is None:
        return {}
    line, trace = 0, error.__traceback__
    while trace is not None:
        if compiled.PREFIX in trace.tb_frame.f_code.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    found = {
        "file": own.name,
        "question": notes.question,
        "seat": notes.seat,
        "turn": notes.turn,
        "line": line,
        "reason": _named(error),
    }
    if notes.answer is None:
        return found
    if notes.question not in own.functions or not str(error).startswith("a policy"):
        return {}
    told = {question.name: question for question in told_questions(own.game)}
    prefix = setup.spec.options[0].article.partition("-")[0]
    answer = ", ".join(map(str, notes.answer))
    if notes.question in told:
        answer = answer_text(told[notes.question], notes.answer, setup.spec, setup.options)
    return {
        **found,
        "line": compiled.last_return["line"],
        "reason": str(error),
        "answer": answer,
        "article": f"{prefix}-{notes.article:02d}" if notes.article else "",
    }


def _named(error: Exception) -> str:
    if isinstance(error, FloatingPointError):
        # What NumPy says of whole numbers too.
        return "ZeroDivisionError: division by zero"
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def main() -> None:
    """Play what the pipe asks for and write what was found; after so many seconds say where it is, and end."""
    game, options, policies, seed, placing, job = pickle.loads(sys.stdin.buffer.read())
    setup = Setup(find_game(game), options, policies, seed, placing)
    faulthandler.dump_traceback_later(int(sys.argv[1]), exit=True)
    print(json.dumps(replay(setup, np.frombuffer(job, JOB).copy())))


if __name__ == "__main__":
    main()
