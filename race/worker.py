"""The process in which one contender runs: reads requests, times calls, answers in JSON lines.

Requests: {"do": "warm-up", "data": folder}, {"do": "load", "data": folder},
{"do": "turn", "seconds": s}, {"do": "judge"}, {"do": "release"}. Only the calls themselves are
timed; loading and judging are not.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from race.memory import PeakMemory
from race.workload import Contender, Data, Workload, load


def read_data(folder: str) -> Data:
    """Copy a workload's arrays into memory of our own.

    A mapped file would make the first contender pay for the disk, and an array that is not plain
    memory could take another path in somebody's input check.
    """
    return {p.stem: np.array(np.load(p, mmap_mode="r")) for p in sorted(Path(folder).glob("*.npy"))}


class Runner:
    """Answers the requests for one contender of one workload."""

    def __init__(self, workload: Workload, contender: Contender) -> None:
        self.workload = workload
        self.contender = contender
        self.data: Data | None = None
        self.solution: Any = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do one request; every failure becomes an answer of one line."""
        try:
            return self._do(request)
        except ModuleNotFoundError as error:
            top = (error.name or "").partition(".")[0]
            # only a package that is absent as a whole is "missing"; else the install is broken
            if top and error.name == top and top not in sys.modules:
                return {"status": "missing", "message": top}
            return {"status": "failed", "message": one_line(error)}
        except Exception as error:
            return {"status": "failed", "message": one_line(error)}

    def _do(self, request: dict[str, Any]) -> dict[str, Any]:
        match request["do"]:
            case "warm-up":
                self.contender.fit(read_data(request["data"]))
                gc.collect()
                # imported modules need no further collecting: keeps gc.collect() cheap below
                gc.freeze()
            case "load":
                if self.data is None:
                    self.data = read_data(request["data"])
            case "turn":
                return self._turn(request["seconds"])
            case "judge":
                return self._judge()
            case "release":
                self.data = None
            case unknown:
                raise ValueError(f"unknown request {unknown!r}")
        return {"status": "ok"}

    def _turn(self, seconds: float) -> dict[str, Any]:
        """Call at least once, and again while the turn is shorter than ``seconds``."""
        assert self.data is not None
        times: list[float] = []
        memory = PeakMemory()
        growth = 0
        end = time.perf_counter() + seconds
        while not times or time.perf_counter() < end:
            self.solution = None
            gc.collect()
            memory.start()
            start = time.perf_counter()
            self.solution = self.contender.fit(self.data)
            times.append(time.perf_counter() - start)
            growth = max(growth, memory.growth())
        return {"status": "ok", "times": times, "peak": growth}

    def _judge(self) -> dict[str, Any]:
        assert self.data is not None
        quality = float(self.workload.quality(self.solution, self.data))
        notes = self.workload.notes
        note = notes(self.solution, self.data) if notes else ""
        evidence = self.workload.evidence
        shown = evidence(self.solution, self.data) if evidence else {}
        self.solution = None
        # JSON has no NaN or inf; repr keeps them, and every digit
        return {"status": "ok", "quality": repr(quality), "note": note, "evidence": shown}


def one_line(error: BaseException) -> str:
    """Name an error and give the first line of what it says."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def limit_cores(threads: int) -> None:
    """Allow this process ``threads`` cores: pools that ignore the environment obey this."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, set(cores[:threads]))


def main(path: str, name: str, threads: str) -> None:
    """Serve requests until the other side closes."""
    # the channel is a copy of stdout; what libraries print must not get into it
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    limit_cores(int(threads))
    workload = load(Path(path))
    runner = Runner(workload, workload.contender(name))
    for line in sys.stdin:
        channel.write(json.dumps(runner.answer(json.loads(line))) + "\n")
        channel.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
