"""The ways a command can fail that are no accident of the machine, and the search for a nearest name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sim.api import Run

DONE, FAILED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses of a command."""


class UsageError(ValueError):
    """Something was asked for that cannot be: the message names it, what is allowed and the nearest right name."""


class KernelError(RuntimeError):
    """A kernel found one of its invariants broken: the message names the deal and the command that shows it.

    Attributes
    ----------
    events
        Of a single deal, what was played until then.
    """

    events: Sequence[Mapping[str, object]] = ()

    def text(self, *, with_command: bool) -> str:
        """Return the message, with or without the command that shows the deal."""
        return str(self) if with_command else str(self).partition(". Reproduce: ")[0]


class BusyError(RuntimeError):
    """A run's folder is in use by another process: the message says which."""


class ClusterError(RuntimeError):
    """A cluster cannot be reached, has nobody who can play the run, or was lost: the message says which and why.

    Attributes
    ----------
    run
        The `sim.api.Run` of what was done before, if there is any.
    """

    run: Run | None = None


class DamageError(RuntimeError):
    """A stored run is not as it was written: the message says which file and what is wrong with it."""


def error_text(error: object) -> str:
    """Return an error of a library in one line."""
    text = " ".join(str(error).split())
    if isinstance(error, OSError) and text:
        # The system says in its words what happened.
        return text[:300]
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name most like `name`, or None when none is like it."""
    from difflib import get_close_matches

    by_lower = {known.lower(): known for known in names}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[found[0]] if found else None


def unknown(where: str, what: str, name: str, names: Iterable[str]) -> UsageError:
    """Error for a name that does not exist: all names there are, and the nearest.

    Parameters
    ----------
    where
        What gave the name, as ``--policy`` or ``policies``; may be empty.
    what
        What the name should have been, as ``game`` or ``option of canastra``.
    name
        The name as written.
    names
        All right names.
    """
    listed = list(names)
    near = nearest(name, listed)
    hint = f" Did you mean {near}?" if near else ""
    return UsageError(
        f"{where + ': ' if where else ''}no {what} is called {name!r}: there is {', '.join(listed)}.{hint}"
    )
