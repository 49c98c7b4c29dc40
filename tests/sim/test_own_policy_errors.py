"""What is wrong with a policy file is said in one message: the line, what stands there, and what is not possible."""

from __future__ import annotations

import ast
import shlex
from pathlib import Path

import pytest

from kernels import registry
from sim import batch
from sim.errors import KernelError, UsageError
from sim.games import Setup, make_setup
from sim.own import loading
from sim.own.failing import OwnPolicyFailure
from sim.policy_commands import template
from sim.replay import Replayer
from tests.sim.own_files import MOODY, PLAIN, written

QUESTION = "def choose_play(table, options, hand, seat, stream):\n"

READ = {
    "syntax": ("def choose_play(table, hand:\n    return 1, 2", r"line 1: '\(' was never closed"),
    "an unknown argument": ("def choose_play(table, hnd): return 1, 2", "cannot be given 'hnd': .* Did you mean hand"),
    "an unknown function": ("def choose_ply(table): return 1, 2", "no question 'choose_ply': .*mean choose_play"),
    "no question at all": ("def play(table): return 1, 2", "answers no question of escopa; these are choose_play"),
    "stars": ("def choose_play(*cards): return 1, 2", "must name what it wants to be given"),
    "an import": ("import os\ndef choose_play(hand): return 1, 2", "line 1: a policy cannot import os: it is one file"),
    "a late import": ("def choose_play(hand):\n    import sys\n    return 1, 2", "line 2: a policy cannot import sys"),
    "another file": ("from . import x\ndef choose_play(hand): return 1, 2", "cannot import"),
    "a wrong module": (
        "from kernels.bitz import x\ndef choose_play(h): return 1",
        "no module kernels.bitz.*kernels.bits",
    ),
    "the views": ("from kernels.readonly import words\ndef choose_play(h): return 1", "cannot import kernels.readonly"),
    "objmode": ("from numba import objmode\ndef choose_play(h): return 1", "cannot import objmode of numba"),
    "numba by name": (
        "import numba as nb\nX = nb.typed.List()\ndef choose_play(h): return 1",
        "cannot use numba.typed",
    ),
    "chance of NumPy": (
        "import numpy as np\nX = np.random.rand()\ndef choose_play(h): return 1",
        "numpy.random; chance",
    ),
    "strides": ("from numpy.lib import stride_tricks\ndef choose_play(h): return 1", "cannot import numpy.lib"),
    "a file": ("X = open('x').read()\ndef choose_play(h): return 1", "open: a policy cannot read a file"),
    "code as text": ("exec('x = 1')\ndef choose_play(h): return 1", "exec: a policy cannot run text as code"),
    "a dunder": ("X = ().__class__\ndef choose_play(h): return 1", "__class__: a policy cannot reach"),
    "a recursion": (
        "def helper(x):\n    return helper(x + 1) + 1 if x >= 0 else 0\ndef choose_play(hand): return helper(1), 2",
        "line 2: helper calls itself: a policy cannot recurse",
    ),
    "a recursion by way of others": (
        "def one(x): return two(x)\nother = one\ndef two(x):\n    return other(x)\ndef choose_play(hand): return 1, 2",
        "line 1: one calls itself by way of two, other: a policy cannot recurse",
    ),
    "a class": ("class A: pass\ndef choose_play(h): return 1", "class: a policy is made of plain functions"),
    "an array kept as a default": (
        "import numpy as np\ndef choose_play(hand, m=np.zeros(1)): return 1, 2",
        "line 2: what an argument is by default must be written out",
    ),
    "a list kept by a helper": (
        "def helper(m=[0]): return m\ndef choose_play(hand): return 1, 2",
        "line 1: what an argument is by default must be written out",
    ),
    "a constant sorted": (
        "import numpy as np\nX = np.arange(3)\ndef choose_play(hand):\n    X.sort()\n    return 1, 2",
        "line 4: a policy cannot use .sort, which writes in place",
    ),
    "a constant written by a walk": (
        "import numpy as np\nX = np.arange(3)\ndef choose_play(hand):\n    X.flat[0] = 1\n    return 1, 2",
        "line 4: a policy cannot use .flat, which writes in place",
    ),
    "another game": ("GAME = 'loba'\ndef choose_play(hand): return 1, 2", "policy of 'loba', not of escopa"),
    "no game": ("GAME = 'lobo'\ndef choose_play(hand): return 1, 2", "'lobo', which is no game"),
    "a wrong base": (
        "BASE = 'standart'\ndef choose_play(hand): return 1, 2",
        "line 1: BASE: no policy .*mean standard",
    ),
    "a file as base": ("BASE = 'x.py'\ndef choose_play(hand): return 1, 2", "allowed is a policy that is built in"),
    "a reckoned base": ("B = 1\nBASE = B\ndef choose_play(hand): return 1, 2", "BASE must be written out"),
    "a float": ("PARAMETERS = {'a': 1.5}\ndef choose_play(hand): return 1, 2", "'a': 1.5 is not of the right form"),
    "a range": ("PARAMETERS = {'a': (5, 6, 9)}\ndef choose_play(hand): return 1, 2", "5 does not lie from 6 to 9"),
    "a name": ("PARAMETERS = {'a b': 1}\ndef choose_play(hand): return 1, 2", "'a b' is no name"),
    "no dictionary": ("PARAMETERS = [1]\ndef choose_play(hand): return 1, 2", "is not of the right form; write"),
    "one of the base": (
        "PARAMETERS = {'swept': 1}\ndef choose_play(hand): return 1",
        "a parameter of standard, its base",
    ),
    "a keyword": ("PARAMETERS = {'if': 1}\ndef choose_play(hand): return 1, 2", "'if' is no name"),
    "a parameter twice": (
        "PARAMETERS = {'a': 1, 'a': 2}\ndef choose_play(hand): return 1, 2",
        "line 1: PARAMETERS: 'a' is there twice",
    ),
    "parameters added": (
        "PARAMETERS = {'a': 1}\nPARAMETERS |= {'b': 1}\ndef choose_play(hand): return 1, 2",
        "line 2: PARAMETERS must be given its value once",
    ),
    "a base that depends": (
        "if True:\n    BASE = 'novice'\ndef choose_play(hand): return 1, 2",
        "line 2: BASE must be given its value once",
    ),
    "a game that is a list": ("GAME = ['escopa']\ndef choose_play(hand): return 1, 2", "is no text; write GAME = 'esc"),
    "a question that is no function": (
        "choose_claim = lambda base: base\ndef choose_play(hand): return 1, 2",
        "line 1: choose_claim must be a function that begins at the margin",
    ),
    "a question twice": (
        "def choose_play(hand): return 1, 2\ndef choose_play(hand): return 1, 2",
        "choose_play is there 2 times; write it once",
    ),
    "an argument twice": ("def choose_play(hand, hand): return 1, 2", "line 1: duplicate argument 'hand'"),
    "too deep": (f"X = {'-' * 20_000}1\ndef choose_play(hand): return 1, 2", "nested too deeply"),
    "a relative import": ("from .kernels import x\ndef choose_play(hand): return 1, 2", "cannot import .kernels"),
    "what a module of the kernels has from elsewhere": (
        "from kernels.spec import dataclass\ndef choose_play(hand): return 1, 2",
        "line 1: a policy cannot import dataclass of kernels.spec",
    ),
    "the cache": ("from kernels._jit import os\ndef choose_play(hand): return 1, 2", "cannot import kernels._jit"),
    "a file written": ("import numpy as np\nnp.save('x', [1])\ndef choose_play(h): return 1", "cannot use numpy.save"),
    "a file written by an array": (
        "import numpy as np\nnp.arange(3).tofile('x')\ndef choose_play(h): return 1",
        "cannot use .tofile, which writes a file",
    ),
    "print": ("def choose_play(seat):\n    print(seat)\n    return 1, 0", "line 2: print would mix with the results"),
    "the end of the program": ("exit()\ndef choose_play(h): return 1", "exit: a policy cannot end the program"),
    "what decides how it is compiled": ("__name__ = 'x'\ndef choose_play(h): return 1", "__name__: this name has a me"),
    "what its answers are cast to": ("ANSWERS = {}\ndef choose_play(h): return 1", "ANSWERS: this name has a meaning"),
    "an argument": ("PARAMETERS = {'hand': 1}\ndef choose_play(hand): return 1", "'hand' is what a question gives"),
}
"""Found by reading: nothing of the file is run."""

COMPILED = {
    "a field that is not there": ("return table.cardz, 0", "line 2, 'return table.cardz, 0': there is no 'cardz'"),
    "a field written": ("table.turn = 5; return 1, 0", "'turn' can be read, not written"),
    "an option written": ("options.capture = 2; return 1, 0", "'capture' can be read, not written"),
    "an element written": ("table.taken[0] = 5; return 1, 0", "an array of the table can be read, not written"),
    "an alias written": ("t = table.taken; t[0] += 1; return 1, 0", "an array of the table can be read, not written"),
    "a slice written": ("table.taken[:] = 1; return 1, 0", "an array of the table can be read, not written"),
    "written by a helper": (
        "spoil(table); return 1, 0\ndef spoil(record):\n    record.cards = 0",
        "line 4, 'record.cards = 0': 'cards' can be read",
    ),
    "written by a kernel": (
        "add_to_table(table, 3); return 1, 0\nfrom kernels.escopa.deal import add_to_table",
        "calls a function that writes 'cards', which can be read, not written",
    ),
    "a slice": ("return table.taken[:2][0], 0", "read by whole indices"),
    "a name": ("return popcount(hand), 0", "NameError: name 'popcount' is not defined"),
    "a name that a module has not": (
        "return 1, 0\nfrom kernels.bits import popcnt",
        "line 3, .*cannot import name 'popcnt'",
    ),
    "an error of the module": ("return 1, 0\nX = 1 // 0", "line 3, 'X = 1 // 0': ZeroDivisionError"),
    "a float": ("return table.turn / 2, 0", "card is a float here; / makes one, where // does not"),
    "mixed": (
        "take = 0\n    if seat == 1:\n        take = hand\n    return 1, take",
        "take becomes a float, which loses cards, .* write np.uint64",
    ),
    "three values": ("return 1, 2, 3", r"choose_play returns \(card, take\), 2 values, not 3"),
    "one value": ("return 1", r"choose_play returns \(card, take\), 2 values, not int64"),
    "a text": ("return 'AS', 0", "card is unicode_type here, not a whole number"),
    "no answer": ("if seat == 1:\n        return 1, 0", "can come to its end without an answer"),
    "no return": ("pass", "can come to its end without an answer"),
    "a global array written": (
        "M[0] += 1; return 1, 0\nimport numpy as np\nM = np.zeros(1, np.int64)",
        "what stands outside the functions is constant",
    ),
    "a global list written": ("M[0] += 1; return 1, 0\nM = [0]", "M stands outside the functions and is no constant"),
    "a global record written": (
        "M[0].a += 1; return 1, 0\nimport numpy as np\nM = np.zeros(1, np.dtype([('a', np.int64)]))",
        "arrays of records cannot be used here",
    ),
    "a constant written by NumPy": (
        "np.fill_diagonal(M, 5); return 1, 0\nimport numpy as np\nM = np.zeros((2, 2))",
        r"line 2, .*: np\.fill_diagonal writes its first argument, and what stands outside the functions is constant",
    ),
    "a constant lent by NumPy": (
        "np.ascontiguousarray(M)[0] = 5; return 1, 0\nimport numpy as np\nM = np.zeros(2)",
        r"np\.ascontiguousarray hands on the array itself",
    ),
    "memory without end": ("return 1, 0\nX = (0,) * 10**10", r"line 3, .*10\*\*10': it takes more than 2 GiB"),
    "the end of the process": ("return 1, 0\nraise SystemExit", "line 3, 'raise SystemExit': SystemExit"),
    "two kinds of key": ("x = {'a': 1, 3: 4}; return x['a'], 0", "setitem cannot be used like that"),
}
"""Found by compiling: what stands in choose_play, and what follows it."""


@pytest.mark.parametrize("what", READ)
def test_a_file_is_refused_when_it_is_read(tmp_path: Path, what: str) -> None:
    text, message = READ[what]
    with pytest.raises(UsageError, match=f"(?s){message}") as caught:
        make_setup("escopa", policies=written(tmp_path, "mine.py", text))
    assert "\n" not in str(caught.value)
    assert "mine.py" in str(caught.value)


@pytest.mark.parametrize("what", COMPILED)
def test_a_file_is_refused_when_it_is_compiled(tmp_path: Path, what: str) -> None:
    body, message = COMPILED[what]
    setup = make_setup("escopa", policies=written(tmp_path, "mine.py", f"{QUESTION}    {body}\n"))
    with pytest.raises(UsageError, match=f"(?s)mine.py.*{message}") as caught:
        batch.first_compile(setup)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("code", ["X = 10**10**10", "while True:\n    pass"])
def test_what_does_not_end_outside_the_functions_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(loading, "SECONDS", 1)
    setup = make_setup("escopa", policies=written(tmp_path, "mine.py", f"{code}\n{QUESTION}    return 1, 0\n"))
    with pytest.raises(UsageError, match=r"mine.py, line 1, '.*': what stands outside .* does not .* end within 1 s"):
        batch.first_compile(setup)


@pytest.mark.parametrize("game", registry.GAMES)
def test_what_most_files_have_is_known_to_be_quick(root: Path, game: str) -> None:
    example = (root / "docs" / "examples" / f"{game}_policy.py").read_text(encoding="utf-8")
    for text in (example, template(game)):
        assert loading.is_quick(ast.parse(text))


SLOW = [
    *("X = A * A", "X = 2 ** A", "X = [0] * 9", "X = 1 << 99", "X = np.ones(N)", "X = np.ones(1 << 40)", "X = f()"),
    *("def f(x: 9**9**9): pass", "X: 9**9**9 = 1", "@g()\ndef f(): pass", "X = {*Y}"),
]


@pytest.mark.parametrize(
    "code", [*SLOW, "def f(x: 9**9**9): pass", "X: 9**9**9 = 1", "@g()\ndef f(): pass", "X = {*Y}"]
)
def test_what_is_not_known_to_be_quick_is_tried(code: str) -> None:
    assert not loading.is_quick(ast.parse(code))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("# é\n".encode("latin-1"), "it is no text in UTF-8; save it as UTF-8"),
        ("# -*- coding: latin-1 -*-\n# é\n".encode("latin-1"), "says that it is written in iso-8859-1; save it as"),
        (b"# -*- coding: rot13 -*-\n", "says that it is written in rot13; save it as UTF-8"),
        (b"# -*- coding: klingon -*-\n", "it is no text in UTF-8"),
    ],
)
def test_a_file_is_written_in_utf_8(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(content + PLAIN.encode())
    with pytest.raises(UsageError, match=f"mine.py: .*{message}"):
        make_setup("escopa", policies=str(path))


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf" + PLAIN.encode(), PLAIN.replace("\n", "\r\n").encode()])
def test_marks_of_byte_order_and_ends_of_lines_change_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(content)
    assert make_setup("escopa", policies=str(path)).own_policies[0].text == PLAIN


def test_a_line_is_told_as_an_editor_counts_it(tmp_path: Path) -> None:
    text = f"# \u2028 \x0c\n{QUESTION}    return 'AS', 0\n"
    setup = make_setup("escopa", policies=written(tmp_path, "mine.py", text))
    with pytest.raises(UsageError, match="line 3, \"return 'AS', 0\": "):
        batch.first_compile(setup)


def test_names_of_files_are_found_by_the_nearest(tmp_path: Path) -> None:
    written(tmp_path, "greedy.py", MOODY)
    with pytest.raises(UsageError, match=r"there is no file .*greedi\.py'\. Did you mean .*greedy\.py\?"):
        make_setup("escopa", policies=str(tmp_path / "greedi.py"))
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        make_setup("escopa", policies=str(tmp_path / "folder.py"))


def test_parameters_of_a_file_are_checked_as_others_are(tmp_path: Path) -> None:
    path = written(tmp_path, "moody.py", MOODY)
    with pytest.raises(UsageError, match=r"no parameter of policy .*moody.py is called 'moot'.*Did you mean mood"):
        make_setup("escopa", policies=f"{path}:moot=1")
    with pytest.raises(UsageError, match="parameter turn: '41' is out of range"):
        make_setup("escopa", policies=f"{path}:turn=41")


# ------------------------------------------------------------ failures in a deal

FAILURES = {
    1: ("np.uint64(60)", r"it answers card \w\w, take bit 60, which breaks ESC-05"),
    2: ("raise ValueError", r"ValueError: what is this\?"),
    3: ("return TABLE[index]", "IndexError: index 4 is out of bounds for axis 0 with size 4"),
    4: ("assert seat", "AssertionError"),
    5: ("card // ", "ZeroDivisionError: division by zero"),
    7: ("table.taken[seat + 4]", "IndexError: index 4 is out of bounds for axis 0 with size 4"),
}
"""By mood: what stands in the line that is to blame, and what is said of it."""


def line_of(part: str) -> int:
    """Number of the one line of the file that holds a text."""
    (line,) = (number for number, text in enumerate(MOODY.splitlines(), 1) if part in text)
    return line


def moody(folder: Path, mood: int, turn: int = 3) -> Setup:
    path = written(folder, "moody.py", MOODY)
    return make_setup("escopa", seed=3, policies=[f"{path}:mood={mood},turn={turn}", "standard"])


@pytest.mark.parametrize("mood", FAILURES)
def test_a_deal_that_breaks_off_says_where_and_how_to_see_it(tmp_path: Path, mood: int) -> None:
    setup = moody(tmp_path, mood)
    part, reason = FAILURES[mood]
    with pytest.raises(KernelError, match=f"{reason}, at deal 7 of seed 3, turn [3-9], seat 0") as caught:
        batch.play(setup, batch.deal_jobs(setup, 7, 2))
    message = str(caught.value)
    assert f"moody.py, choose_play, line {line_of(part)}, " in message
    assert "\n" not in message
    command = shlex.split(message.partition("Reproduce: ")[2])
    assert command[:7] == ["carteador", "show", "escopa", "--deal", "7", "--seed", "3"]
    assert f"0={setup.policy_texts[0]}" in command


def test_the_first_deal_that_breaks_off_is_told(tmp_path: Path) -> None:
    with pytest.raises(OwnPolicyFailure, match="at deal 0 of seed 3"):
        batch.play_deals(moody(tmp_path, 2), 0, 2_000, threads=2, chunk_size=100)


def test_a_claim_that_is_none_breaks_its_article(tmp_path: Path) -> None:
    path = written(tmp_path, "moody.py", MOODY)
    careless = {"overlook_rate": 0.5}
    setup = make_setup("escopa", seed=3, policies=f"{path}:mood=9", rules=careless)
    with pytest.raises(KernelError, match=r"choose_claim, line \d+, .*: it answers take AC AD, which breaks ESC-06"):
        batch.play(setup, batch.deal_jobs(setup, 0, 500))
    well = make_setup("escopa", seed=3, policies=f"{path}:mood=10", rules=careless)
    assert batch.play(well, batch.deal_jobs(well, 0, 500))["claims"].sum() > 0


def test_what_was_played_until_then_can_be_told(tmp_path: Path) -> None:
    setup = moody(tmp_path, 2, turn=12)
    with pytest.raises(KernelError) as caught:
        Replayer(setup).deal(7)
    events = list(caught.value.events)
    assert events[0]["event"] == "deal"
    assert events[-1]["turn"] in (11, 12)
    plain = Replayer(make_setup("escopa", seed=3, policies=setup.policy_texts[0].replace("=2", "=0"))).deal(7)
    assert [event["event"] for event in events] == [event["event"] for event in plain[: len(events)]]


def test_a_hand_of_a_match_is_named_as_such(tmp_path: Path) -> None:
    from sim.match import play_matches

    with pytest.raises(KernelError, match=r"at match 5, hand 0 of seed 3, turn .* --match 5 --hand 0 "):
        play_matches(moody(tmp_path, 2), 5, 1)
