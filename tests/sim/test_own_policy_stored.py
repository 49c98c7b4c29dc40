"""Stored runs of policy files: the manifest keeps them as data, and only a command that names them runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sim
from kernels.registry import spec
from sim.errors import UsageError
from sim.games import make_setup
from sim.manifest import MANIFEST, read_manifest
from sim.own.source import read_own, sha256_of
from sim.own.stored import files_to_run, stored_policies
from sim.stored import open_run, stored_document
from tests.sim.own_files import PLAIN, written

DEALS, CHUNK = 300, 100


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "mine.py", PLAIN)
    return tmp_path


def play(out: str | None = None, deals: int = DEALS, **others: Any) -> Any:
    return sim.simulate(
        "escopa", deals=deals, seed=4, policies={0: "mine.py:lowest=1"}, out=out, chunk_size=CHUNK, **others
    )


def edited(manifest: Path, edit: Any) -> None:
    content = json.loads(manifest.read_text())
    edit(content)
    manifest.write_text(json.dumps(content))


def cut(folder: str) -> None:
    """Take the last chunk of a run away."""
    edited(Path(folder) / MANIFEST, lambda content: content["chunks"].pop())


def test_the_manifest_keeps_text_hash_and_name(folder: Path) -> None:
    play("run")
    manifest = read_manifest(folder / "run")
    assert manifest.policies == ["mine.py:lowest=1", "standard"]
    (kept,) = manifest.policy_files
    assert (kept.name, kept.text, kept.sha256) == ("mine.py", PLAIN, sha256_of(PLAIN))
    assert read_manifest(folder / "run").identity()["policy_files"] == [kept]


def test_a_run_goes_on_with_the_file_that_is_named(folder: Path) -> None:
    whole = play("run").document()["statistics"]
    cut("run")
    with pytest.raises(UsageError, match=r"'mine.py', and a file is run only if the command names it: add --policy"):
        sim.resume("run")
    assert sim.resume("run", policies="mine.py").document()["statistics"] == whole
    cut("run")
    written(folder / "elsewhere", "other.py", PLAIN)
    assert sim.resume("run", policies=["elsewhere/other.py"]).document()["statistics"] == whole
    assert read_manifest(folder / "run").policies == ["mine.py:lowest=1", "standard"]


def test_a_name_with_spaces_can_be_copied_from_the_message(folder: Path) -> None:
    written(folder, "my file.py", PLAIN)
    stored = stored_policies(make_setup("escopa", policies={0: "my file.py"}))
    other = read_own(spec("escopa"), written(folder, "an other.py", PLAIN + "# changed"), "--policy")
    with pytest.raises(UsageError, match=r"add --policy 'my file\.py' "):
        files_to_run(spec("escopa"), stored, [])
    with pytest.raises(UsageError, match=r"--policy '.*an other\.py' is not the file"):
        files_to_run(spec("escopa"), stored, [other])


def test_another_content_is_refused_with_both_hashes(folder: Path) -> None:
    play("run")
    changed = PLAIN + "# changed\n"
    written(folder, "mine.py", changed)
    message = f"mine.py is not the file .*{sha256_of(changed)[:12]}.*{sha256_of(PLAIN)[:12]}"
    for again in (lambda: sim.resume("run", policies="mine.py"), lambda: sim.verify("run", policies="mine.py")):
        with pytest.raises(UsageError, match=message):
            again()
    with pytest.raises(UsageError, match=r"holds another run of escopa .it differs in policy_files"):
        play("run", resume=True)


def test_a_file_that_has_gone_is_missed_by_name(folder: Path) -> None:
    play("run")
    (folder / "mine.py").unlink()
    with pytest.raises(UsageError, match=r"policies: there is no file 'mine.py'"):
        sim.verify("run", policies="mine.py")


def test_verify_plays_again_only_what_is_named(folder: Path) -> None:
    play("run")
    with pytest.raises(UsageError, match="only if the command names it"):
        sim.verify("run")
    assert sim.verify("run", sample=0).is_well
    found = sim.verify("run", policies="mine.py", sample=30)
    assert (found.is_well, found.played) == (True, 30)


def test_a_run_is_told_and_merged_without_its_file(folder: Path) -> None:
    whole = play("whole").document()["statistics"]
    play("one", deals=200)
    play("two", deals=100, first=200)
    (folder / "mine.py").unlink()
    assert sim.merge(["two", "one"], "both").document()["statistics"] == whole
    assert stored_document(open_run(folder / "both"), 0.95)["statistics"] == whole
    assert read_manifest(folder / "both").policy_files == read_manifest(folder / "whole").policy_files


def test_shards_of_different_files_do_not_belong_together(folder: Path) -> None:
    play("one", deals=200)
    written(folder, "mine.py", PLAIN + "\n")
    play("two", deals=100, first=200)
    with pytest.raises(UsageError, match="do not belong together: they differ in policy_files"):
        sim.merge(["one", "two"], "both")


PAYLOAD = 'raise SystemExit("run by a manifest")\n' + PLAIN


def test_nothing_that_a_manifest_holds_is_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its text, nor a file that lies where it says."""
    play("run")
    written(folder, "mine.py", PAYLOAD)

    def replace(content: dict[str, Any]) -> None:
        content["policy_files"][0] |= {"text": PAYLOAD, "sha256": sha256_of(PAYLOAD)}

    edited(folder / "run" / MANIFEST, replace)
    assert open_run(folder / "run").setup.policy_texts == ["mine.py:lowest=1", "standard"]
    assert stored_document(open_run(folder / "run"), 0.95)["deals"] == DEALS
    assert sim.verify("run", sample=0).is_well
    for again in (lambda: sim.resume("run"), lambda: sim.verify("run")):
        with pytest.raises(UsageError, match="only if the command names it"):
            again()


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda file: file.update(text="def choose_play(hand): return 1, 2\n"), "not that of its sha256"),
        (lambda file: file.update(text="import os\n", sha256=sha256_of("import os\n")), "cannot import os"),
        (lambda file: file.update(text="(" * 5000, sha256=sha256_of("(" * 5000)), "policy_files: mine.py"),
        (lambda file: file.update(name="other.py"), "only if the command itself names it"),
        (lambda file: file.update(text=3), "no manifest of a run"),
    ],
)
def test_a_manifest_that_does_not_hold_together_is_refused(folder: Path, edit: Any, message: str) -> None:
    play("run")
    edited(folder / "run" / MANIFEST, lambda content: edit(content["policy_files"][0]))
    with pytest.raises(UsageError, match=message):
        open_run(folder / "run")


def test_a_policy_file_that_no_entry_keeps_is_refused(folder: Path) -> None:
    play("run")
    edited(folder / "run" / MANIFEST, lambda content: content.update(policy_files=[]))
    with pytest.raises(UsageError, match=r"cannot be used: .*'mine.py' is run only if the command itself names it"):
        open_run(folder / "run")


def test_a_helper_of_the_kernels_that_has_changed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play("run")
    edited(folder / "run" / MANIFEST, lambda content: content["policy_files"][0].update(kernels="0" * 16))
    with pytest.raises(UsageError, match="imports modules of the kernels that are not as they were"):
        sim.resume("run", policies="mine.py")
