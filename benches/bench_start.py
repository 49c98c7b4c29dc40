"""Whole processes: the first run on a machine, which compiles, and every other one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernels import registry

COMMAND = [sys.executable, "-c", "from sim.cli import main; main()"]


def carteador(arguments: list[str], environment: dict[str, str]) -> None:
    """Run the command to its end."""
    subprocess.run([*COMMAND, *arguments], env=os.environ | environment, check=True, capture_output=True)


def bench_help(benchmark: Any) -> None:
    benchmark.group = "whole processes"
    benchmark.pedantic(carteador, (["--help"], {}), warmup_rounds=1, rounds=5)


@pytest.mark.parametrize("game", list(registry.GAMES))
def bench_warm(benchmark: Any, game: str) -> None:
    benchmark.group = "whole processes"
    benchmark.pedantic(carteador, (["run", game, "--deals", "1000"], {}), warmup_rounds=1, rounds=5)


@pytest.mark.parametrize("game", list(registry.GAMES))
def bench_cold(benchmark: Any, game: str, tmp_path: Path) -> None:
    benchmark.group = "whole processes"
    environment = {"CARTEADOR_CACHE_DIR": str(tmp_path)}
    benchmark.pedantic(carteador, (["run", game, "--deals", "1"], environment), rounds=1)
