"""What engines say of files they cannot read, in sentences that say what would be right."""

from __future__ import annotations

import re

_DAMAGE = re.compile(
    r"magic bytes|parquet|snappy|decompress|thrift|TProtocol|TType|out of specification|"
    r"out of buffer|don't know what type|invalid string encoding|corrupt",
    re.IGNORECASE,
)
_PREFIXES = re.compile(r"^((Invalid Input|IO|Invalid|TProtocolException|parquet)( Error)?: )+")


def unreadable(name: str, error: BaseException) -> str:
    """Why a source cannot be read, and what to do about it.

    >>> unreadable("a.json", ValueError('JSON transform error: {} has duplicate key "a"'))
    'a record holds the key "a" twice; rename or drop one of them.'
    >>> unreadable("a.parquet", ValueError("Invalid Input Error: No magic bytes found"))
    'this Parquet file is damaged (No magic bytes found); write it or fetch it again.'
    """
    said = first_line(error)
    twice = re.search(r'has duplicate key ("[^"]*")', said)
    if twice:
        place = re.search(r"in record/value (\d+)", said)
        record = f"record {place[1]}" if place else "a record"
        return f"{record} holds the key {twice[1]} twice; rename or drop one of them."
    if name.lower().endswith((".parquet", ".pq")) and _DAMAGE.search(said):
        cause = _PREFIXES.sub("", said).rstrip(". :")
        return f"this Parquet file is damaged ({cause}); write it or fetch it again."
    return f"it cannot be read: {said}"


def first_line(error: BaseException) -> str:
    """The sentence of an error, without the picture DuckDB draws under it."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    counted = next((line for line in lines if line.startswith("Expected Number of Columns")), None)
    return lines[0] if counted is None else f"{lines[0]}, {counted[0].lower()}{counted[1:]}"
