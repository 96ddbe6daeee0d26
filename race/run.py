"""Run bouts: every contender in its own process, taking turns."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from race.floor import floor_of
from race.others import OtherLoad
from race.process import Died, OverLimit, Worker
from race.quality import judge
from race.results import Bout, Entry, Report
from race.workload import Contender, Workload

# Pools that spin (OpenBLAS, libgomp) keep a core for a while after a call; the next contender
# must not pay for that.
_PAUSE = 0.05
# Short calls are repeated until a turn is this long, so that a fit of 100 µs is timed many times.
_TURN_SECONDS = 0.2
# Reading data and judging are not part of the contest, but must end.
_PATIENCE = 600.0


@dataclass(frozen=True)
class Settings:
    """How to run: turns per contender, seconds per call and per contender, threads, seed."""

    repeats: int = 5
    limit: float = 120.0
    budget: float = 10.0
    threads: int = 2
    seed: int = 0


Progress = Callable[[str], None]


def run_bout(
    path: Path,
    workload: Workload,
    size_name: str,
    contenders: tuple[Contender, ...],
    settings: Settings,
    report: Report,
    progress: Progress = lambda line: None,
) -> Bout:
    """Run one workload at one size; the bout stands in the report from the start.

    Ctrl-C at any point leaves in the report what is known by then.
    """
    size = workload.sizes[size_name]
    entries = [Entry(c.name, c.package, c.kind) for c in contenders]
    tolerance = workload.tolerance_at(size)
    bout = Bout(workload.name, workload.title, size_name, dict(size), tolerance, entries)
    report.bouts.append(bout)
    if workload.floor and report.flops_per_second and report.bytes_per_second:
        rates = {
            "flops_per_second": report.flops_per_second,
            "bytes_per_second": report.bytes_per_second,
        }
        bout.floor, bout.floor_text = floor_of(workload.floor(size), rates)
    try:
        with ExitStack() as stack:
            scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="race-")))
            progress(f"{bout.workload} {size_name}: making data")
            first = next(iter(workload.sizes))
            warm = _save(workload, first, settings.seed, scratch)
            full = warm
            if size_name != first:
                full = _save(workload, size_name, settings.seed, scratch)
            _take_turns(path, bout, (warm, full), settings, stack, progress)
    finally:
        judge(bout)
        if size_name == "standard":
            bout.verdicts = [goal.check(bout) for goal in workload.goals]
    return bout


def _save(workload: Workload, size_name: str, seed: int, scratch: Path) -> Path:
    folder = scratch / size_name
    folder.mkdir()
    for name, array in workload.make(workload.sizes[size_name], seed).items():
        np.save(folder / f"{name}.npy", array)
    return folder


def _take_turns(
    path: Path,
    bout: Bout,
    folders: tuple[Path, Path],
    settings: Settings,
    stack: ExitStack,
    progress: Progress,
) -> None:
    warm, full = folders
    racing: list[tuple[Entry, Worker]] = []
    for entry in bout.entries:
        progress(f"{bout.workload} {bout.size_name}: warm-up of {entry.name}")
        worker = Worker(path, entry.name, settings.threads)
        stack.callback(worker.stop)
        entry.limit = settings.limit
        if _asked(entry, worker, "warm-up", settings.limit, data=str(warm)) is not None:
            racing.append((entry, worker))
    keep = _fits(full, len(racing))
    others = OtherLoad()
    for turn in range(settings.repeats):
        # each round starts with another one, so that nobody always follows the same predecessor
        shift = turn % max(1, len(racing))
        for entry, worker in racing[shift:] + racing[:shift]:
            spent = sum(entry.times)
            if entry.status in ("failed", "over limit") or (turn and spent >= settings.budget):
                continue
            progress(
                f"{bout.workload} {bout.size_name}: {turn + 1}/{settings.repeats} {entry.name}"
            )
            others.begin()
            _turn(entry, worker, full, settings.limit, keep)
            # a worker that was killed took its CPU time along: what remains would look foreign
            if entry.status == "ok":
                others.end()
                bout.other_cores = others.cores
            bout.order.append(entry.name)
            time.sleep(_PAUSE)


def _turn(entry: Entry, worker: Worker, full: Path, limit: float, keep: bool) -> None:
    """One turn of one contender: load, timed calls, judge."""
    if _asked(entry, worker, "load", _PATIENCE, data=str(full)) is None:
        return
    timed = _asked(entry, worker, "turn", limit, seconds=min(_TURN_SECONDS, limit / 2))
    if timed is None:
        return
    judged = _asked(entry, worker, "judge", _PATIENCE)
    if judged is None:
        return
    entry.status = "ok"
    entry.times += timed["times"]
    entry.peak_extra_bytes = max(entry.peak_extra_bytes or 0, timed["peak"])
    quality = float(judged["quality"])
    # the worst of all turns: a time counts only if the answer is good every time
    entry.quality = float(np.maximum(quality, -np.inf if entry.quality is None else entry.quality))
    entry.note, entry.evidence = judged["note"], judged["evidence"]
    if not keep:
        _asked(entry, worker, "release", _PATIENCE)


def _asked(
    entry: Entry, worker: Worker, do: str, limit: float, **details: Any
) -> dict[str, Any] | None:
    """Ask, and write what goes wrong into the entry; None if it did."""
    try:
        answer = worker.ask(do, limit, **details)
    except OverLimit:
        entry.status, entry.message = "over limit", f"> {limit:g} s"
        if do not in ("warm-up", "turn"):
            entry.status, entry.message = "failed", f"no answer to {do!r} within {limit:g} s"
        return None
    except Died as death:
        entry.status, entry.message = "failed", str(death)
        return None
    if answer["status"] != "ok":
        entry.status, entry.message = answer["status"], answer["message"]
        return None
    return answer


def _fits(folder: Path, contenders: int) -> bool:
    """Say whether everybody may keep a copy of the data between turns.

    A third of the free memory for data leaves room for what the contenders allocate.
    """
    import psutil

    size = sum(p.stat().st_size for p in folder.iterdir())
    return bool(size * contenders < psutil.virtual_memory().available / 3)
