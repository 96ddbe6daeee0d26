"""Finished folds on disk: one line each, appended, so that a killed study goes on where it was.

A study's progress is a file of JSON lines, named by the fingerprint of data, question and seed. A
line is written by one call and synchronised; one that was cut off is dropped when the file is read
again. Times are part of the lines, because decisions about the time budget rest on them: a resumed
study decides as the first run did.
"""

from __future__ import annotations

import errno
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stylobate.exceptions import InvalidDataError, InvalidParameterError

FORMAT = "stylobate study 1"


@dataclass(frozen=True, slots=True)
class FoldScore:
    """One setting on one fold; `score` is None where the fit failed."""

    score: float | None
    seconds: float
    warnings: tuple[str, ...] = ()
    failure: str | None = None


@dataclass
class StudyStore:
    """Lines of finished work; without a path they are kept in memory only."""

    path: Path | None
    fingerprint: str
    scores: dict[tuple[str, int], FoldScore] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    _file: int | None = None

    @classmethod
    def open(cls, path: Path | None, fingerprint: str) -> StudyStore:
        """Read what an earlier run has finished; the file is made when the first line is."""
        store = cls(path, fingerprint)
        if path is not None and path.exists():
            store._read(path)
        return store

    def add(self, fold: int, scores: dict[str, FoldScore]) -> None:
        """Keep the scores of some settings on one fold: all of them or, after a crash, none."""
        line = {
            "fold": fold,
            "scores": {
                key: [each.score, each.seconds, list(each.warnings), each.failure]
                for key, each in scores.items()
            },
        }
        self._append(line)
        self._take(line)

    def remember(self, name: str, fact: Any) -> None:
        """Keep a fact, such as what the hold-out said."""
        line = {"fact": name, "value": fact}
        self._append(line)
        self._take(line)

    def seconds(self) -> float:
        """All recorded time of fits."""
        return sum(each.seconds for each in self.scores.values())

    def close(self) -> None:
        """Give the file back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _take(self, line: dict[str, Any]) -> None:
        if "fact" in line:
            self.facts[line["fact"]] = line["value"]
            return
        for key, (score, seconds, warnings, failure) in line["scores"].items():
            found = FoldScore(score, seconds, tuple(warnings), failure)
            self.scores.setdefault((key, line["fold"]), found)

    def _read(self, path: Path) -> None:
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise InvalidParameterError(
                f"The progress of the study cannot be read from {str(path)!r}: {error.strerror}."
            ) from None
        whole = 0
        for line in raw.splitlines(keepends=True):
            try:
                entry = json.loads(line) if line.endswith(b"\n") else None
                if entry is None:
                    break
                if whole == 0:
                    if entry != self._header():
                        break
                else:
                    self._take(entry)
            except (ValueError, KeyError, TypeError, AttributeError):
                break
            whole += len(line)
        if whole < len(raw):  # a line cut off by a crash, or a damaged file: go on from before it
            with path.open("r+b") as file:
                file.truncate(whole)

    def _header(self) -> dict[str, Any]:
        return {"format": FORMAT, "fingerprint": self.fingerprint}

    def _append(self, line: dict[str, Any]) -> None:
        if self.path is None:
            return
        text = json.dumps(line, allow_nan=False) + "\n"
        try:
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
                if os.fstat(self._file).st_size == 0:
                    text = json.dumps(self._header()) + "\n" + text
            _write_all(self._file, text.encode())
            os.fsync(self._file)
        except OSError as error:
            raise InvalidDataError(cannot_write(self.path, error)) from None


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def cannot_write(path: Path, error: OSError) -> str:
    """The sentence for a file that cannot be written."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    why = "there is no space left" if full else (error.strerror or str(error)).lower()
    what = (
        "free some and run the same command again: it goes on from here"
        if full
        else ("choose another folder (--out)")
    )
    return f"The study cannot be written to {str(path.parent)!r}: {why}; {what}."
