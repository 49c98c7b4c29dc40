"""A sixth game, added to a copy of the tree as the design says: a folder, a catalogue file, a line."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.trees import copy_tree

TOY = Path(__file__).parent / "toy"
REGISTRY_HEAD = "GAMES: dict[str, str] = {\n"


def toy_tree(target: Path) -> Path:
    """Copy the tree to `target` and add the toy game to it."""
    tree = copy_tree(target)
    folder = tree / "kernels" / "toy"
    folder.mkdir()
    for part in TOY.glob("*.py"):
        if part.name != "catalogue.py":
            shutil.copy(part, folder)
    shutil.copy(TOY / "catalogue.py", tree / "analysis" / "catalogue" / "toy.py")
    registry = tree / "kernels" / "registry.py"
    source = registry.read_text()
    assert source.count(REGISTRY_HEAD) == 1
    registry.write_text(source.replace(REGISTRY_HEAD, REGISTRY_HEAD + '    "toy": "kernels.toy",\n'))
    return tree
