"""Questions on disk: written before they are answered, so that none goes uncounted.

One JSON object on a line, each with a checksum over itself and the one before, so that a changed or
removed line is seen. A line cut off by a crash at the very end belongs to a question that was never
answered, and is dropped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

from stylobate.exceptions import InvalidDataError, InvalidParameterError

FORMAT = "stylobate holdout 1"
Entry = dict[str, Any]


class Logbook:
    """The entries of one file; without a path they are kept by whoever asks alone."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        if path is not None and not isinstance(path, str | os.PathLike):
            raise InvalidParameterError(
                f"Holdout: path must be the path of a file or None, got {path!r}."
            )
        self.path = None if path is None else Path(path)
        self._end = 0  # bytes read so far
        self._check = ""  # of the line before
        self._lines = 0

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Alone with the file: what others have written meanwhile comes first."""
        if self.path is None:
            yield Turn(self, None, [])
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise InvalidParameterError(
                f"Holdout: cannot open {str(self.path)!r} ({error.strerror or error}); give the "
                "path of a file that can be written."
            ) from error
        with os.fdopen(handle, "r+b") as file:
            _lock(file)  # released when the file is closed
            yield Turn(self, file, self._news(file))

    def _news(self, file: IO[bytes]) -> list[Entry]:
        file.seek(self._end)
        text = file.read()
        whole, newline, torn = text.rpartition(b"\n")
        if self._end == 0 and not newline and not _could_be_ours(torn):
            self._refuse(1, "it is no log of a hold-out")
        entries = [self._parsed(line) for line in whole.split(b"\n")] if newline else []
        self._end += len(whole) + len(newline)
        return entries

    def _parsed(self, line: bytes) -> Entry:
        self._lines += 1
        try:
            entry: Entry = json.loads(line)
            check = entry.pop("check")
        except (ValueError, KeyError, AttributeError, TypeError):
            self._refuse(self._lines, "it is no entry of a hold-out's log")
        if self._lines == 1 and entry.get("format") != FORMAT:
            self._refuse(1, f"it says {entry.get('format')!r} instead of {FORMAT!r}")
        if check != _checked(entry, self._check):
            self._refuse(self._lines, "it was changed, or lines before it were")
        self._check = check
        return entry

    def _refuse(self, line: int, why: str) -> NoReturn:
        raise InvalidDataError(
            f"Holdout: line {line} of {str(self.path)!r} cannot be used: {why}. Restore the file, "
            "or begin another hold-out with rows that were never asked about."
        )


class Turn:
    """A moment alone with the log: `news` are the entries not seen before."""

    def __init__(self, book: Logbook, file: IO[bytes] | None, news: list[Entry]) -> None:
        self.book, self.file, self.news = book, file, news

    def write(self, entry: Entry) -> None:
        """Append an entry; when this returns it is on the disk."""
        book, file = self.book, self.file
        if file is None:
            return
        check = _checked(entry, book._check)
        line = json.dumps({**entry, "check": check}, allow_nan=False).encode() + b"\n"
        try:
            file.truncate(book._end)  # what a crash has left of a line
            file.seek(book._end)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            raise InvalidDataError(
                f"Holdout: the question cannot be written to {str(book.path)!r} "
                f"({error.strerror or error}), and is therefore not answered."
            ) from error
        book._end += len(line)
        book._check = check
        book._lines += 1


def _checked(entry: Entry, before: str) -> str:
    text = before + json.dumps(entry, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _could_be_ours(start: bytes) -> bool:
    """Whether bytes are nothing, or the torn first line of a log."""
    ours = json.dumps({"format": FORMAT}).encode()[:-1]
    return start[: len(ours)] == ours[: len(start)]


def _lock(file: IO[bytes]) -> None:
    try:
        import fcntl
    except ImportError:  # other systems: one process at a time is the caller's care
        return
    fcntl.flock(file, fcntl.LOCK_EX)
