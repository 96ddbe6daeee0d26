"""Places in a text, and what is put there."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes from `start` to `end` of a text in UTF-8 are replaced."""

    start: int
    end: int
    text: str


class Places:
    """From the lines and columns of a syntax tree to places in the text's bytes."""

    def __init__(self, text: str) -> None:
        self.bytes = text.encode("utf-8")
        ends = re.finditer(rb"\r\n|\r|\n", self.bytes)
        self._starts = [0, *(end.end() for end in ends)]

    def span(self, node: ast.stmt | ast.expr | ast.alias) -> tuple[int, int]:
        """Where a node begins and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def text(self, start: int, end: int) -> str:
        return self.bytes[start:end].decode("utf-8")

    def indentation(self, node: ast.stmt) -> str:
        """Blanks before a statement, where nothing else stands before it on its line."""
        begin = self._starts[node.lineno - 1]
        before = self.text(begin, begin + node.col_offset)
        return before if not before.strip() else ""

    def stands_alone(self, node: ast.stmt) -> bool:
        """Whether a statement has its lines for itself: no ``a; b`` and no ``if x: import y``."""
        begin, end = self.span(node)
        start = self._starts[node.lineno - 1]
        after = re.split(rb"[\r\n]", self.bytes[end:], maxsplit=1)[0].strip()
        return not self.bytes[start:begin].strip() and (not after or after.startswith(b"#"))

    def has_a_line(self, node: ast.stmt) -> bool:
        """Whether a statement at the margin is all of its line, which can be left out."""
        _, end = self.span(node)
        return node.col_offset == 0 and self.bytes[end : end + 1] == b"\n"

    def edited(self, edits: list[Edit]) -> str:
        """The text with edits made; none may overlap."""
        done, rest = [], 0
        for edit in sorted(edits, key=lambda each: (each.start, each.end)):
            done += [self.bytes[rest : edit.start], edit.text.encode("utf-8")]
            rest = edit.end
        return b"".join([*done, self.bytes[rest:]]).decode("utf-8")
