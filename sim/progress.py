"""The progress line of long work, on stderr and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sim.batch import Progress
from sim.numbers import units_text

Watch = Callable[[Progress], None]


def clock_text(seconds: float) -> str:
    """Return a duration as ``45 s``, ``3 min 05 s`` or ``2 h 07 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


@contextmanager
def progress_line(unit: str, total: int, quiet: bool) -> Iterator[Watch | None]:
    """Show a bar with deals/s and time left while the block runs; yields what `run_chunks` calls.

    Nothing is shown, and None yielded, when stderr is no terminal or `quiet` is set.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return

    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(bar_width=30),
        TextColumn("{task.fields[done]} of " + units_text(total, unit)),
        TextColumn("{task.fields[pace]}", style="cyan"),
        TextColumn("{task.fields[left]}", style="green"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, done="0", pace="", left="")

        def watch(progress: Progress) -> None:
            left = progress.seconds_left
            bar.update(
                task,
                completed=progress.done,
                done=f"{progress.done:,}",
                pace=f"{progress.deals_per_second:,.0f} deals/s",
                left="" if left is None else f"{clock_text(left)} left",
            )

        yield watch
