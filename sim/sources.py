"""Which sources decide a game's rows, and which sources are declared to give the same ones.

Run as ``python -m sim.sources``, it says for each game what is declared of the sources as they stand, and with
``--declare`` it declares them (docs/seed-stability.md).
"""

from __future__ import annotations

import ast
import hashlib
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from kernels import registry

ROOT = Path(__file__).resolve().parents[1]
DECLARED = Path(__file__).with_name("same_rows.toml")
ALWAYS = ("sim.match", "analysis.frames")
"""Beside a game's own kernels: how matches go on, and what becomes a column."""

FOLLOWED = ("kernels", "analysis")


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sources of a game that are declared to give the same rows.

    Attributes
    ----------
    sample
        Digest of the rows of `sample_digest`.
    kernels
        Fingerprints of the sources, in the order in which they were declared.
    """

    sample: str
    kernels: list[str]


@cache
def fingerprint(game: str) -> str:
    """Hash of the sources that decide the rows of a game, 16 hexadecimal digits.

    Those are the modules that its kernels and its declaration import, however indirectly, and those that make matches
    and columns of what the kernels leave. Versions of Python and of libraries are not in it: rows are integer
    arithmetic, and do not depend on them.
    """
    digest = hashlib.sha256()
    for path in source_files(game):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:16]


def source_files(game: str) -> list[Path]:
    """Files of the sources that decide the rows of a game, sorted."""
    package = registry.GAMES[game]
    searches = {policy.part for policy in registry.spec(game).searches}
    waiting = [f"{package}.play", f"{package}.layout", *(f"{package}.{part}" for part in sorted(searches)), *ALWAYS]
    found: dict[str, Path] = {}
    while waiting:
        module = waiting.pop()
        path = _path_of(module)
        if module in found or path is None:
            continue
        found[module] = path
        waiting += [name for name in _imported(path) if name.partition(".")[0] in FOLLOWED]
    return sorted(found.values())


def _path_of(module: str) -> Path | None:
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _imported(path: Path) -> Iterator[str]:
    """Modules that a file may import: ``from a import b`` is a, and a.b if that is a module."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def declared(path: Path = DECLARED) -> dict[str, list[Declared]]:
    """What is declared, by game."""
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, list[Declared]])


def give_same_rows(game: str, one: str, other: str) -> bool:
    """Whether two fingerprints of a game's sources are of the same sources, or are declared to give the same rows."""
    return one == other or any({one, other} <= set(group.kernels) for group in declared().get(game, ()))


def sample_digest(game: str) -> str:
    """Digest of the rows of a sample: every policy, every preset, deals and matches. Takes some seconds."""
    from sim.batch import deal_jobs, play
    from sim.games import make_setup
    from sim.match import play_matches

    spec = registry.spec(game)
    digest = hashlib.sha256()
    for preset in (None, *spec.presets):
        for policy in spec.policies:
            setup = make_setup(game, seed=1, policies=policy.name, rules=preset)
            for records in (play(setup, deal_jobs(setup, 0, 300)), *play_matches(setup, 0, 3)):
                for name in records.dtype.names or ():
                    digest.update(name.encode() + records[name].tobytes())
    return digest.hexdigest()[:16]


def _standing(game: str, sample: str) -> tuple[str, list[Declared]]:
    """What is declared of a game's sources as they stand, in words, and what should be."""
    now, groups = fingerprint(game), declared().get(game, [])
    for number, group in enumerate(groups):
        if now in group.kernels and sample != group.sample:
            return "declared, but its sample is played DIFFERENTLY now: take it out", groups
        if now in group.kernels:
            return "declared, and its sample is played as declared", groups
        if sample == group.sample:
            more = Declared(sample, [*group.kernels, now])
            text = f"not declared; its sample is played as by {', '.join(group.kernels)}"
            return text, [*groups[:number], more, *groups[number + 1 :]]
    return "not declared; its sample is like no other", [*groups, Declared(sample, [now])]


def main(words: list[str]) -> int:
    """Say what is declared of every game; with ``--declare``, declare the sources as they stand."""
    if words not in ([], ["--declare"]):
        print("python -m sim.sources [--declare]", file=sys.stderr)
        return 2
    wanted: dict[str, list[Declared]] = {}
    for game in registry.GAMES:
        sample = sample_digest(game)
        text, wanted[game] = _standing(game, sample)
        print(f"{game}: sources {fingerprint(game)}, sample {sample}: {text}")
    if words:
        _write(wanted)
    return 0


def _write(groups: dict[str, list[Declared]]) -> None:
    old = DECLARED.read_text(encoding="utf-8").splitlines()
    lines = [line for line in old if line.startswith("#")]
    for game, of_game in groups.items():
        for group in of_game:
            kernels = "".join(f'    "{name}",\n' for name in group.kernels)
            lines.append(f'\n[[{game}]]\nsample = "{group.sample}"\nkernels = [\n{kernels}]')
    DECLARED.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
