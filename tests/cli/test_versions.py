"""A stored run and a program that has changed since: refused, unless the rows are declared the same and are."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.manifest import MANIFEST
from tests.sim.folders import content, forget
from tests.trees import carteador, copy_tree, run_python

# Interpreted, so that changed kernels need no compiling.
INTERPRETED = {"NUMBA_DISABLE_JIT": "1"}
WORDS = ("run", "canastra", "--policy", "random", "--deals", "8", "--seed", "2", "--quiet", "--format", "csv")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the program that may be changed."""
    return copy_tree(tmp_path / "tree")


@pytest.fixture
def in_tree(tree: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the copy's `carteador`; a run is stored in chunks of three deals."""
    code = "from sim import batch; batch.STORED_CHUNK = 3\nfrom sim.cli import main; main()"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return run_python(["-c", code, *words], tree, INTERPRETED, check=False)

    return run


def change(path: Path, old: str, new: str) -> None:
    source = path.read_text()
    assert source.count(old) == 1
    path.write_text(source.replace(old, new))


def test_changed_sources_are_refused_unless_declared(
    tree: Path, in_tree: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "run"
    plain = in_tree(*WORDS, "--out", str(whole))
    assert (plain.returncode, plain.stderr) == (0, "")
    in_tree(*WORDS, "--out", str(folder))
    forget(folder, 1)
    before = content(folder)
    then = json.loads((folder / MANIFEST).read_text())["kernels"]

    rules = tree / "kernels" / "canastra" / "rules.py"
    rules.write_text(rules.read_text() + "\n# A remark.\n")
    now = run_python(["-c", "from sim.sources import fingerprint; print(fingerprint('canastra'))"], tree).stdout.strip()
    assert now != then
    for words in (("run", "--resume", str(folder), "--quiet"), (*WORDS, "--out", str(folder), "--resume")):
        done = in_tree(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert f"with other kernels of canastra ({then}) than those of this version" in done.stderr
        assert f"({now}), and they are not declared to play the same" in done.stderr
        assert content(folder) == before

    declared = tree / "sim" / "same_rows.toml"
    declared.write_text(f'[[canastra]]\nsample = "0"\nkernels = ["{then}", "{now}"]\n')
    done = in_tree("run", "--resume", str(folder), "--quiet", "--format", "csv")
    assert (done.returncode, done.stdout, done.stderr) == (0, plain.stdout, "")
    assert content(folder) == content(whole)


def test_a_declaration_that_is_wrong_is_found_out(
    tree: Path, in_tree: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    in_tree(*WORDS, "--out", str(folder))
    forget(folder, 1)
    before = content(folder)
    then = json.loads((folder / MANIFEST).read_text())["kernels"]
    # Another shuffle.
    change(tree / "kernels" / "rng.py", "PURPOSE_DEAL = ", "PURPOSE_DEAL = 7 + ")
    now = run_python(["-c", "from sim.sources import fingerprint; print(fingerprint('canastra'))"], tree).stdout.strip()
    (tree / "sim" / "same_rows.toml").write_text(
        f'[[canastra]]\nsample = "0"\nkernels = ["{then}", "{now}"]\n', encoding="utf-8"
    )
    done = in_tree("run", "--resume", str(folder), "--quiet")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be gone on with, for this version plays it differently: deals-00000.parquet, deal " in done.stderr
    assert content(folder) == before
    found = in_tree("verify", str(folder), "--all", "--quiet")
    assert found.returncode == 1
    assert "as this version plays it" in found.stdout


def test_the_program_as_it_is_goes_on_with_itself(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    carteador(*WORDS, "--out", str(folder), environment=INTERPRETED)
    before = content(folder)
    # Compiled or interpreted, the rows are the same and so are the sources.
    done = carteador("verify", str(folder), "--all", "--quiet")
    assert done.stdout.endswith("8 deals in 1 part, 8 played again: all well\n")
    carteador("run", "--resume", str(folder), "--quiet")
    assert content(folder) == before
