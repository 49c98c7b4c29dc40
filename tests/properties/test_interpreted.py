"""The same source interpreted gives the records and the events that it gives compiled."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from kernels import registry
from sim import batch
from sim.games import Setup, make_setup
from sim.replay import Replayer, json_lines
from tests.golden.deals import GOLDEN
from tests.properties.setups import covering_setups
from tests.trees import run_python

DEALS_OF_A_SETUP = 1
MANY_DEALS_OF_A_SETUP = 5
GAMES = sorted(registry.GAMES)


def tables(game: str) -> list[Setup]:
    """Every policy for itself, then tables at which every two option values meet."""
    alone = [make_setup(game, seed=13, policies=policy.name) for policy in registry.spec(game).policies]
    return alone + covering_setups(game)


def save(game: str, folder: Path, deals: int) -> None:
    """Play every table and leave records in a folder, and the events of as many other deals."""
    for number, setup in enumerate(tables(game)):
        np.save(folder / f"{number}.npy", batch.play(setup, batch.deal_jobs(setup, 0, deals)))
        replayer = Replayer(setup)
        logs = [json_lines(replayer.deal(deal)) for deal in range(deals, 2 * deals)]
        (folder / f"{number}.jsonl").write_bytes(b"".join(logs))
    for golden in GOLDEN:
        if golden.game == game:
            (folder / golden.path.name).write_bytes(golden.played())


@pytest.mark.parametrize(
    "deals", [DEALS_OF_A_SETUP, pytest.param(MANY_DEALS_OF_A_SETUP, marks=pytest.mark.slow)], ids=["few", "many"]
)
@pytest.mark.parametrize("game", GAMES)
def test_interpreted_equals_compiled(game: str, deals: int, tmp_path: Path) -> None:
    folders = [tmp_path / "compiled", tmp_path / "interpreted"]
    for folder in folders:
        folder.mkdir()
    save(game, folders[0], deals)
    arguments = ["-m", "tests.properties.test_interpreted", game, str(folders[1]), str(deals)]
    run_python(arguments, environment={"NUMBA_DISABLE_JIT": "1"})
    names = sorted(path.name for path in folders[0].iterdir())
    assert sorted(path.name for path in folders[1].iterdir()) == names
    assert len(names) == 2 * len(tables(game)) + sum(golden.game == game for golden in GOLDEN)
    for name in names:
        compiled, interpreted = (folder / name for folder in folders)
        if name.endswith(".npy"):
            expected, found = np.load(compiled), np.load(interpreted)
            for field in expected.dtype.names:
                np.testing.assert_array_equal(found[field], expected[field], err_msg=f"{name} {field}")
        else:
            assert interpreted.read_text().splitlines() == compiled.read_text().splitlines(), name
    for golden in GOLDEN:
        if golden.game == game:
            assert (folders[1] / golden.path.name).read_bytes() == golden.path.read_bytes()


if __name__ == "__main__":
    save(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
