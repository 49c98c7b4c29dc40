"""The standard streams as a process may find them: closed, full, or without the signs of cards."""

from __future__ import annotations

import codecs
import io
import os
import sys

SPELT = "carteador.spelt"
"""Name of the way in which text is encoded that a stream has no signs for: see `spelt`."""

_LETTERS = {
    "♣": "C",
    "♦": "D",
    "♥": "H",
    "♠": "S",
    "·": "-",
    "┌": "+",
    "│": "|",
    "└": "+",
    "─": "-",
    "±": "+-",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "x",
    "…": "...",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "•": "*",
}


def spelt(text: str) -> str:
    """Return text in letters that any stream has: ``±`` as ``+-``, ``7♠`` as ``7S``, ``é`` as ``e``, else ``?``."""
    return "".join(sign if sign.isascii() else _LETTERS.get(sign) or _without_accent(sign) for sign in text)


def written(text: str, encoding: str) -> str:
    """Return text as a stream of this encoding shows it: only what it cannot encode is spelt out."""
    return text.encode(encoding, SPELT).decode(encoding)


def visible(text: str) -> str:
    r"""Return text in one line that moves no cursor and colours nothing, whoever wrote it.

    >>> print(visible("7♠ \x1b[31m\n"))
    7♠ \x1b[31m\n
    """
    return "".join(
        sign if sign.isprintable() or sign == "\N{NO-BREAK SPACE}" else sign.encode("unicode_escape").decode()
        for sign in text
    )


def prepare() -> None:
    """Make the streams of this process safe to use.

    A closed descriptor would be given to the next file that is opened, which would then receive what is meant for
    the stream: it is filled with the null device. Text that stdout cannot encode is spelt out.
    """
    stdout_closed = sys.stdout is None
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
    if (
        not stdout_closed
        and isinstance(sys.stdout, io.TextIOWrapper)
        and sys.stdout.errors in ("strict", "surrogateescape")
    ):
        sys.stdout.reconfigure(errors=SPELT)


def tell(line: str) -> None:
    """Print a line on stderr, if that can be written: a note that nobody can read is no reason to fail."""
    if sys.stderr is None:
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        silence(sys.stderr)


def settle() -> bool:
    """Write out what the streams hold; what cannot be written is given up, so that the exit does not fail on it.

    Returns
    -------
    bool
        Whether everything was written.
    """
    whole = True
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            silence(stream)
            whole = False
    return whole


def silence(stream: object) -> None:
    """Lead a stream nowhere."""
    try:
        number = stream.fileno()  # type: ignore[attr-defined]
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, number)
        os.close(null)
    except (OSError, ValueError):
        # A stream without a descriptor, or closed by now: nothing can be written to it anyway.
        pass


def _without_accent(sign: str) -> str:
    from unicodedata import normalize

    return normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"


def _spell_out(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return spelt(error.object[error.start : error.end]), error.end


codecs.register_error(SPELT, _spell_out)
