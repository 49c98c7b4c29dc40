"""Copies of the source tree, and programs run on them in a process of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("kernels", "sim", "analysis", "benches")


def copy_tree(target: Path, packages: Sequence[str] = PACKAGES) -> Path:
    """Copy the packages of the project into `target` and return it."""
    for package in packages:
        shutil.copytree(ROOT / package, target / package, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def run_python(
    arguments: Sequence[str],
    tree: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    *,
    check: bool = True,
    timeout: float = 300,
) -> subprocess.CompletedProcess[str]:
    """Run the interpreter with the packages of `tree`; fail with the program's own words if `check`."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree), "COLUMNS": "200"} | dict(environment or {}),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    if check and done.returncode != 0:
        raise AssertionError(f"exit status {done.returncode}\nstdout:\n{done.stdout}\nstderr:\n{done.stderr}")
    return done


def carteador(
    *arguments: str,
    tree: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    check: bool = True,
    timeout: float = 300,
) -> subprocess.CompletedProcess[str]:
    """Run the command `carteador` of `tree`."""
    start = ["-c", "from sim.cli import main; main()"]
    return run_python([*start, *arguments], tree, environment, check=check, timeout=timeout)
