"""Ctrl-C at any time, while modules load above all: one line and status 130."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.trees import run_python

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a process alone")

# Sends the signal at the moment when a module begins to load.
HOOK = """
import signal, sys
class Finder:
    waiting = True
    def find_spec(self, name, path=None, target=None):
        if self.waiting and name == {module!r}:
            self.waiting = False
            signal.raise_signal(signal.SIGINT)
from sim.cli import main
sys.meta_path.insert(0, Finder())
main()
"""

# Puts something else in place of the command.
REPLACED = """
import signal
import sim.cli
def command(words):
{body}
    return 0
sim.cli.run_command = command
sim.cli.main()
"""


def interrupted(done: subprocess.CompletedProcess[str]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (130, "", "carteador: interrupted\n")


@pytest.mark.parametrize(
    "module",
    [
        "sim.streams",
        "sim.app",
        "typer",
        "sim.commands",
        "numpy",
        "msgspec",
        "analysis.summary",
        "polars",
        "rich.console",
    ],
)
def test_while_a_module_loads(module: str) -> None:
    assert interrupted(run_python(["-c", HOOK.format(module=module), "run", "canastra", "--deals", "9"], check=False))


@pytest.mark.parametrize("module", ["numba", "kernels.canastra.play", "kernels.canastra.narration"])
def test_while_kernels_load(module: str) -> None:
    assert interrupted(run_python(["-c", HOOK.format(module=module), "show", "canastra"], check=False))


@pytest.mark.parametrize(
    "body",
    [
        "signal.raise_signal(signal.SIGINT)",
        # Python notes an interrupt that leaves the exec of a text, and then dies of the signal.
        "exec('signal.raise_signal(signal.SIGINT)')",
        # A library that makes an error of its own of it.
        "try:\n    signal.raise_signal(signal.SIGINT)\nexcept KeyboardInterrupt:\n    raise ImportError('no module')",
        # A place where Python swallows exceptions.
        "class Dying:\n    def __del__(self):\n        signal.raise_signal(signal.SIGINT)\nDying()",
    ],
    ids=["plain", "in the exec of a text", "made an import error", "swallowed"],
)
def test_however_it_comes_through(body: str) -> None:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    assert interrupted(run_python(["-c", REPLACED.format(body=indented)], check=False))


def test_nothing_is_loaded_before_the_command_is_in_charge() -> None:
    code = "import sys; before = set(sys.modules); import sim.cli; print(*sorted(set(sys.modules) - before))"
    assert run_python(["-c", code]).stdout.split() == ["__future__", "sim", "sim.cli", "sim.errors"]


def test_a_process_that_ignores_the_signal_goes_on_ignoring_it() -> None:
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + HOOK.format(module="sim.listing")
    done = run_python(["-c", code, "games"])
    assert "canastra" in done.stdout
    assert done.stderr == ""
