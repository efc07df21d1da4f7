"""The examples of a page: commands with the output that the page shows, and Python with what it prints.

In a ``console`` block, lines that start with `$ ` are commands and what follows each is its output.  A
``python`` block is run, and a ``text`` block right after it is what it prints.  Numbers with a fraction may
differ a little, times and versions of libraries may differ freely; everything else is exact.

    python tests/docs/examples.py PAGE …      rewrites the outputs that have changed
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/guide.md", "docs/design/example.md")
_FENCE = re.compile(r"^```(console|python|text)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_FREE = re.compile(r"\b\d+\.\d+ (?=s\b)|\b\d+\.\d+\.\d+\b|(?<=seconds\": )[\d.e-]+")
_NUMBER = re.compile(r"(-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)")
_RELATIVE, _ABSOLUTE = 0.01, 1e-5


@dataclass(frozen=True)
class Example:
    """A command or a piece of Python, and the lines that the page shows for it.

    `span` is where these lines stand in the text of the page.
    """

    language: str
    code: str
    shown: str
    span: tuple[int, int]

    def run(self) -> str:
        """What it really prints."""
        printed = _run_command(self.code) if self.language == "console" else _run_python(self.code)
        return "".join(line.rstrip() + "\n" for line in printed.splitlines())

    @property
    def is_quick(self) -> bool:
        """Whether it belongs into a test: targets of make other than the demo take minutes."""
        return not self.code.startswith("make ") or self.code == "make demo"


def examples(page: str) -> list[Example]:
    """All examples of a page, in order."""
    found: list[Example] = []
    blocks = list(_FENCE.finditer(page))
    for block, following in zip_longest(blocks, blocks[1:]):
        start = block.start(2)
        if block[1] == "console":
            for match in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block[2], re.MULTILINE):
                span = (start + match.start(2), start + match.end(2))
                found.append(Example("console", match[1], match[2], span))
        elif block[1] == "python":
            is_next = following is not None and following[1] == "text"
            if is_next and not page[block.end() : following.start()].strip():
                found.append(Example("python", block[2], following[2], following.span(2)))
            else:
                found.append(Example("python", block[2], "", (block.end(2), block.end(2))))
    return found


def _run_command(command: str) -> str:
    """Standard output of a command, and what it says on standard error if it fails."""
    scripts = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": scripts + os.pathsep + os.environ["PATH"],
        "MAKEFLAGS": f"--no-print-directory BIN={scripts}",
        "COLUMNS": "80",
        "OPENBLAS_NUM_THREADS": "1",
    }
    done = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    return done.stdout + (done.stderr if done.returncode else "")


def _run_python(code: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.chdir(ROOT):
        exec(compile(code, "example", "exec"), {"__name__": "example"})
    return printed.getvalue()


def first_difference(shown: str, printed: str) -> str | None:
    """The first line in which an output differs from what the page shows; None if it is the same."""
    for expected, actual in zip_longest(shown.splitlines(), printed.splitlines(), fillvalue=""):
        if not _same(_FREE.sub("#", expected.rstrip()), _FREE.sub("#", actual)):
            return f"the page shows {expected!r}\nbut it prints  {actual!r}"
    return None


def _same(expected: str, actual: str) -> bool:
    left, right = _NUMBER.split(expected), _NUMBER.split(actual)
    if len(left) != len(right):
        return False
    return all(
        _close(a, b) if index % 2 else a.split() == b.split()
        for index, (a, b) in enumerate(zip(left, right, strict=True))
    )


def _close(expected: str, actual: str) -> bool:
    if not any(mark in expected + actual for mark in ".e"):
        return expected == actual
    a, b = (float(text.replace(",", "")) for text in (expected, actual))
    return abs(a - b) <= max(_ABSOLUTE, _RELATIVE * abs(a))


def rewrite(path: Path) -> int:
    """Put what the examples print into a page where it has changed; the number of changes."""
    page, changes, shift = path.read_text(encoding="utf-8"), 0, 0
    for example in examples(page):
        if not example.is_quick:
            continue
        printed = example.run()
        if first_difference(example.shown, printed) is None:
            continue
        start, end = example.span[0] + shift, example.span[1] + shift
        page = page[:start] + printed + page[end:]
        shift += len(printed) - (end - start)
        changes += 1
    path.write_text(page, encoding="utf-8")
    return changes


if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        print(f"{name}: {rewrite(ROOT / name)} outputs rewritten")
