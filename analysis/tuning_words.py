"""A search for parameters in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.comparison_words import probability
from analysis.paired import Difference
from analysis.wording import amount, decimals_for, verdict

REASONS = {
    "generations": "all generations were played",
    "budget": "the budget was spent",
    "stalled": "no better one was found for many generations",
    "converged": "the candidates had become alike",
    "all_tried": "there is no other value",
    "interrupted": "it was interrupted",
}


def search_sentence(search: Mapping[str, Any]) -> str:
    """Say how long it was searched and why it ended."""
    done = search["generations"]
    count = f"{done:,} generation{'' if done == 1 else 's'}"
    what = len(search["parameters"])
    return (
        f"Search: {what} parameter{'' if what == 1 else 's'}, {count} of up to {search['population']} candidates, "
        f"{search['deals_played']:,} deals; it ended because {REASONS[search['stopped_by']]}."
    )


def result_sentences(document: Mapping[str, Any]) -> list[str]:
    """Say what was found and what fresh deals say of it."""
    start, found, against = document["policy"], document["found"], document["against"]
    sentences = [search_sentence(document["search"])]
    if found == start:
        sentences.append(
            f"No improvement: nothing was found that beats {start} on deals that had no part in finding it."
        )
        return sentences
    over = document["over_start"]
    if over is None:
        sentences.append(f"{found} was found, but no fresh deal was played, so nothing is known of what it is worth.")
        return sentences
    sentences.append(_on_fresh_deals(found, start, over["score"]))
    other = document["over_opponent"]
    if other is not None:
        sentences.append(verdict(found, against, _difference(other["score"]), "a deal", "points"))
        gain = document["gain"]
        if gain["low"] is not None:
            told = amount(gain["difference"], (gain["high"] - gain["low"]) / 2, "points", signed=True)
            sentences.append(f"Against {against} it makes {told} a deal more than {start} does.")
    claim = document["search"]["estimate"]
    if claim is not None and document["gain"]["low"] is not None:
        half = (document["gain"]["high"] - document["gain"]["low"]) / 2
        sentences.append(
            f"The search, which chose it, had seen an advantage of {claim:+,.{decimals_for(half)}f} over {against}."
        )
    sentences += _pruned(document)
    if not document["improved"]:
        sentences.append(f"No improvement is shown, so the policy to use is still {start}.")
    return sentences


def _on_fresh_deals(found: str, start: str, row: Mapping[str, Any]) -> str:
    told = verdict(found, start, _difference(row), "a deal", "points")
    return f"On {row['n']:,} fresh deals: {told}"


def _pruned(document: Mapping[str, Any]) -> list[str]:
    pruned = document["pruned"]
    if not pruned:
        return []
    names = ", ".join(f"{row['name']}={row['found']}" for row in pruned)
    return [f"Put back, since nothing is shown to be lost by it: {names}."]


def parameters_sentence(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say which changed parameter matters most."""
    known = [row for row in rows if row["low"] is not None and row["low"] > 0]
    if not known:
        return []
    most = max(known, key=lambda row: float(row["difference"]))
    told = amount(most["difference"], (most["high"] - most["low"]) / 2, "points")
    return [
        f"What matters most is {most['name']}: put back to {most['old']} it costs {told} a deal "
        f"(p {probability(most['p_holm'])} after Holm)."
    ]


def _difference(row: Mapping[str, Any]) -> Difference:
    return Difference(
        row["n"], difference=row["difference"], low=row["low"], high=row["high"], std_error=row["std_error"]
    )
