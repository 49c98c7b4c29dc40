"""A sweep in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.wording import amount, level


def values_text(values: Mapping[str, Any]) -> str:
    """Return the values of a point, as ``players=4, standard:take_lixo=3``."""
    return ", ".join(f"{name}={plain_value(value)}" for name, value in values.items())


def best_sentences(best: Mapping[str, Any] | None, against: str | None, points: int) -> list[str]:
    """Say which point is best, what fresh deals say of it, and why they were asked."""
    if best is None:
        return [f"{points} points; none was sought as the best."]
    what = f"{best['statistic']} {best['direction']}"
    if best["target"] is not None:
        what += f" to {best['target']:g}"
    sentences = [f"Best of {points} points ({what}): {values_text(best['values'])}."]
    fresh = best["fresh"]
    if fresh is None or fresh["estimate"] is None or fresh["low"] is None or fresh["high"] is None:
        return [*sentences, "It was not played again on fresh deals, so its estimate is too good by its luck."]
    is_advantage = against is not None and best["statistic"].endswith("advantage")
    if is_advantage and fresh["std_error"] == 0 and fresh["estimate"] == 0:
        return [*sentences, f"It plays as {against} itself does: no value did better."]
    half = (fresh["high"] - fresh["low"]) / 2
    tell = amount if is_advantage else level
    told = tell(fresh["estimate"], half, fresh["unit"])
    seen = tell(best["estimate_in_sweep"], half, fresh["unit"]).partition(" ±")[0]
    over = f" over {against}" if is_advantage else ""
    sentences.append(
        f"On {fresh['deals']:,} fresh deals: {best['statistic']}{over} {told}; the sweep, which chose it, said {seen}."
    )
    if fresh["low"] <= 0 <= fresh["high"] and is_advantage:
        sentences.append("That may be nothing: 0 lies within the interval.")
    return sentences


def plain_value(value: object) -> str:
    """Return the value of an option or parameter, as ``true``, ``45KA`` or ``4``."""
    if isinstance(value, bool):
        return str(value).lower()
    return "".join(map(str, value)) if isinstance(value, list) else str(value)
