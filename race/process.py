"""Our side of a worker process: start, ask with a limit, stop."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "STYLOBATE_THREADS",
)


class OverLimit(Exception):
    """A worker did not answer in time; it has been killed."""


class Died(Exception):
    """A worker ended without an answer."""


def environment(threads: int) -> dict[str, str]:
    """Give the environment in which everybody gets the same number of threads."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    same = dict.fromkeys(_THREAD_VARIABLES, str(threads))
    return {**os.environ, **same, "PYTHONPATH": os.pathsep.join(paths)}


class Worker:
    """A process that runs one contender (see ``race.worker``)."""

    def __init__(self, workload: Path, contender: str, threads: int) -> None:
        # kept, not piped: a full pipe would block the worker, and a crash leaves its last words
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by stop)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "race.worker", str(workload), contender, str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment(threads),
            # its own group: Ctrl-C reaches only us, and its children end with it
            start_new_session=True,
        )
        self._buffer = b""

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def ask(self, do: str, limit: float, **details: Any) -> dict[str, Any]:
        """Send a request and wait at most ``limit`` seconds for the answer."""
        assert self._process.stdin is not None
        request = json.dumps({"do": do, **details}) + "\n"
        try:
            self._process.stdin.write(request.encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Died(self._last_words()) from None
        answer: dict[str, Any] = json.loads(self._line(limit))
        return answer

    def _line(self, limit: float) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        end = time.monotonic() + limit
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(max(0.0, end - time.monotonic())):
                    self.stop()
                    raise OverLimit
                received = os.read(descriptor, 65536)
                if not received:
                    raise Died(self._last_words())
                self._buffer += received
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _last_words(self) -> str:
        code = self._process.wait()
        if code < 0:
            return f"the process was ended by {signal.Signals(-code).name}"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"the process ended with code {code}"

    def stop(self) -> None:
        """End the process and its children, at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
