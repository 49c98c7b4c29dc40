"""Writes the golden deals anew: ``python -m tests.golden.regenerate``.

Only for a change that is meant to alter results; say so in CHANGELOG.md.
"""

from __future__ import annotations

from tests.golden.deals import GOLDEN


def main() -> None:
    """Write every file anew."""
    for golden in GOLDEN:
        golden.path.write_bytes(golden.played())


if __name__ == "__main__":
    main()
