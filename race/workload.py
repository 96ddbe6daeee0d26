"""What a workload is: data, contenders, a quality measure, a floor and goals."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from race.goals import Goal

Size = Mapping[str, int]
Data = dict[str, NDArray[np.float64]]
Kind = Literal["ours", "peer", "reference"]

FOLDER = Path(__file__).parent / "workloads"


@dataclass(frozen=True)
class Contender:
    """One way to do the job.

    ``fit`` takes the workload's data and returns a solution; it imports what it needs itself, so
    that a missing package only costs this contender. ``kind`` is "ours", "peer" (a package a user
    would call instead) or "reference" (code written by hand, or a bound; shown, but no goal is
    measured against it unless the goal names it).
    """

    name: str
    package: str
    fit: Callable[[Data], Any]
    kind: Kind = "peer"


@dataclass(frozen=True)
class Workload:
    """A job with several contenders.

    Parameters
    ----------
    name, title : str
        The word used on the command line, and one line for readers.
    sizes : mapping of str to Size
        Named sizes ("small", "standard", "large"), the smallest first: it is the warm-up too.
        Goals are stated for "standard".
    make : callable
        ``make(size, seed)`` gives the data: a dict of arrays, the same for every contender.
    contenders : tuple of Contender
        Exactly one of kind "ours".
    quality : callable
        ``quality(solution, data)`` is a number computed from the solution itself; lower is better,
        inf is wrong, NaN never counts.
    tolerance : float or callable
        Relative excess of the quality over the best at which a time still counts; a function of
        the size where chance matters more in small tables.
    floor : callable or None
        ``floor(size)`` gives (operations, bytes) that no method can avoid.
    notes : callable or None
        ``notes(solution, data)`` gives a few words about the answer for the last column.
    evidence : callable or None
        ``evidence(solution, data)`` gives named lists of scores (more is better) that goals compare
        pair by pair.
    """

    name: str
    title: str
    sizes: Mapping[str, Size]
    make: Callable[[Size, int], Data]
    contenders: tuple[Contender, ...]
    quality: Callable[[Any, Data], float]
    tolerance: float | Callable[[Size], float] = 1e-6
    floor: Callable[[Size], tuple[float, float]] | None = None
    notes: Callable[[Any, Data], str] | None = None
    evidence: Callable[[Any, Data], dict[str, list[float]]] | None = None
    goals: tuple[Goal, ...] = ()

    def __post_init__(self) -> None:
        names = [c.name for c in self.contenders]
        if len(set(names)) != len(names):
            raise ValueError(f"{self.name}: contender names must be unique, got {names}.")
        if sum(c.kind == "ours" for c in self.contenders) != 1:
            raise ValueError(f"{self.name}: exactly one contender must be of kind 'ours'.")

    def tolerance_at(self, size: Size) -> float:
        """The tolerance for data of that size."""
        return self.tolerance(size) if callable(self.tolerance) else self.tolerance

    def contender(self, name: str) -> Contender:
        """Return the contender of that name."""
        return next(c for c in self.contenders if c.name == name)


def load(path: Path) -> Workload:
    """Read the workload a file defines."""
    spec = importlib.util.spec_from_file_location(f"race_workload_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    workload = module.WORKLOAD
    if not isinstance(workload, Workload):
        raise TypeError(f"{path}: WORKLOAD must be a Workload, got {type(workload).__name__}.")
    return workload


def discover(folder: Path = FOLDER) -> dict[str, Path]:
    """Find every workload file of a folder: name on the command line → file."""
    return {path.stem: path for path in sorted(folder.glob("[!_]*.py"))}
