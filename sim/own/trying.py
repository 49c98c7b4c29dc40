"""A policy file tried, step by step, in a process of its own that can be ended; run as ``python -m sim.own.trying``.

What is to be tried comes from the process that has started this one, by its pipe; what is found goes back a line of
JSON at a time.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import batch
from sim.errors import KernelError, UsageError
from sim.games import Setup, find_game, make_setup
from sim.names import on_command_line
from sim.option_tables import covering_options

COMPILED, LEGAL, DETERMINISTIC, BLIND, SPEED, AGAINST = (
    "compiled",
    "legal",
    "deterministic",
    "blind",
    "speed",
    "against",
)
STEPS = (COMPILED, LEGAL, DETERMINISTIC, BLIND, SPEED, AGAINST)

SHORTEST, LONGEST = 0.2, 1.0
"""Seconds of a piece of work between two signs of life."""

REPEATS = 7
BLIND_DEALS, LEAST_BLIND_DEALS = 150, 10


@dataclass(frozen=True)
class Request:
    """What is to be tried.

    Attributes
    ----------
    policy
        The file, perhaps with parameters.
    deals
        Deals that must be legal; other steps play a share of so many.
    table, first
        Of deals that are played one by one, to find the one that never ends; `table` -1 to try everything.
    """

    game: str
    policy: str
    deals: int
    seed: int
    threads: int
    table: int = -1
    first: int = 0


def say(**line: Any) -> None:
    """Tell the other process."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def tables_of(request: Request) -> list[Setup]:
    """Tables at which a policy has to be legal: every two option values meet; at every other one it plays all seats."""
    spec = find_game(request.game)
    tables = []
    for number, rules in enumerate(covering_options(spec)):
        seats = spec.seats({option.name: rules.get(option.name, option.default) for option in spec.options})
        others = [policy.name for policy in spec.policies]
        policies = [
            request.policy
            if number % 2 == 0 or (seat + number // 2) % 2 == 0
            else others[(seat + number) % len(others)]
            for seat in range(seats)
        ]
        tables.append(make_setup(request.game, seed=request.seed, policies=policies, rules=rules))
    return tables


def pieces(count: int) -> Iterator[tuple[int, int]]:
    """Yield first and number of the deals of each piece of work.

    A piece grows with the pace of those before it, so that there is a sign of life about every second.
    """
    first, size = 0, 10
    while first < count:
        size = min(size, count - first)
        start = time.perf_counter()
        yield first, size
        seconds = time.perf_counter() - start
        first += size
        if seconds < SHORTEST:
            size *= 4
        elif seconds > LONGEST:
            size = max(1, size // 4)


def compiled(setup: Setup) -> str:
    """Compile the game with the policy."""
    start = time.perf_counter()
    batch.first_compile(setup)
    kind = ", counting who holds its arrays" if any(part.allocates for part in setup.parts) else ""
    return f"in {time.perf_counter() - start:.1f} s{kind}"


def legal(request: Request) -> str:
    """Play all tables; an illegal answer and an error raise."""
    tables = tables_of(request)
    share = -(-request.deals // len(tables))
    for number, setup in enumerate(tables):
        for first, count in pieces(share):
            say(at=number, first=first, count=count)
            batch.play(setup, batch.deal_jobs(setup, first, count))
    return f"{share * len(tables):,} deals at {len(tables)} tables, at which every two option values meet"


def deterministic(request: Request, setup: Setup) -> tuple[bool, str]:
    """Play deals again in another order, in pieces of another size."""
    deals = min(request.deals, 2_000)
    once, again = (np.zeros(deals, setup.spec.record_layout) for _ in range(2))
    for first, count in pieces(deals):
        say(alive=True)
        once[first : first + count] = batch.play(setup, batch.deal_jobs(setup, first, count))
    size = max(1, min(37, deals // 10))
    for first in reversed(range(0, deals, size)):
        say(alive=True)
        count = min(size, deals - first)
        again[first : first + count] = batch.play(setup, batch.deal_jobs(setup, first, count))
    differing = [deal for deal in range(deals) if once[deal].tobytes() != again[deal].tobytes()]
    if differing:
        command = setup.command("show", "--deal", differing[0])
        return False, f"deal {differing[0]} of {deals:,} came out differently when it was played again: {command}"
    return True, f"{deals:,} deals played again in another order, all the same"


def blind(request: Request, setup: Setup) -> tuple[bool, str]:
    """Ask for decisions again with the hidden cards exchanged."""
    from sim.hidden_cards import compare, is_walked

    if not is_walked(request.game):
        return True, "not tried: nothing plays this game with its hidden cards exchanged"
    deals = max(LEAST_BLIND_DEALS, min(BLIND_DEALS, request.deals))
    found = compare(setup, deals)
    share = found.with_other_cards / max(1, found.decisions)
    text = f"{found.decisions:,} decisions asked again, {share:.0%} of them with other hidden cards"
    if found.different:
        command = setup.command("show", "--deal", found.first[0])
        return False, f"{text}: {found.different:,} came out differently, first in {command}"
    return True, f"{text}: none came out differently"


def speeds(setup: Setup, names: Sequence[str]) -> list[dict[str, Any]]:
    """Deals a second on one thread of the policy and of the built-in ones, taken in turns."""
    game = setup.spec.name
    setups = {text: make_setup(game, seed=setup.seed, policies=text) for text in names}
    deals = {}
    for text, one in setups.items():
        say(alive=True)
        batch.first_compile(one)
        count, seconds = 10, 0.0
        while seconds < SHORTEST / 4:
            count *= 2
            say(alive=True)
            seconds = _seconds(one, count)
        deals[text] = max(1, round(count * SHORTEST / seconds))
    taken: dict[str, list[float]] = {text: [] for text in setups}
    for _ in range(REPEATS):
        for text, one in setups.items():
            say(alive=True)
            taken[text].append(_seconds(one, deals[text]) / deals[text])
    return [
        {
            "policy": text,
            "deals_per_second": round(1 / statistics.median(of_one), 1),
            "ratio": round(statistics.median(a / b for a, b in zip(of_one, taken[names[0]], strict=True)), 3),
        }
        for text, of_one in taken.items()
    ]


def _seconds(setup: Setup, deals: int) -> float:
    start = time.perf_counter()
    batch.play(setup, batch.deal_jobs(setup, 0, deals))
    return time.perf_counter() - start


def against(request: Request, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Play each built-in policy, on the same deals both ways round."""
    from sim import comparing
    from sim.common_deals import Playing

    deals = max(20, request.deals // 5)
    for name in names:
        contest = comparing.prepare(request.game, request.policy, name, request.seed, names=on_command_line)
        playing = Playing(0, deals, request.threads, chunk_size=100, watch=lambda _progress: say(alive=True))
        run = contest.play((), playing, 0.95, "")
        yield {"policy": name, "deals": deals, **run.document()["differences"][0]}


def one_by_one(request: Request) -> None:
    """Play deals one by one, saying which."""
    setup = tables_of(request)[request.table]
    for deal in range(request.first, request.first + request.deals):
        say(deal=deal)
        batch.play(setup, batch.deal_jobs(setup, deal, 1))


def try_all(request: Request) -> None:
    """Take every step, and say what each has shown."""
    spec = find_game(request.game)
    setup = make_setup(request.game, seed=request.seed, policies=request.policy)
    names = [policy.name for policy in spec.policies]
    say(begin=COMPILED)
    say(done=COMPILED, text=compiled(setup))
    say(begin=LEGAL)
    say(done=LEGAL, text=legal(request))
    say(begin=DETERMINISTIC)
    is_well, text = deterministic(request, setup)
    say(done=DETERMINISTIC, text=text, failed=not is_well)
    say(begin=BLIND)
    is_well, text = blind(request, setup)
    say(done=BLIND, text=text, failed=not is_well)
    say(begin=SPEED)
    base = setup.own_policies[0].base.name if setup.own_policies else spec.default_policy
    say(done=SPEED, rows=speeds(setup, [base, request.policy, *(name for name in names if name != base)]))
    say(begin=AGAINST)
    for row in against(request, names):
        say(row=row)
    say(done=AGAINST)


def _end_with_the_other() -> None:
    """End this process when the one that has started it is gone, and with it the other end of the pipe."""
    while os.read(0, 1):
        pass
    os._exit(1)


def main() -> None:
    """Try what the pipe asks for."""
    request = Request(**json.loads(sys.stdin.buffer.readline()))
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    try:
        if request.table >= 0:
            one_by_one(request)
        else:
            try_all(request)
    except (KernelError, UsageError) as error:
        say(error=str(error))


if __name__ == "__main__":
    main()
