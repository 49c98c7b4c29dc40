"""The process of the `carteador` command: from its start to its exit status.

Nothing is imported here but what the interpreter has loaded anyway, so that Ctrl-C finds `main` in charge at any
time; the commands themselves are declared in `sim.app`.
"""

from __future__ import annotations

import os
import sys

from sim.errors import (
    DONE,
    FAILED,
    INTERRUPTED,
    WRONG_USE,
    BusyError,
    ClusterError,
    DamageError,
    KernelError,
    UsageError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType


def main() -> None:
    """Run the command line of this process and end it with the exit status."""
    # Code in C that is loading can turn an interrupt into an error of its own; this remembers whose it is.
    arrived: list[int] = []
    status = FAILED
    try:
        _watch_for_interrupts(arrived)

        from sim import streams

        streams.prepare()
        status = run_command(sys.argv[1:])
    except BaseException as error:
        if not arrived and not isinstance(error, KeyboardInterrupt):
            raise
        _complain("interrupted", INTERRUPTED)
    _end(INTERRUPTED if arrived else status)


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line.

    Returns
    -------
    int
        Exit status: 0 done, 1 failed, 2 wrong use, 130 interrupted.
    """
    try:
        if sys.stdout is None:
            return _complain("stdout is closed, so there is no place for the result", FAILED)
        return _run_command(arguments)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)


def _run_command(arguments: Sequence[str]) -> int:
    import typer

    from sim import app, streams

    try:
        app.invoke(arguments)
        sys.stdout.flush()
    except typer.Exit as ending:
        return ending.exit_code
    except UsageError as error:
        return _complain(str(error), WRONG_USE)
    except (KernelError, BusyError, DamageError, ClusterError) as error:
        return _complain(str(error), FAILED)
    except MemoryError:
        return _complain("there is not enough memory for this", FAILED)
    except typer.Abort:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader has what it wants; nothing may be written to the pipe at exit either.
        streams.silence(sys.stdout)
        return DONE
    except OSError as error:
        where = error.filename or ("" if streams.settle() else "stdout")
        return _complain(f"{error.strerror or error}" + (f" ({where})" if where else ""), FAILED)
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        return _complain(app.usage_line(message(), arguments), WRONG_USE)
    return DONE


def _complain(message: str, status: int) -> int:
    from sim import streams

    # It may quote a file from anywhere.
    streams.tell(f"carteador: {streams.visible(message)}")
    return status


def _watch_for_interrupts(arrived: list[int]) -> None:
    """Raise `KeyboardInterrupt` as usual, and remember that; where Python would swallow it, end at once."""
    import signal

    def interrupt(number: int, _frame: FrameType | None) -> None:
        arrived.append(number)
        raise KeyboardInterrupt

    def unraisable(found: sys.UnraisableHookArgs) -> None:
        if not isinstance(found.exc_value, KeyboardInterrupt):
            sys.__unraisablehook__(found)
            return
        _complain("interrupted", INTERRUPTED)
        os._exit(INTERRUPTED)

    # A process that is started to ignore the signal goes on ignoring it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
        sys.unraisablehook = unraisable


def _end(status: int) -> None:
    """Leave the process; from here on Ctrl-C changes nothing any more."""
    import signal
    import threading

    from sim import streams

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    streams.settle()
    # An interrupt that passed through the exec of a text is noted by Python, which then ends by the signal instead
    # of with the status; running another text takes the note back.
    eval("None")
    if status == INTERRUPTED and threading.active_count() > 1:
        # Compiled code cannot be interrupted, and a normal exit would wait for it.
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    main()
