"""Names and numbers as a report writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.catalogue import load
from analysis.catalogue.common import match_statistics
from analysis.documents import Reached, Row
from analysis.statistic import Statistic
from analysis.tables import NOTHING, estimate_text, group_title, number_text
from kernels import registry
from kernels.spec import GameSpec, Option

MINUS, RANGE = "−", "–"
LONGEST_LABEL = 40
_FIRST = {
    "plays_first:yes": "plays first",
    "plays_first:no": "plays later",
    "deals_first:yes": "deals first",
    "deals_first:no": "deals later",
}
_PROVENANCE = {
    "version": "Program",
    "git_commit": "Commit",
    "git_dirty": "Changes not committed",
    "python": "Python",
    "numba": "Numba",
    "numpy": "NumPy",
    "polars": "Polars",
    "cpu": "Processor",
    "threads": "Threads",
    "wall_seconds": "Seconds",
    "deals_per_second": "Deals per second",
}


def known_game(game: str) -> GameSpec | None:
    """Declaration of a game, None if it is not registered here."""
    return registry.spec(game) if game in registry.GAMES else None


def game_title(game: str) -> str:
    """Title of a game, its name if it is not registered here."""
    spec = known_game(game)
    return spec.title if spec else in_words(game).capitalize()


def statistics_of_game(game: str) -> dict[str, Statistic]:
    """Statistics of a game's deals and matches by name, in order; none if it is not registered here."""
    if game not in registry.GAMES:
        return {}
    return {statistic.name: statistic for statistic in (*load(game), *match_statistics())}


def in_words(name: str) -> str:
    """Return a name in words, as ``first meld rate``."""
    return " ".join(name.replace("_", " ").split())


def statistic_words(name: str) -> str:
    """Return a statistic's name in words, as ``end reason: stock out``; with a group, ``score, plays first``."""
    statistic, at, group = name.partition("@")
    text = ": ".join(in_words(piece) for piece in statistic.split(":"))
    return f"{text}, {group_words(group)}" if at else text


def sentence_case(text: str) -> str:
    """Return a text with a capital first letter, the others as they are."""
    return text[:1].upper() + text[1:]


def group_words(group: str) -> str:
    """Return a group in words, as ``seat 3``, ``plays first`` or the policy's text."""
    return _FIRST.get(group) or ("all" if group == "all" else group_title(group))


def value_text(value: float | None, unit: str, digits: int | None = None) -> str:
    """Return a value in its unit: a share in percent, a whole number without decimals, a dash for None."""
    if value is None:
        return NOTHING
    shown = value * 100 if unit == "share" else value
    if digits is None:
        size = abs(shown)
        digits = 0 if float(shown).is_integer() and unit != "share" else 2 if size < 10 else 1 if size < 1000 else 0
    text = number_text(shown, digits).replace("-", MINUS)
    return f"{text} %" if unit == "share" else text


def signed_text(value: float | None, unit: str, digits: int | None = None) -> str:
    """Return a difference with its sign; of shares in points of percent."""
    text = value_text(value, unit, digits).replace(" %", " pp")
    return text if value is None or value <= 0 else f"+{text}"


def row_text(row: Row, *, with_half_width: bool = True) -> str:
    """Return an estimate with the digits that its interval bears out (`analysis.tables.estimate_text`)."""
    fields = {"estimate": row.estimate, "low": row.low, "high": row.high, "unit": row.unit}
    return estimate_text(fields, with_half_width=with_half_width).replace("-", MINUS).replace("%", " %")


def short_text(row: Row) -> str:
    """Return an estimate as a headline has it: no more digits than are read at a glance."""
    value = row.estimate
    if value is None or not row.is_share:
        return value_text(value, row.unit)
    return value_text(value, "share", 1) if 0.001 <= value <= 0.999 else row_text(row, with_half_width=False)


def difference_text(difference: float | None, low: float | None, high: float | None, unit: str) -> str:
    """Return a difference with its sign and the half width of its interval."""
    if difference is None:
        return NOTHING
    text = estimate_text({"estimate": difference, "low": low, "high": high, "unit": unit})
    text = text.replace("-", MINUS).replace("%", " pp")
    return f"+{text}" if difference > 0 else text


def interval_text(low: float | None, high: float | None, unit: str) -> str:
    """Return an interval as ``73.5 – 74.1 %``; a dash for an end that is not determined."""
    if low is None and high is None:
        return NOTHING
    width = abs((high or 0) - (low or 0)) * (100 if unit == "share" else 1)
    digits = next((digits for digits, limit in enumerate((20, 2, 0.2)) if width >= limit), 3)
    ends = [value_text(end, unit, digits).removesuffix(" %") for end in (low, high)]
    return f"{ends[0]} {RANGE} {ends[1]}" + (" %" if unit == "share" else "")


def row_interval(row: Row) -> str:
    """Return the interval of an estimate."""
    return interval_text(row.low, row.high, row.unit)


def p_value_text(p: float | None) -> str:
    """Return a p-value: no more digits than it deserves."""
    if p is None:
        return NOTHING
    return "below 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.01 else f"{p:.3f}"


def reached_text(one: Reached) -> str:
    """Say how far a precision was reached, as ``win_rate@side:0: ± 0.09 %, wanted ± 0.1 %``."""
    digits = 4
    scale, sign = (100.0, " %") if one.unit == "share" else (1.0, f" {one.unit}")
    now = "not known" if one.reached is None else f"± {one.reached * scale:.{digits}g}{sign}"
    return f"{one.name}: {now}, wanted ± {one.wanted * scale:.{digits}g}{sign}" + ("" if one.met else " (not reached)")


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number of things, as ``1 deal`` or ``2,000 deals``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def percent_level(confidence: float) -> str:
    """Return a level of confidence as ``95 %``."""
    return f"{confidence * 100:.12g} %"


def option_value(value: Any) -> str:
    """Return the value of a house rule in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " ".join("10" if item == "T" else str(item) for item in value) or "none"
    if isinstance(value, str):
        return in_words(value)
    return f"{value:,}" if isinstance(value, int) else "none" if value is None else str(value)


def option_typed(value: Any) -> str:
    """Return the value of a house rule as it is typed on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)) or "none"
    return str(value)


def plain(value: Any) -> Any:
    """Return a value as JSON has it: a tuple as a list."""
    return list(value) if isinstance(value, (tuple, set, frozenset)) else value


def changed_rules(game: str, options: Mapping[str, Any]) -> list[tuple[str, Any, Option | None]]:
    """House rules that differ from the rule book: name, value, and what the game says of it."""
    spec = known_game(game)
    known = {option.name: option for option in spec.options} if spec else {}
    return [
        (name, value, known.get(name))
        for name, value in options.items()
        if name not in known or plain(value) != plain(known[name].default)
    ]


def provenance_items(provenance: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a document says of its making, in words."""
    items = []
    for name, value in provenance.items():
        if value is None:
            continue
        if isinstance(value, bool):
            text = "yes" if value else "no"
        elif isinstance(value, (int, float)):
            text = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
        else:
            text = str(value)
        items.append((_PROVENANCE.get(name, sentence_case(in_words(name))), text))
    return items


def shortened(text: str, longest: int = LONGEST_LABEL) -> str:
    """Return a text that is not longer than a label may be."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
