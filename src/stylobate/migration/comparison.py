"""A script run before and after its imports are swapped: what it prints, how long it takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from time import perf_counter

from stylobate.exceptions import InvalidDataError

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_SHOWN = 20  # lines that differ


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a script: what it printed, its exit status, and seconds."""

    output: str
    errors: str
    status: int
    seconds: float

    @property
    def last_error(self) -> str:
        """The last line of the errors: of a traceback, what was raised."""
        return (self.errors.strip().splitlines() or ["no message"])[-1]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs of a script.

    Parameters
    ----------
    before, after : Run
    lines : tuple of (int, str, str)
        Printed lines that differ by more than the numbers' tolerance: number, before, after.
    largest : float
        Largest relative difference between two numbers printed at the same place.
    """

    before: Run
    after: Run
    lines: tuple[tuple[int, str, str], ...]
    largest: float

    @property
    def same(self) -> bool:
        """Whether both ran to their end and printed the same, but for rounding."""
        return self.before.status == self.after.status == 0 and not self.lines

    def __str__(self) -> str:
        speed = self.before.seconds / max(self.after.seconds, 1e-9)
        times = (
            f"{self.before.seconds:.2f} s before, {self.after.seconds:.2f} s after "
            f"({speed:.2f} x), start of Python included."
        )
        if self.after.status != self.before.status:
            failed = self.after if self.after.status else self.before
            return (
                f"The script ended with status {self.before.status} before and "
                f"{self.after.status} after: {failed.last_error}"
            )
        if self.after.status:
            return (
                f"The script fails before and after, so there is nothing to compare.\n"
                f"  - {self.before.last_error}\n  + {self.after.last_error}"
            )
        if self.same:
            exactly = "" if self.largest == 0.0 else f" (numbers within {self.largest:.1g})"
            return f"Both print the same{exactly}. {times}"
        shown = [f"line {k}:\n  - {old}\n  + {new}" for k, old, new in self.lines[:_SHOWN]]
        more = len(self.lines) - len(shown)
        tail = [f"and {more} more lines."] if more > 0 else []
        return "\n".join([f"{len(self.lines)} printed lines differ. {times}", *shown, *tail])


def compare_runs(
    before: str,
    after: str,
    *,
    folder: Path | str = ".",
    arguments: tuple[str, ...] = (),
    rtol: float = 1e-6,
    timeout: float | None = None,
) -> Comparison:
    r"""Run a script as it was and as it is now, each in a process of its own, and compare.

    Parameters
    ----------
    before, after : str
        The scripts.
    folder : path, default="."
        Where they run, and modules beside them are found.
    arguments : tuple of str, default=()
        Arguments of the scripts.
    rtol : float, default=1e-6
        Relative difference up to which two printed numbers count as the same.
    timeout : float or None, default=None
        Seconds for each run.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> found = compare_runs("print(0.1 + 0.2)", "print(0.3)")
    >>> found.same
    True
    """
    runs = [_run(text, Path(folder), arguments, timeout) for text in (before, after)]
    pairs = zip_longest(*(run.output.splitlines() for run in runs), fillvalue="")
    lines, largest = [], 0.0
    for number, (old, new) in enumerate(pairs, start=1):
        distance = _difference(old, new)
        if distance > rtol:
            lines.append((number, old, new))
        else:
            largest = max(largest, distance)
    return Comparison(runs[0], runs[1], tuple(lines), largest)


def _run(text: str, folder: Path, arguments: tuple[str, ...], timeout: float | None) -> Run:
    environment = os.environ | {"MPLBACKEND": "Agg"}
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(folder.resolve()), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "script.py"
        path.write_text(text, encoding="utf-8")
        begun = perf_counter()
        try:
            done = subprocess.run(
                [sys.executable, str(path), *arguments],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=timeout,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise InvalidDataError(
                f"The script was not done after {timeout:g} seconds; allow more time."
            ) from error
        return Run(done.stdout, done.stderr, done.returncode, perf_counter() - begun)


def _difference(old: str, new: str) -> float:
    """Largest relative difference of the numbers of two lines; infinite where the words differ."""
    if old == new:
        return 0.0
    if _NUMBER.sub("#", old).split() != _NUMBER.sub("#", new).split():
        return float("inf")
    pairs = zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=True)
    return max((_relative(float(a), float(b)) for a, b in pairs), default=0.0)


def _relative(a: float, b: float) -> float:
    return abs(a - b) / max(abs(a), abs(b)) if a != b else 0.0
