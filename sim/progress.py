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
def progress_line(unit: str, total: int | None, quiet: bool) -> Iterator[Watch | None]:
    """Show a bar with deals/s and time left while the block runs; yields what `run_chunks` calls.

    Nothing is shown, and None yielded, when stderr is no terminal or `quiet` is set.

    Parameters
    ----------
    total
        How many are played; None where the run stops at a precision, which the line then tells.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return

    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    # A precision needs the room of the bar.
    columns = (
        *([] if total is None else [BarColumn(bar_width=30)]),
        TextColumn("{task.fields[done]}"),
        TextColumn("{task.fields[pace]}", style="cyan"),
        TextColumn("{task.fields[left]}", style="green"),
        TextColumn("{task.fields[precision]}"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, done="", pace="", left="", precision="")
        told = ""

        def watch(progress: Progress) -> None:
            nonlocal told
            # A stage may be over before the clock draws the line again.
            is_new, told = progress.precision != told, progress.precision
            left = progress.seconds_left if total is not None or progress.expected is not None else None
            bar.update(
                task,
                total=total if total is not None else progress.expected,
                completed=progress.done,
                done=_done_text(progress, unit, total),
                pace=f"{progress.deals_per_second:,.0f} deals/s",
                left="" if left is None else f"{'' if total is not None else 'about '}{clock_text(left)} left",
                precision=progress.precision,
                refresh=is_new,
            )

        yield watch


def _done_text(progress: Progress, unit: str, total: int | None) -> str:
    if total is not None:
        return f"{progress.done:,} of {units_text(total, unit)}"
    if progress.expected is None or progress.expected < progress.done:
        return units_text(progress.done, unit)
    most = " (the most)" if progress.expected == progress.total else ""
    return f"{progress.done:,} of ~{progress.expected:,}{most}"
