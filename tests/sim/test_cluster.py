"""Runs on a Dask cluster: the same bit for bit, whatever becomes of the workers, and nothing from those that differ."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sim
from kernels import registry
from sim import cluster, cluster_crew, cluster_results
from sim.batch import Progress
from sim.cluster_pool import ClusterPool
from sim.errors import ClusterError, KernelError, UsageError
from tests.sim import clusters, folders
from tests.sim.folders import content, flip, forget, numbers
from tests.trees import copy_tree

pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups are killed as POSIX has them")

RUN: dict[str, Any] = {"game": "canastra", "deals": 1000, "seed": 4, "chunk_size": 150, "keep_rows": False}


@pytest.fixture(scope="module")
def two() -> Iterator[str]:
    """Address of a cluster with two workers of this machine."""
    with cluster._silence(), cluster._local_cluster(2) as address:
        yield address


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    """What `RUN` says without a cluster."""
    return numbers(sim.simulate(**RUN))


def on(address: Any, **others: Any) -> sim.Run:
    """Play `RUN` on a cluster."""
    return sim.simulate(**{**RUN, "cluster": address, **others})


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_game_counts_the_same(game: str, two: str) -> None:
    asked: dict[str, Any] = {"game": game, "deals": 700, "seed": 2**64 - 1, "first": 10**12, "keep_rows": False}
    last = registry.spec(game).policies[-1].name
    asked["policies"] = {0: "random", 1: last}
    assert numbers(sim.simulate(**asked, cluster=two)) == numbers(sim.simulate(**asked))


@pytest.mark.parametrize("chunk_size", [None, 1000, 333, 41])
def test_however_it_is_cut(chunk_size: int | None, two: str, alone: dict[str, Any]) -> None:
    run = on(two, chunk_size=chunk_size)
    assert numbers(run) == alone
    assert run.provenance()["workers"] == 2
    assert run.provenance()["threads"] == 2


def test_rows_come_back_where_they_are_asked_for(two: str) -> None:
    mine, theirs = sim.simulate(**{**RUN, "keep_rows": True}), on(two, keep_rows=True)
    assert theirs.deals.equals(mine.deals)
    assert theirs.sides.equals(mine.sides)


def test_matches(two: str) -> None:
    asked: dict[str, Any] = {"game": "escopa", "matches": 60, "seed": 3, "chunk_size": 13}
    mine, theirs = sim.simulate(**asked), sim.simulate(**asked, cluster=two)
    assert numbers(theirs) == numbers(mine)
    assert theirs.matches.equals(mine.matches)
    assert theirs.deals.equals(mine.deals)


def test_workers_write_the_folder_that_one_process_writes(two: str, alone: dict[str, Any], tmp_path: Path) -> None:
    folders.store(tmp_path / "mine")
    run = on(two, out=tmp_path / "theirs")
    assert numbers(run) == alone
    assert content(tmp_path / "theirs") == content(tmp_path / "mine")
    assert sim.verify(tmp_path / "theirs", sample=None).is_well


def test_matches_in_a_folder(two: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"game": "mau_mau", "matches": 9, "rules": {"target": 200}, "chunk_size": 4}
    sim.simulate(**asked, out=tmp_path / "mine")
    run = sim.simulate(**asked, out=tmp_path / "theirs", cluster=two)
    assert content(tmp_path / "theirs") == content(tmp_path / "mine")
    assert run.matches.height == 9


def test_it_goes_on_with_what_is_there(two: str, alone: dict[str, Any], tmp_path: Path) -> None:
    folders.store(tmp_path / "run")
    whole = content(tmp_path / "run")
    forget(tmp_path / "run", 1, 2, 6)
    flip(tmp_path / "run" / "sides-00004.parquet")
    (tmp_path / "run" / "deals-00001.parquet").unlink()
    run = on(two, out=tmp_path / "run", resume=True, keep_rows=True)
    assert numbers(run) == alone
    assert run.progress.read == 450
    assert run.deals["deal"].to_list() == list(range(1000))
    assert content(tmp_path / "run") == whole
    forget(tmp_path / "run", 0)
    assert numbers(sim.resume(tmp_path / "run", cluster=two, keep_rows=False)) == alone
    assert content(tmp_path / "run") == whole


@pytest.mark.parametrize("chunk_size", [None, 700])
def test_until_a_precision(chunk_size: int | None, two: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"game": "escopa", "seed": 6, "until": {"win_rate@seat:0": "2.5%"}, "keep_rows": False}
    asked["chunk_size"] = chunk_size
    mine = sim.simulate(**asked, out=tmp_path / "mine")
    assert numbers(sim.simulate(**asked, cluster=two)) == numbers(mine)
    theirs = sim.simulate(**asked, out=tmp_path / "theirs", cluster=two)
    assert numbers(theirs) == numbers(mine)
    assert theirs.until[0].met
    assert content(tmp_path / "theirs") == content(tmp_path / "mine")


def test_a_client_of_ones_own_stays_open(two: str, alone: dict[str, Any]) -> None:
    from distributed import Client

    with Client(two, set_as_default=False) as client:
        assert numbers(on(client)) == alone
        assert client.submit(sum, [1, 2]).result() == 3
    with pytest.raises(UsageError, match=r"^cluster: the client is closed$"):
        on(client)


def test_a_cluster_of_dask(alone: dict[str, Any]) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as made:
        assert numbers(on(made)) == alone


def test_few_bytes_travel(two: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pools = []
    enter = ClusterPool.__enter__

    def noted(pool: ClusterPool) -> ClusterPool:
        pools.append(pool)
        return enter(pool)

    monkeypatch.setattr(ClusterPool, "__enter__", noted)
    on(two, deals=6000, chunk_size=3000)
    assert pools[0].answers == 2
    # Rows of a deal have about a hundred bytes.
    assert pools[0].bytes_received < 6000 * 10


class Killing:
    """Kills workers when the first chunks are done."""

    def __init__(self, address: str, times: int) -> None:
        self.address, self.times, self.killed = address, times, 0

    def __call__(self, progress: Progress) -> None:
        if self.killed < self.times and progress.done > self.killed * 1000:
            self.killed += 1
            address, number = next(iter(clusters.worker_processes(self.address).items()))
            assert address
            os.kill(number, signal.SIGKILL)


@pytest.mark.parametrize("stores", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_killed_worker_costs_only_its_chunks(stores: bool, two: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {**RUN, "deals": 6000, "chunk_size": 250}
    mine = sim.simulate(**asked, out=tmp_path / "mine")
    killing = Killing(two, times=2)
    others: dict[str, Any] = {"out": tmp_path / "theirs"} if stores else {}
    run = sim.simulate(**asked, **others, cluster=two, progress=killing)
    assert killing.killed == 2
    assert numbers(run) == numbers(mine)
    if stores:
        assert content(tmp_path / "theirs") == content(tmp_path / "mine")
    clusters.await_workers(two, 2)


def test_a_folder_that_workers_do_not_see(two: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order = ClusterPool._run_order
    elsewhere = tmp_path / "elsewhere"

    def misled(pool: ClusterPool) -> Any:
        import msgspec

        return msgspec.structs.replace(order(pool), folder=str(elsewhere))

    monkeypatch.setattr(ClusterPool, "_run_order", misled)
    with pytest.raises(ClusterError, match=r"^no worker of the cluster can play this run: .*: it does not see"):
        on(two, out=tmp_path / "run")
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"manifest.json"}
    # Another folder of that name.
    elsewhere.mkdir()
    monkeypatch.setattr("secrets.token_hex", lambda _: "0" * 32)
    (elsewhere / "probe-00000000.partial").write_text("1" * 32)
    with pytest.raises(ClusterError, match=r"it sees another folder as .*: the folder must be shared, under"):
        on(two, out=tmp_path / "run")
    # One that looks right, but what is written there is not seen here.
    (elsewhere / "probe-00000000.partial").write_text("0" * 32)
    monkeypatch.setattr(cluster_results, "SIGHT_SECONDS", 0.5)
    with pytest.raises(ClusterError, match=r"deals-0000\d.parquet, which worker \S+ wrote to .* is not seen here"):
        on(two, out=tmp_path / "run")


def test_a_broken_invariant_is_told_as_without_a_cluster(tmp_path: Path) -> None:
    broken = "from sim.errors import KernelError; raise KernelError('the kernels failed at deal 777')"
    preload = clusters.preload(tmp_path, broken)
    with clusters.scheduler(tmp_path) as (address, _), clusters.worker(address, *preload):
        with pytest.raises(KernelError, match=r"^the kernels failed at deal 777$"):
            on(address, out=tmp_path / "run")
        # What was finished is kept.
        run = sim.simulate(**RUN, out=tmp_path / "run", resume=True)
        assert run.progress.read >= 600


@pytest.mark.slow
def test_what_fails_on_every_worker_ends_the_run_in_words(tmp_path: Path) -> None:
    preload = clusters.preload(tmp_path, "raise RuntimeError('out of order')")
    with (
        clusters.scheduler(tmp_path) as (address, _),
        clusters.worker(address, *preload),
        pytest.raises(ClusterError, match=r"^deals 750 to 899 failed on worker tcp://\S+: RuntimeError: out of order$"),
    ):
        on(address)


@pytest.mark.slow
def test_a_chunk_that_kills_workers_ends_the_run_by_its_name(tmp_path: Path) -> None:
    preload = clusters.preload(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    with (
        clusters.scheduler(tmp_path) as (address, _),
        clusters.worker(address, "--nworkers", "2", *preload),
        pytest.raises(ClusterError) as caught,
    ):
        on(address, out=tmp_path / "run")
    assert str(caught.value).startswith("deals 750 to 899 ended 8 workers of the cluster, one after the other")
    assert str(caught.value).endswith(": carteador run canastra --deals 150 --first 750 --seed 4")
    assert caught.value.run is not None
    assert caught.value.run.progress.done == 750
    assert sim.simulate(**RUN, out=tmp_path / "run", resume=True).progress.read >= 750


def test_all_workers_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: dict[str, Any]) -> None:
    monkeypatch.setattr(cluster_crew, "PATIENCE", 2.0)
    with clusters.scheduler(tmp_path) as (address, _):
        with clusters.worker(address) as started:
            clusters.await_workers(address, 1)

            def watch(progress: Progress) -> None:
                if progress.done == 300:
                    clusters.kill(started)

            with pytest.raises(ClusterError, match=r"^all workers of the cluster are gone: .* within 2 s$") as lost:
                on(address, out=tmp_path / "run", progress=watch)
        run = lost.value.run
        assert run is not None
        assert run.progress.stopped
        done = run.progress.done
        assert 300 <= done < 1000
        assert numbers(run)["statistics"] == sim.simulate(**{**RUN, "deals": done}).document()["statistics"]
        with pytest.raises(ClusterError, match="the cluster has no workers: none that could play this run came within"):
            on(address)
        with clusters.worker(address):
            clusters.await_workers(address, 1)
            assert numbers(on(address, out=tmp_path / "run", resume=True)) == alone


def test_the_scheduler_gone(tmp_path: Path) -> None:
    with clusters.scheduler(tmp_path) as (address, started), clusters.worker(address):

        def watch(progress: Progress) -> None:
            if progress.done == 300:
                clusters.kill(started)

        with pytest.raises(ClusterError, match=r"^the scheduler of the cluster is gone") as lost:
            on(address, progress=watch)
    assert lost.value.run is not None
    assert 300 <= lost.value.run.progress.done < 1000


def changed_tree(target: Path, name: str) -> Path:
    """A copy of the program in which a source was changed, without any consequence."""
    tree = copy_tree(target)
    path = tree / name
    path.write_text(path.read_text() + "\n# A remark.\n")
    return tree


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("kernels/canastra/rules.py", "it has other kernels of canastra"),
        pytest.param("analysis/counting.py", "it counts other statistics of canastra", marks=pytest.mark.slow),
    ],
)
def test_workers_of_another_version_play_nothing(name: str, why: str, tmp_path: Path, alone: dict[str, Any]) -> None:
    tree = changed_tree(tmp_path / "tree", name)
    told: list[str] = []
    with clusters.scheduler(tmp_path) as (address, _), clusters.worker(address, tree=tree):
        clusters.await_workers(address, 1)
        with pytest.raises(ClusterError, match=rf"^no worker of the cluster can play this run: tcp://\S+: {why}"):
            on(address)
        # Beside one that is right it is left out, and told of.
        with clusters.worker(address):
            clusters.await_workers(address, 2)
            run = execute(address, told)
            assert numbers(run) == alone
            assert run.provenance()["workers"] == 1
    assert len(told) == 1
    assert told[0].startswith("carteador: worker tcp://")
    assert f"plays nothing of this run: {why}" in told[0]


def execute(address: str, told: list[str], **others: Any) -> sim.Run:
    """Play `RUN` as the command does, with what it tells."""
    from sim import api
    from sim.games import make_setup

    asked: dict[str, Any] = {"chunk_size": RUN["chunk_size"], "announce": told.append, "cluster": address, **others}
    return api.execute(api.Request(make_setup(RUN["game"], seed=RUN["seed"]), "deals", 0, RUN["deals"], **asked))


def test_a_wrong_worker_that_joins_later_finds_out_by_itself(
    two: str, tmp_path: Path, alone: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = changed_tree(tmp_path / "tree", "kernels/canastra/rules.py")
    # Nobody is asked who joins: only the chunk itself tells.
    monkeypatch.setattr(cluster_crew, "LOOK_SECONDS", 1e9)
    told: list[str] = []
    with clusters.worker(two, tree=tree):

        def watch(progress: Progress) -> None:
            if progress.done == 150:
                clusters.await_workers(two, 3)

        run = execute(two, told, watch=watch, chunk_size=25)
        assert numbers(run) == alone
    assert len(told) == 1
    assert "it has other kernels" in told[0]
    clusters.await_workers(two, 2)


def test_a_worker_without_carteador(tmp_path: Path) -> None:
    # Where carteador is installed, this stands before it.
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'sim'\")\n")
    with clusters.scheduler(tmp_path) as (address, _), clusters.worker(address, tree=tmp_path):
        clusters.await_workers(address, 1)
        with pytest.raises(ClusterError, match=r"it has no carteador, or another version: .*ModuleNotFoundError"):
            on(address)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _name: None)
    with pytest.raises(UsageError, match=r"^cluster: it needs Dask, .* pip install 'carteador\[cluster\]'$"):
        on("local:2")


def test_what_cannot_be() -> None:
    with pytest.raises(UsageError, match="threads and cluster cannot go together"):
        on("local:2", threads=2)
    with pytest.raises(UsageError, match=r"cluster: 7 is not allowed; allowed is HOST:PORT"):
        on(7)
    with pytest.raises(UsageError, match="cluster: 'here' is no address"):
        on("here")
