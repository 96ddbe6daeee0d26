"""What a race leaves behind, and how it is written as JSON."""

from __future__ import annotations

import dataclasses
import json
import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

SCHEMA = "stylobate-race/1"

Status = Literal["not run", "ok", "missing", "failed", "over limit"]


@dataclass(frozen=True)
class Verdict:
    """A goal, what was reached, and whether that meets it (None: cannot be told)."""

    goal: str
    reached: str
    met: bool | None


@dataclass
class Entry:
    """One contender in one bout."""

    name: str
    package: str
    kind: str
    status: Status = "not run"
    message: str = ""
    times: list[float] = field(default_factory=list)
    peak_extra_bytes: int | None = None
    quality: float | None = None
    excess: float | None = None
    counts: bool = False
    note: str = ""
    limit: float | None = None
    evidence: dict[str, list[float]] = field(default_factory=dict)

    @property
    def best(self) -> float | None:
        """Shortest call in seconds."""
        return min(self.times, default=None)

    @property
    def median(self) -> float | None:
        """Median call in seconds."""
        return statistics.median(self.times) if self.times else None


@dataclass
class Bout:
    """One workload at one size."""

    workload: str
    title: str
    size_name: str
    size: dict[str, int]
    tolerance: float
    entries: list[Entry]
    order: list[str] = field(default_factory=list)
    floor: float | None = None
    floor_text: str = ""
    other_cores: float | None = None
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def ours(self) -> Entry | None:
        """Our own entry, if it was entered."""
        return next((e for e in self.entries if e.kind == "ours"), None)

    def ratio(self, entry: Entry) -> float | None:
        """Their best time divided by ours; None without both."""
        ours = self.ours
        if ours is None or not ours.best or entry.best is None:
            return None
        return entry.best / ours.best


@dataclass
class Report:
    """One whole run."""

    machine: dict[str, str]
    threads: int
    busy: bool
    repeats: int
    flops_per_second: float | None = None
    bytes_per_second: float | None = None
    interrupted: bool = False
    bouts: list[Bout] = field(default_factory=list)


def seconds_text(seconds: float) -> str:
    """Write a duration with three digits and a fitting unit.

    >>> seconds_text(0.0321)
    '32.1 ms'
    """
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            value = seconds / scale
            digits = max(0, 2 - math.floor(math.log10(value)))
            return f"{value:.{digits}f} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def size_text(size: Mapping[str, int]) -> str:
    """Write a size in words.

    >>> size_text({"rows": 1000, "columns": 10})
    '1,000 rows x 10 columns'
    """
    return " x ".join(f"{value:,} {key}" for key, value in size.items())


def install_hint(package: str) -> str:
    """Say how to get a package that is not there."""
    return "pip install ." if package == "stylobate" else "pip install '.[race]'"


def as_json(report: Report) -> dict[str, Any]:
    """Turn a report into plain data; infinities and NaN become null."""
    content = _plain(dataclasses.asdict(report))
    for bout, written in zip(report.bouts, content["bouts"], strict=True):
        for entry, row in zip(bout.entries, written["entries"], strict=True):
            row |= {"best": entry.best, "median": entry.median, "ratio": bout.ratio(entry)}
    return {"schema": SCHEMA, **content}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write_json(report: Report, path: Path) -> None:
    """Write the report to a file."""
    path.write_text(json.dumps(as_json(report), indent=1, allow_nan=False) + "\n", "utf-8")
