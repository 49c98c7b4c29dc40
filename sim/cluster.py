"""The way to a Dask cluster: one that is there, or workers of this machine."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from sim.errors import ClusterError, UsageError, error_text
from sim.numbers import parse_integer
from sim.paths import read_inside, read_path

MOST_LOCAL = 256
CONNECT_SECONDS = 10
START_SECONDS = 120.0
LARGEST_SCHEDULER_FILE = 1 << 20
SCHEMES = ("tcp", "tls", "ws", "wss")
ALLOWED = (
    "HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT, local:N for N workers on this machine, or a scheduler's FILE.json"
)

LOCAL_ENVIRONMENT = {
    # One thread each also for what they count.
    "POLARS_MAX_THREADS": "1",
    # What is said of other clusters; nothing leaves this machine.
    "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "False",
}

_ADDRESS = re.compile(
    r"((?P<scheme>[a-z][a-z0-9+.-]*)://)?(?P<host>\[[0-9A-Fa-f:.%]+\]|[^\s:/@\[\]]+):(?P<port>\d{1,5})/?", re.ASCII
)
_LOUD = ("distributed", "tornado", "asyncio", "bokeh")
_SILENT = logging.CRITICAL + 1


@dataclass(frozen=True, slots=True)
class Address:
    """Where a cluster is.

    Attributes
    ----------
    text
        As it was written.
    scheduler
        Address of the scheduler; empty where it is to be started.
    local
        Workers to start on this machine; 0 for none.
    """

    text: str
    scheduler: str = ""
    local: int = 0


def read_address(name: str, text: str) -> Address:
    """Read the address of a cluster.

    Parameters
    ----------
    name
        What gave it, for the message, as ``--cluster``.

    Raises
    ------
    UsageError
        If it can be none.
    """
    written = text.strip()
    head, _, tail = written.partition(":")
    if head == "local":
        return Address(text, local=parse_integer(f"{name} local", tail, 1, MOST_LOCAL))
    if written.endswith(".json"):
        return Address(text, _from_file(name, written))
    return Address(text, _checked(name, written, text))


def _checked(name: str, address: str, text: str) -> str:
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise UsageError(f"{name}: {text!r} is no address; allowed is {ALLOWED}")
    scheme = found["scheme"] or "tcp"
    if scheme not in SCHEMES:
        raise UsageError(f"{name}: {text!r} is not allowed; allowed is {ALLOWED}")
    return f"{scheme}://{found['host']}:{found['port']}"


class _SchedulerFile(msgspec.Struct):
    """What a scheduler writes to its ``--scheduler-file``."""

    address: str


def _from_file(name: str, text: str) -> str:
    path = read_path(name, text, ALLOWED)
    try:
        content = read_inside(path.parent, path.name, LARGEST_SCHEDULER_FILE)
        address = msgspec.json.decode(content, type=_SchedulerFile).address
    except OSError as error:
        raise UsageError(f"{name}: {text!r} cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(f"{name}: {text!r} is no file of a Dask scheduler: {error}") from None
    return _checked(name, address, f"{address} in {text}")


def check_installed(name: str) -> None:
    """Check that Dask is there.

    Raises
    ------
    UsageError
        If it is not.
    """
    if find_spec("distributed") is None:
        raise UsageError(f"{name}: it needs Dask, which is not installed: pip install 'carteador[cluster]'")


@contextmanager
def connected(given: Any, name: str) -> Iterator[Any]:
    """Connect to a cluster, or start one, for the time of the block.

    Parameters
    ----------
    given
        Text of an address, a `distributed.Client`, which is left open, or a cluster object of Dask.
    name
        What gave it, for the message, as ``--cluster``.

    Yields
    ------
    distributed.Client
        With no word of Dask's loggers meanwhile.

    Raises
    ------
    UsageError
        If it is no address, or Dask is not installed.
    ClusterError
        If there is no scheduler at the address, or workers do not start.
    """
    check_installed(name)
    address = read_address(name, given) if isinstance(given, str) else None
    with ExitStack() as closing:
        closing.enter_context(_silence())
        if address is None:
            yield closing.enter_context(_client_of(given, name))
            return
        scheduler = address.scheduler or closing.enter_context(_local_cluster(address.local))
        client = _client(scheduler, address.text)
        closing.callback(_close, client)
        yield client


@contextmanager
def _silence() -> Iterator[None]:
    """Keep Dask's loggers from writing to stderr: what is worth knowing is told in our own words."""
    import distributed  # noqa: F401  (it makes its loggers when it is loaded)

    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in _LOUD]
    loggers = [logging.getLogger(name) for name in {*names, *_LOUD}]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(_SILENT)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _client_of(given: Any, name: str) -> Iterator[Any]:
    """Client of what a program passes."""
    from distributed import Client
    from distributed.deploy import Cluster

    if isinstance(given, Client):
        if given.asynchronous or given.status != "running":
            raise UsageError(f"{name}: the client is {'asynchronous' if given.asynchronous else given.status}")
        yield given
    elif isinstance(given, Cluster):
        client = _client(given, given.scheduler_address)
        try:
            yield client
        finally:
            _close(client)
    else:
        raise UsageError(
            f"{name}: {given!r} is not allowed; allowed is {ALLOWED}, a distributed.Client or a cluster of Dask's"
        )


def _client(scheduler: Any, text: str) -> Any:
    from distributed import Client
    from distributed.security import Security
    from distributed.versions import VersionMismatchWarning

    how = Security().get_connection_args("client")
    encrypts = isinstance(scheduler, str) and scheduler.partition(":")[0] in ("tls", "wss")
    if encrypts and how["ssl_context"] is None:
        raise ClusterError(
            f"{text} cannot be used without certificates, which Dask's configuration must name (distributed.comm.tls)"
        )
    try:
        if isinstance(scheduler, str):
            _reach(scheduler, how)
        with warnings.catch_warnings():
            # Workers are asked for their versions, and differences are told then.
            warnings.simplefilter("ignore", VersionMismatchWarning)
            return Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False, name="carteador")
    except Exception as error:
        raise ClusterError(f"there is no Dask scheduler to be reached at {text}: {error_text(error)}") from None


def _reach(scheduler: str, how: dict[str, Any]) -> None:
    """Ask a scheduler who it is: a client would wait for ever for somebody who listens and never answers.

    Parameters
    ----------
    how
        Arguments of the connection: certificates and the like.

    Raises
    ------
    OSError
        If it does not say in time.
    """
    from distributed import rpc

    async def ask() -> None:
        async with rpc(scheduler, timeout=CONNECT_SECONDS, connection_args=how) as remote:
            await remote.identity()

    def run() -> None:
        try:
            asyncio.run(asyncio.wait_for(ask(), CONNECT_SECONDS))
        except TimeoutError:
            found.append(OSError(f"nobody answers there within {CONNECT_SECONDS} s"))
        except OSError as error:
            found.append(error)
        except Exception:
            found.append(OSError("whoever answers there does not speak as one"))

    found: list[OSError] = []
    # In a thread, for a notebook has a loop of its own in this one.
    asking = threading.Thread(target=run, daemon=True, name="carteador-reach")
    asking.start()
    end = time.monotonic() + CONNECT_SECONDS + 2
    while asking.is_alive():
        asking.join(0.1)
        if time.monotonic() > end:
            raise OSError(f"nobody answers there within {CONNECT_SECONDS} s")
    if found:
        raise found[0]


def _close(client: Any) -> None:
    with suppress(Exception):
        client.close(timeout=2)


@contextmanager
def _local_cluster(count: int) -> Iterator[str]:
    """Scheduler in this process and workers in processes of their own, which end with it; yields its address."""
    import dask
    from distributed import LocalCluster

    with ExitStack() as closing:
        # What is said of other clusters; nothing leaves this machine here.
        closing.enter_context(dask.config.set({"distributed.comm.require-encryption": False}))
        try:
            cluster = LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=False)
        except Exception as error:
            raise ClusterError(f"no cluster can be started on this machine: {error_text(error)}") from None
        closing.callback(_close, cluster)
        place = closing.enter_context(tempfile.TemporaryDirectory(prefix="carteador-", ignore_cleanup_errors=True))
        log = Path(place) / "workers.log"
        process = _start_workers(cluster.scheduler_address, count, place, log)
        closing.callback(_end, process)
        _await_workers(cluster, count, process, log)
        yield cluster.scheduler_address


def _start_workers(scheduler: str, count: int, place: str, log: Path) -> subprocess.Popen[bytes]:
    """Start worker processes of one thread each, and one that starts them again when they die."""
    words = ["--nworkers", str(count), "--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
    words += ["--host", "127.0.0.1", "--local-directory", place, "--death-timeout", "60"]
    with log.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_worker", scheduler, *words],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env=os.environ | {"PYTHONPATH": _search_path()} | LOCAL_ENVIRONMENT,
            # Ctrl-C in the terminal is for the run, which lets the chunks in flight finish.
            start_new_session=True,
        )


def _search_path() -> str:
    """Where this process finds modules, for another one."""
    return os.pathsep.join(os.path.abspath(place) for place in sys.path)  # noqa: PTH100


def _await_workers(cluster: Any, count: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while len(cluster.scheduler.workers) < count:
        if process.poll() is not None or time.monotonic() > end:
            last = log.read_text(errors="replace").strip().splitlines()[-1:]
            reason = f": {last[0][:300]}" if last else ""
            raise ClusterError(f"{count} workers did not start on this machine{reason}")
        time.sleep(0.02)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the worker processes and whoever looks after them."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
