"""``carteador report``: stored runs and documents as tables in the terminal, or as one page of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from sim import batch, notable
from sim.commands import check_format, console, refuse_together, write_json
from sim.errors import UsageError
from sim.games import Setup, find_game, make_setup
from sim.manifest import DEALS, MATCHES
from sim.names import on_command_line
from sim.numbers import parse_fraction, units_text
from sim.own.source import is_file, split_policy
from sim.paths import read_given, read_path
from sim.store import whole_file
from sim.stored import StoredRun, open_run, stored_document

if TYPE_CHECKING:
    from analysis.documents import Document, Summary
    from analysis.report import Replay

FORMATS = ("table", "json")
LARGEST_DOCUMENT = 1 << 28
"""Bytes in a document, which no command writes."""

ALLOWED_RUN = "a folder that `carteador run --out` wrote, or a JSON document of carteador"
ALLOWED_PAGE = "a file, new or to be replaced, in a folder that is there"
PAGE_NEEDS = ("altair", "jinja2", "vl_convert")
INSTALL = "pip install 'carteador[report]'"
NOT_RUN = "No deals are shown: some were played with a policy file, which a report does not run."
OTHER_KERNELS = (
    "No deals are shown: this version of the program does not play them as the one that made this result did."
)


@dataclass
class Source:
    """A result to be reported.

    Attributes
    ----------
    name
        As the user wrote it.
    plain, document
        The document as JSON has it, and checked.
    stored
        The run on disk that it was counted from, if it was.
    """

    name: str
    plain: dict[str, Any]
    document: Document
    stored: StoredRun | None = None
    notes: list[str] = field(default_factory=list)


def report(runs: Sequence[str], *, html: str | None, output: str, confidence: str, quiet: bool) -> None:
    """Carry out ``carteador report``.

    Raises
    ------
    UsageError
        If a run or document cannot be read, or the page cannot be made or put where it is wanted.
    """
    check_format(output, FORMATS)
    refuse_together(html=html, format=output if output != FORMATS[0] else None)
    level = parse_fraction("--confidence", confidence)
    page = None if html is None else _page_path(html)
    if output == "json" and len(runs) > 1:
        raise UsageError(f"--format json: it writes one document, and {len(runs)} are given")
    sources = [load(text, level) for text in runs]
    if output == "json":
        write_json(sources[0].plain)
    elif page is None:
        _print(sources)
    else:
        write_page(sources, page, quiet=quiet)
        console().print(str(page), highlight=False, markup=False, soft_wrap=True)


def load(text: str, confidence: float = 0.95) -> Source:
    """Read a run folder or a document.

    Parameters
    ----------
    text
        Its path, as the user wrote it.
    confidence
        Of the intervals of a run folder; a document has its own.

    Raises
    ------
    UsageError
        If there is nothing, or nothing that can be read.
    """
    from analysis import documents

    path = read_path("RUN", text, ALLOWED_RUN)
    if path.is_dir():
        stored = open_run(path)
        plain = stored_document(stored, confidence)
        return Source(text, plain, documents.read(msgspec.to_builtins(plain)), stored, _unfinished(stored))
    if not path.exists():
        raise UsageError(f"RUN: there is no file or folder {text!r}; allowed is {ALLOWED_RUN}")
    try:
        content = read_given(path, LARGEST_DOCUMENT)
        document = documents.read_json(content)
    except OSError as error:
        raise UsageError(f"RUN: {text!r} cannot be read: {error.strerror or error}") from None
    except documents.DocumentError as error:
        raise UsageError(f"RUN: {text!r} cannot be reported: {error}") from None
    find_game(document.game)
    plain = msgspec.json.decode(content)
    return Source(text, plain, document)


def write_page(sources: Sequence[Source], path: Path, *, quiet: bool = False) -> None:
    """Write the report of some results as one HTML file: beside its place, and renamed when it is whole.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    from analysis import report

    parts = []
    for source in sources:
        shown = _replays(source, quiet)
        notes = [*source.notes, *([_why_none(source)] if shown is None else [])]
        parts.append(report.Part(source.document, source.name, _command(source), shown or (), notes))
    with whole_file(path) as file:
        file.write(report.html(parts).encode())


def _why_none(source: Source) -> str:
    policies = getattr(source.document, "policies", None) or []
    return NOT_RUN if any(is_file(split_policy(text)[0]) for text in policies) else OTHER_KERNELS


def _print(sources: Sequence[Source]) -> None:
    from analysis.report.terminal import print_document

    paper = console()
    for number, source in enumerate(sources):
        if number:
            paper.print()
        print_document(source.document, paper, source.name, source.notes)


def _page_path(html: str) -> Path:
    path = read_path("--html", html, ALLOWED_PAGE)
    if path.is_dir():
        raise UsageError(f"--html: {html!r} is a folder; allowed is {ALLOWED_PAGE}")
    if not path.parent.is_dir():
        raise UsageError(f"--html: there is no folder {str(path.parent)!r}; allowed is {ALLOWED_PAGE}")
    missing = [name for name in PAGE_NEEDS if find_spec(name) is None]
    if missing:
        raise UsageError(f"--html: a page needs {', '.join(missing)}, not installed here; to install it: {INSTALL}")
    return path


def _unfinished(stored: StoredRun) -> list[str]:
    if stored.is_complete:
        return []
    done = units_text(stored.manifest.done, stored.unit)
    return [f"The run is not finished: {done} of {stored.manifest.count:,} are told here."]


def _command(source: Source) -> str:
    from analysis.documents import Summary

    document = source.document
    if document.command or not isinstance(document, Summary):
        return document.command or ""
    setup, unit, count = _setup_of(document)
    return "" if setup is None else setup.run_command(unit, document.first or 0, count, document.confidence)


def _setup_of(document: Summary) -> tuple[Setup | None, str, int]:
    """Setup, unit and count of a run by its document; no setup if this version cannot play it."""
    unit = DEALS if document.matches is None else MATCHES
    count = document.deals if document.matches is None else document.matches
    try:
        setup = make_setup(
            document.game,
            seed=document.seed,
            policies=document.policies,
            rules=document.options,
            names=on_command_line,
            # A document may come from anybody: no file that it names is run.
            files={},
        )
    except UsageError:
        return None, unit, count
    return setup, unit, count


def _replays(source: Source, quiet: bool) -> list[Replay] | None:
    """Deals worth looking at; None if they cannot be played as they were, and an empty list where there are none."""
    from analysis.documents import Summary
    from analysis.seating import Seating

    document = source.document
    if not isinstance(document, Summary) or not document.deals:
        return []
    setup, unit, count = _setup_of(document)
    if setup is None:
        return None
    word = Seating.of(setup.spec, setup.options, setup.policy_texts).word.capitalize()
    search = notable.Search(word)
    batch.first_compile(setup, batch.announcer(quiet=quiet))
    if source.stored is not None:
        for tables in source.stored.chunks():
            search.add(tables["deals"], tables["sides"])
    elif document.first is None:
        # Documents of versions that did not say where a run began.
        return []
    else:
        deals, sides = notable.played_again(setup, unit, document.first, count)
        if not notable.agree(document, deals):
            return None
        search.add(deals, sides)
    return notable.replays(setup, search.found())
