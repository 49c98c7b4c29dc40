"""From the parts of a report to its page: the template, its style and script, and the library that draws the charts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import altair
import vl_convert
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from analysis import documents
from analysis.report import advice, charts, comparison, odds, run, sweep, tournament, tune
from analysis.report.model import Body, Cell, Line, Part

RED_CARD = re.compile(r"(?:joker|10|[2-9JQKA])?[♥♦]")
READABLE_NUMBER = re.compile(r"[+−]?[\d,]*\.?\d+( %| pp)?")
FOLDER = files("analysis.report")


def page_of(parts: Sequence[Part]) -> str:
    """Return the page of one or several parts.

    Raises
    ------
    DocumentError
        If a document is of no known schema, or lacks what its schema demands.
    """
    bodies = [body_of(part) for part in parts]
    titles = [body.title for body in bodies]
    title = titles[0] if len(titles) == 1 else f"{len(titles)} results"
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters.update(json=_json, story=_story, red=_red, sort_key=_sort_key)
    return environment.from_string(_packaged("page.html.jinja")).render(
        title=title,
        bodies=bodies,
        config=charts.CONFIG,
        style=Markup(_packaged("page.css")),
        script=Markup(_in_script(_packaged("page.js"))),
        library=Markup(_library()),
    )


def body_of(part: Part) -> Body:
    """Everything a report says of a part, by the schema of its document.

    Raises
    ------
    DocumentError
        If the document is of no known schema, or lacks what its schema demands.
    """
    document = documents.read(part.document)
    # What Altair would check in every chart of every report, a test checks once.
    with altair.utils.schemapi.debug_mode(False):
        if isinstance(document, documents.Summary):
            return run.run_body(part, document)
        if isinstance(document, documents.Compare):
            return comparison.comparison_body(part, document)
        if isinstance(document, documents.Tournament):
            return tournament.tournament_body(part, document)
        if isinstance(document, documents.Sweep):
            return sweep.sweep_body(part, document)
        if isinstance(document, documents.Odds):
            return odds.odds_body(part, document)
        if isinstance(document, documents.Tune):
            return tune.tune_body(part, document)
        if isinstance(document, documents.Advice):
            return advice.advice_body(part, document)
    raise documents.DocumentError(f"no report is made of {document.schema!r}")


def _packaged(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _library() -> str:
    """Source of Vega, Vega-Lite and Vega-Embed, of the version that Altair writes for."""
    wanted = ".".join(altair.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    version = wanted if wanted in vl_convert.get_vegalite_versions() else None
    return _in_script(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=version))


def _in_script(source: str) -> str:
    """Source that cannot end the element it stands in."""
    return source.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _json(value: Any) -> Markup:
    """JSON that can stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _story(lines: Iterable[Line]) -> Markup:
    """Lines of a deal's story, each with its role, the red suits marked."""
    return Markup("\n").join(
        Markup('<span class="{}">{}</span>').format(role, _red(text)) if role != "text" else _red(text)
        for role, text in lines
    )


def _red(text: str) -> Markup:
    pieces, at = [], 0
    for found in RED_CARD.finditer(text):
        pieces += [escape(text[at : found.start()]), Markup('<i class="red">{}</i>').format(found[0])]
        at = found.end()
    return Markup("").join([*pieces, escape(text[at:])])


def _sort_key(cell: Cell) -> str:
    """What a cell is sorted by, where it cannot be read off its text."""
    if not isinstance(cell.key, (int, float)) or READABLE_NUMBER.fullmatch(cell.text):
        return ""
    return repr(cell.key)
