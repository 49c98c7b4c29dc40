"""Reports: one HTML file that opens offline, from any documents of `analysis.documents`.

Charts and page need the extra ``report`` (Altair, vl-convert and Jinja2); nothing is imported before a page is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.documents import Document
from analysis.report.model import Part, Replay

__all__ = ["Part", "Replay", "html"]


def html(parts: Part | Document | Mapping[str, Any] | Sequence[Part | Document | Mapping[str, Any]]) -> str:
    """Return a report as one self-contained HTML page, which asks nothing of any other place.

    It says what was simulated, draws the charts that suit the statistics a document has, lists all rows in a table
    that sorts, and holds the deals and the command that are handed to it. It follows the reader's choice of light or
    dark, fits a phone, and prints.

    Parameters
    ----------
    parts
        One document (``carteador.summary/1``, ``compare/1``, ``tournament/1``, ``sweep/1``, ``tune/1``, ``odds/1`` or
        ``advice/1``), as `sim.Run.document` returns it or as read from JSON, or a `Part` that adds replays and notes to
        it; or several, which become parts of one page.

    Returns
    -------
    str
        The page, to be written as UTF-8.

    Raises
    ------
    DocumentError
        If a document is of no known schema, or lacks what its schema demands.
    ModuleNotFoundError
        If the extra ``report`` is not installed.
    ValueError
        If there is no document.

    Examples
    --------
    >>> import sim
    >>> from analysis import report
    >>> run = sim.simulate("canastra", deals=500, seed=7)
    >>> page = report.html(run.document())
    >>> page.startswith("<!doctype html>"), "500 deals" in page
    (True, True)
    """
    from analysis.report.page import page_of

    several = [parts] if isinstance(parts, (Part, Document, Mapping)) else list(parts)
    if not several:
        raise ValueError("a report needs a document at least")
    return page_of([one if isinstance(one, Part) else Part(one) for one in several])
