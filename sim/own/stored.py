"""Policy files in the manifests of stored runs: kept as text, and never run because a manifest holds them.

A folder may come from anybody. To tell what a run found, its files are parsed and no more; to play its deals again, the
command itself has to name each file, and the file has to be the one that the run was played with.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from kernels.spec import GameSpec
from sim import sources
from sim.errors import UsageError
from sim.games import Setup
from sim.own.source import OwnPolicy, is_file, parse_own, read_own, split_policy

SHORT = 12
"""Digits of a hash that a message shows."""


class StoredPolicy(msgspec.Struct, frozen=True):
    """A policy file of a stored run.

    Attributes
    ----------
    name
        The file as the command named it.
    sha256
        Of its text.
    kernels
        Fingerprint of the modules of the kernels that it imports.
    text
        Its content.
    """

    name: str
    sha256: str
    kernels: str
    text: str


def stored_policies(setup: Setup) -> list[StoredPolicy]:
    """Return what a manifest keeps of the policy files of a table."""
    return [
        StoredPolicy(own.name, own.sha256, sources.imported_fingerprint(own.text), own.text)
        for own in setup.own_policies
    ]


def named_files(spec: GameSpec, texts: Sequence[str], where: str) -> list[OwnPolicy]:
    """Read the policy files that a command names.

    Raises
    ------
    UsageError
        If one cannot be read or is no policy of the game.
    """
    names = []
    for text in texts:
        head, equals, tail = text.partition("=")
        name = split_policy(tail if equals and head.strip().isdecimal() else text)[0]
        if is_file(name) and name not in names:
            names.append(name)
    return [read_own(spec, name, where) for name in names]


def files_to_read(spec: GameSpec, stored: Sequence[StoredPolicy]) -> dict[str, OwnPolicy]:
    """Return the policy files of a stored run by name, to tell what was played; none of them can be run.

    Raises
    ------
    UsageError
        If one is not what its hash says, or is no policy of the game.
    """
    found = {}
    for one in stored:
        own = parse_own(spec, one.name, None, one.text.encode(), "policy_files")
        if own.sha256 != one.sha256:
            raise UsageError(f"policy_files: the text of {one.name!r} is not that of its sha256")
        found[one.name] = replace(own, may_run=False)
    return found


def files_sent(spec: GameSpec, stored: Sequence[StoredPolicy]) -> dict[str, OwnPolicy]:
    """Return the policy files that a cluster's client has sent by name, to play its chunks.

    Raises
    ------
    UsageError
        If one is not what its hash says, or is no policy of the game, or imports kernels that are others here.
    """
    found = files_to_read(spec, stored)
    for one in stored:
        if one.kernels != sources.imported_fingerprint(one.text):
            raise UsageError(f"{one.name!r} imports modules of the kernels that are others here")
    return {name: replace(own, may_run=True) for name, own in found.items()}


def files_to_run(spec: GameSpec, stored: Sequence[StoredPolicy], named: Sequence[OwnPolicy]) -> dict[str, OwnPolicy]:
    """Return the policy files of a stored run by name, to play its deals; each is one that the command names.

    Raises
    ------
    UsageError
        If one is not named, or is not as it was, or imports kernels that are not as they were.
    """
    found = files_to_read(spec, stored)
    by_hash = {own.sha256: own for own in named}
    for one in stored:
        if one.sha256 not in by_hash:
            raise UsageError(_not_named_text(one, named))
        if one.kernels != sources.imported_fingerprint(one.text):
            raise UsageError(
                f"{one.name!r} imports modules of the kernels that are not as they were when the run was "
                "played, so its deals cannot be played again"
            )
        found[one.name] = replace(found[one.name], may_run=True)
    return found


def _not_named_text(one: StoredPolicy, named: Sequence[OwnPolicy]) -> str:
    if not named:
        return (
            f"the run was played with the policy file {one.name!r}, and a file is run only if the command names it: "
            f"add --policy {shlex.quote(one.name)} (its sha256 is {one.sha256[:SHORT]}..., and the manifest keeps its "
            "text)"
        )
    other = next((own for own in named if own.name == one.name), named[0])
    return (
        f"--policy {shlex.quote(other.name)} is not the file that the run was played with: its sha256 is "
        f"{other.sha256[:SHORT]}..., that of {one.name!r} was {one.sha256[:SHORT]}... (the manifest keeps its text)"
    )
