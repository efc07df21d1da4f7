"""Golden files: expected texts in tests/golden, compared as a whole, rewritten by ``make golden``."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "golden"
MAX_DIFF = 200
"""Lines of a difference that are shown."""


def check_golden(name: str, text: str, *, update: bool = False, folder: Path = FOLDER) -> None:
    """Compare a text with the golden file of that name, or rewrite the file (option ``--update-golden``).

    Raises:
        AssertionError: the texts differ, or there is no such file; the message shows the difference.
    """
    path = folder / name
    if update:
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    assert path.exists(), f"{path} does not exist: `make golden` writes it"
    expected = path.read_text(encoding="utf-8")
    if text == expected:
        return
    lines = list(
        unified_diff(
            expected.splitlines(), text.splitlines(), f"{name} (expected)", f"{name} (found)", lineterm=""
        )
    )
    shown = "\n".join(lines[:MAX_DIFF])
    more = f"\n… {len(lines) - MAX_DIFF} more lines" if len(lines) > MAX_DIFF else ""
    raise AssertionError(f"{name} has changed; if that is right, run `make golden`:\n{shown}{more}")
