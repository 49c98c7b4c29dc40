"""Which sources decide a game's rows, and what is declared of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernels import registry
from sim import sources
from sim.sources import DECLARED, Declared, declared, fingerprint, give_same_rows, main, sample_digest, source_files
from tests.trees import ROOT, copy_tree, run_python


def names(game: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in source_files(game)}


SAYING = ("events", "narration", "advice", "position", "questions", "helpers", "hidden_cards")
"""Modules of a game that decide no row."""


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_game_is_decided_by_its_own_modules_and_those_that_they_import(game: str) -> None:
    found = names(game)
    own = {path.relative_to(ROOT).as_posix() for path in (ROOT / "kernels" / game).glob("*.py")}
    assert own - found <= {f"kernels/{game}/{name}.py" for name in SAYING}
    assert {"kernels/rng.py", "kernels/spec.py", "kernels/_jit.py", "sim/match.py", "analysis/frames.py"} <= found
    others = [other for other in registry.GAMES if other != game]
    assert not [name for name in found for other in others if name.startswith(f"kernels/{other}/")]
    # What adds a game, shows one or counts one changes no row.
    assert not found & {"kernels/registry.py", "kernels/telling.py", "kernels/decoding.py", "analysis/summary.py"}


def test_the_fingerprint_is_of_the_sources_alone(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path)
    code = "from sim.sources import fingerprint; print(fingerprint('canastra'), fingerprint('canasta'))"

    def prints() -> list[str]:
        return run_python(["-c", code], tree).stdout.split()

    before = prints()
    assert before == [fingerprint("canastra"), fingerprint("canasta")]
    assert all(len(value) == 16 for value in before)

    def append(name: str, text: str = "\n# A remark.\n") -> None:
        path = tree / name
        path.write_bytes(path.read_bytes() + text.encode())

    for name in ("kernels/canastra/narration.py", "kernels/registry.py", "sim/store.py", "analysis/summary.py"):
        append(name)
    # Line ends of Windows are no other sources.
    rules = tree / "kernels" / "canasta" / "rules.py"
    rules.write_bytes(rules.read_bytes().replace(b"\n", b"\r\n"))
    assert prints() == before
    append("kernels/canastra/rules.py")
    assert [now == then for now, then in zip(prints(), before, strict=True)] == [False, True]
    append("kernels/rng.py")
    assert [now == then for now, then in zip(prints(), before, strict=True)] == [False, False]


def test_what_counts_has_a_fingerprint_of_its_own(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path)
    code = "from sim.sources import counting_fingerprint as f; print(f('canastra'), f('canasta'))"

    def prints() -> list[str]:
        return run_python(["-c", code], tree).stdout.split()

    def append(name: str) -> None:
        path = tree / name
        path.write_text(path.read_text() + "\n# A remark.\n")

    before = prints()
    append("analysis/tables.py")
    append("kernels/canastra/rules.py")
    assert prints() == before
    append("analysis/catalogue/canastra.py")
    assert [now == then for now, then in zip(prints(), before, strict=True)] == [False, True]
    append("analysis/counting.py")
    assert [now == then for now, then in zip(prints(), before, strict=True)] == [False, False]


def test_all_that_give_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [Declared("1", ["a", "b", "c"]), Declared("2", ["d", "e"])]
    monkeypatch.setattr(sources, "declared", lambda: {"canastra": groups})
    for mine, every in (("b", ["b", "a", "c"]), ("e", ["e", "d"]), ("x", ["x"])):
        monkeypatch.setattr(sources, "fingerprint", lambda _game, mine=mine: mine)
        assert sources.same_rows("canastra") == every


def test_sources_go_with_themselves_and_with_what_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [Declared("1", ["a", "b", "c"]), Declared("2", ["d", "e"])]
    monkeypatch.setattr(sources, "declared", lambda: {"canastra": groups})
    assert give_same_rows("canastra", "x", "x")
    assert give_same_rows("canastra", "c", "a")
    assert not give_same_rows("canastra", "a", "d")
    assert not give_same_rows("canastra", "a", "x")
    assert not give_same_rows("canasta", "a", "b")


def test_what_is_declared_can_be_read_and_names_games() -> None:
    declared.cache_clear()
    assert set(declared()) <= set(registry.GAMES)
    for groups in declared().values():
        every = [name for group in groups for name in group.kernels]
        assert len(every) == len(set(every))


@pytest.mark.parametrize("game", registry.GAMES)
def test_what_is_declared_of_these_sources_is_true(game: str) -> None:
    mine = [group for group in declared().get(game, ()) if fingerprint(game) in group.kernels]
    for group in mine:
        assert sample_digest(game) == group.sample


def test_declaring_joins_what_plays_the_same_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "same_rows.toml"
    path.write_text(DECLARED.read_text().partition("\n\n")[0] + "\n")
    head = path.read_text()
    sample = {"canastra": "s1", "canasta": "t1"}
    prints = {"canastra": "k1", "canasta": "l1"}
    monkeypatch.setattr(sources, "DECLARED", path)
    monkeypatch.setattr(sources, "declared", lambda: declared.__wrapped__(path))
    monkeypatch.setattr(sources, "fingerprint", lambda game: prints[game])
    monkeypatch.setattr(sources, "sample_digest", lambda game: sample[game])
    monkeypatch.setattr(registry, "GAMES", dict.fromkeys(sample, ""))

    def groups() -> dict[str, list[Declared]]:
        return declared.__wrapped__(path)

    assert main([]) == 0
    assert groups() == {}
    assert "canastra: sources k1, sample s1: not declared; its sample is like no other" in capsys.readouterr().out
    assert main(["--declare"]) == 0
    assert path.read_text().startswith(head)
    assert groups() == {"canastra": [Declared("s1", ["k1"])], "canasta": [Declared("t1", ["l1"])]}
    # Other sources that play the same, and others that do not.
    prints |= {"canastra": "k2", "canasta": "l2"}
    sample["canasta"] = "t2"
    assert main(["--declare"]) == 0
    expected = {
        "canastra": [Declared("s1", ["k1", "k2"])],
        "canasta": [Declared("t1", ["l1"]), Declared("t2", ["l2"])],
    }
    assert groups() == expected
    assert "its sample is played as by k1" in capsys.readouterr().out
    assert main(["--declare"]) == 0
    assert groups() == expected
    # Declared, and not true any more.
    sample["canastra"] = "s9"
    assert main([]) == 0
    assert "DIFFERENTLY" in capsys.readouterr().out
    assert main(["--undeclare"]) == 2
