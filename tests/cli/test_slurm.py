"""The job of docs/cluster.md for Slurm, run with programs that stand in for Dask, srun and the run itself."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.trees import ROOT

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")

JOB = re.search(r"```bash\n(#!/bin/bash\n#SBATCH.*?)```", (ROOT / "docs" / "cluster.md").read_text(), re.DOTALL)
PROCESSORS = "3"
STANDINS = {
    "dask": """
if sys.argv[1] == "scheduler" and not os.environ.get("NO_SCHEDULER"):
    open(sys.argv[sys.argv.index("--scheduler-file") + 1], "w").write("{}")
    time.sleep(60)
sys.exit(1)
""",
    "srun": 'open("srun.txt", "w").write("\\n".join(sys.argv[1:])); time.sleep(60)',
    "carteador": """
def end(*_):
    time.sleep(1)
    open("finished.txt", "w").write("")
    sys.exit(130)
signal.signal(signal.SIGINT, end)
open("carteador.txt", "w").write("\\n".join(sys.argv[1:]))
time.sleep(60)
""",
}


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """The script, in a folder of its own with what stands in for the programs."""
    assert JOB is not None
    (tmp_path / "bin").mkdir()
    for name, text in STANDINS.items():
        path = tmp_path / "bin" / name
        path.write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n{text}\n")
        path.chmod(0o700)
    script = tmp_path / "run.sh"
    script.write_text(JOB[1].replace("source ~/carteador/bin/activate", ""))
    return script


def submit(job: Path, **environment: str) -> subprocess.Popen[bytes]:
    """Start it as Slurm does, with the signals as they are by default."""
    home = job.parent
    path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    slurm = {"SLURM_JOB_ID": "7", "SLURM_CPUS_PER_TASK": PROCESSORS, "SCRATCH": str(home), "USER": "ana"}
    return subprocess.Popen(
        ["bash", str(job)],
        cwd=home,
        env={**os.environ, **slurm, "PATH": path, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def end_all(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a job, as Slurm does when its script ends."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_the_job_ends_its_run_in_time_and_gives_workers_their_processors(job: Path) -> None:
    process = submit(job)
    try:
        limit = time.monotonic() + 30
        while not ((job.parent / "carteador.txt").exists() and (job.parent / "srun.txt").exists()):
            assert process.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
    finally:
        end_all(process)
    assert (job.parent / "finished.txt").exists()
    assert not list(job.parent.glob("scheduler-*.json"))
    srun = (job.parent / "srun.txt").read_text().splitlines()
    assert srun[: srun.index("dask")] == [f"--cpus-per-task={PROCESSORS}"]
    assert srun[srun.index("--nthreads") + 1] == PROCESSORS
    run = (job.parent / "carteador.txt").read_text().splitlines()
    assert {"--resume", str(job.parent / "scheduler-7.json")} <= set(run)


def test_a_scheduler_that_does_not_start_ends_the_job(job: Path) -> None:
    process = submit(job, NO_SCHEDULER="1")
    try:
        assert process.wait(timeout=30) == 1
    finally:
        end_all(process)
    assert not (job.parent / "carteador.txt").exists()
