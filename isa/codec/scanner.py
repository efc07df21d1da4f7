"""Reading one line of program text from left to right; every error points at its column."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from nnc.isa.errors import AssemblyError

WORD = re.compile(r"[a-z_][a-z0-9_]*")
"""A mnemonic, the name of a memory or of a member of an enum."""
_BLANKS = (" ", "\t", "\r")
_INTEGER = re.compile(r"-?(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})(?![0-9A-Za-z_.])")
_BARE = re.compile(r"[A-Za-z0-9_./:-]+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_FOUND = re.compile(r"[^\s,=\[\]{}@;#]+|\S")
_EXCERPT = 100


def printed_name(name: str) -> str:
    """A name as program text writes it: bare where that is clear, else as a JSON string in quotes."""
    return name if _BARE.fullmatch(name) else json.dumps(name)


class Scanner:
    """A line of program text and a position in it.

    ``memories`` are the names of memories that operands may use (None: any), so that the codecs of fields
    can judge what they read.
    """

    __slots__ = ("line", "memories", "number", "position", "where")

    def __init__(
        self, line: str, number: int = 1, where: str = "<text>", memories: Collection[str] | None = None
    ) -> None:
        self.line = line
        self.number = number
        self.where = where
        self.memories = memories
        self.position = 0
        self.skip()

    def skip(self) -> None:
        """Step over blanks."""
        while self.line.startswith(_BLANKS, self.position):
            self.position += 1

    def accept(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Step over a match of the pattern and the blanks after it, if there is one here."""
        match = pattern.match(self.line, self.position)
        if match is not None:
            self.position = match.end()
            self.skip()
        return match

    def accept_text(self, text: str) -> bool:
        """Step over a fixed text and the blanks after it, if it stands here."""
        if not self.sees_text(text):
            return False
        self.position += len(text)
        self.skip()
        return True

    def expect_text(self, text: str) -> None:
        """Step over a fixed text.

        Raises:
            AssemblyError: something else stands here.
        """
        if not self.accept_text(text):
            raise self.error(f"'{text}' is missing", expected=f"'{text}'")

    def sees(self, pattern: re.Pattern[str]) -> bool:
        """Whether the pattern matches here."""
        return pattern.match(self.line, self.position) is not None

    def sees_text(self, text: str) -> bool:
        """Whether a fixed text stands here."""
        return self.line.startswith(text, self.position)

    def at_end(self) -> bool:
        """Whether nothing but a comment is left."""
        return self.position >= len(self.line) or self.line[self.position] == "#"

    def integer(self, what: str, low: int = -(2**63), high: int = 2**63 - 1) -> int:
        """Step over a decimal or hexadecimal integer.

        Raises:
            AssemblyError: there is none, or it lies outside low … high.
        """
        start = self.position
        match = self.accept(_INTEGER)
        if match is None:
            raise self.error(f"{what} is no integer", expected="an integer such as 12 or 0x40")
        value = int(match[0], 0) if "x" in match[0].lower() else int(match[0])
        if not low <= value <= high:
            raise self.error(f"{what} is out of range", start=start, expected=f"{low} … {high}")
        return value

    def name(self, what: str) -> str:
        """Step over a bare or quoted name.

        Raises:
            AssemblyError: there is none, or its quoting is broken.
        """
        start = self.position
        quoted = self.accept(_QUOTED)
        if quoted is not None:
            try:
                return str(json.loads(quoted[0]))
            except ValueError as error:
                raise self.error(f"{what} is no JSON string", start=start, expected=str(error)) from error
        bare = self.accept(_BARE)
        if bare is None:
            raise self.error(f"{what} is missing", expected='a name such as conv1 or "any text"')
        return bare[0]

    def rest(self) -> str:
        """Step over everything that is left of the line."""
        text = self.line[self.position :].rstrip()
        self.position = len(self.line)
        return text

    def end(self) -> None:
        """Check that only a comment is left.

        Raises:
            AssemblyError: there is more.
        """
        if not self.at_end():
            raise self.error("more text than belongs here", expected="the end of the line or a # comment")

    def error(
        self, message: str, *, start: int | None = None, found: str = "", expected: str = "", remedy: str = ""
    ) -> AssemblyError:
        """An error at a position (default: here) that shows the line with a caret."""
        position = self.position if start is None else start
        token = _FOUND.match(self.line, position)
        left = max(0, position - _EXCERPT // 2)
        excerpt = self.line[left : left + _EXCERPT].replace("\t", " ").rstrip()
        return AssemblyError(
            f"{message}\n    {excerpt}\n    {' ' * (position - left)}^",
            where=f"{self.where}:{self.number}:{position + 1}",
            found=found or (token[0][:40] if token else "the end of the line"),
            expected=expected,
            remedy=remedy,
        )
