"""A search for parameters in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.comparison_words import probability
from analysis.paired import Difference
from analysis.wording import amount, decimals_for, listed, verdict

TUNED = "the tuned policy"

REASONS = {
    "generations": "all generations were played",
    "budget": "the budget was spent",
    "stalled": "no better one was found for many generations",
    "converged": "the candidates had become alike",
    "all_tried": "there is no other value",
    "nothing_matters": "no parameter changes anything under these rules",
    "interrupted": "it was interrupted",
}


def heading(title: str, policy: str, against: Sequence[str], seed: int) -> str:
    """Say in a line what was sought where."""
    return f"{title}: {policy} against {listed(against)}, seed {seed}"


def search_sentence(search: Mapping[str, Any]) -> str:
    """Say how long it was searched and why it ended."""
    done = search["generations"]
    count = f"{done:,} generation{'' if done == 1 else 's'}"
    what = len(search["parameters"])
    idle = search["inert"]
    left = f" Left out, since nothing changes with them under these rules: {', '.join(idle)}." if idle else ""
    return (
        f"Search: {what} parameter{'' if what == 1 else 's'}, {count} of up to {search['population']} candidates, "
        f"{search['deals_played']:,} deals; it ended because {REASONS[search['stopped_by']]}.{left}"
    )


def result_sentences(document: Mapping[str, Any]) -> list[str]:
    """Say what was found and what fresh deals say of it."""
    start, over = document["policy"], document["over_start"]
    sentences = [search_sentence(document["search"])]
    if document["found"] == start:
        return [*sentences, f"No improvement: nothing was found that beats {start}."]
    sentences += _pruned(document["pruned"])
    if document["judged"] == start:
        return [*sentences, f"No improvement: that is {start} again."]
    if over is None:
        return [*sentences, "No fresh deal was played, so nothing is known of what the values found are worth."]
    told = verdict(TUNED, start, _difference(over["score"]), "a deal", "points")
    sentences.append(f"On {over['score']['n']:,} fresh deals {told}")
    sentences += _against_opponents(document)
    gain, claim = document["gain"], document["search"]["estimate"]
    if claim is not None and gain is not None and gain["low"] is not None:
        digits = decimals_for((gain["high"] - gain["low"]) / 2)
        sentences.append(f"The search, which chose it, had seen {claim:+,.{digits}f} over {_opponents(document)}.")
    sentences += parameters_sentence(document["parameters"])
    if not document["improved"]:
        sentences.append(f"No improvement is shown, so the policy to use is still {start}.")
    return sentences


def _opponents(document: Mapping[str, Any]) -> str:
    against = document["against"]
    return f"the mean of {listed(against)}" if len(against) > 1 else str(against[0])


def _against_opponents(document: Mapping[str, Any]) -> list[str]:
    start, over, gain = (document[name] for name in ("policy", "over_opponents", "gain"))
    where = "Against the opponent" if len(document["against"]) == 1 else "On them"
    sentences = [
        f"{where} {verdict(TUNED, against, _difference(rows['score']), 'a deal', 'points')}"
        for against, rows in over.items()
    ]
    if sentences and gain is not None and gain["low"] is not None:
        told = amount(gain["difference"], (gain["high"] - gain["low"]) / 2, "points", signed=True)
        whom = "it" if len(document["against"]) == 1 else "its opponents, on the mean of them"
        sentences.append(f"That is {told} a deal from what {start} makes against {whom}.")
    return sentences


def _pruned(pruned: Sequence[Mapping[str, Any]]) -> list[str]:
    if not pruned:
        return []
    names = ", ".join(f"{row['name']}={row['found']}" for row in pruned)
    return [f"Put back to what it was, since nothing is shown to be lost by that: {names}."]


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
