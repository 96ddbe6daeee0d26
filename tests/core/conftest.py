"""Programs that run in a process of their own: threads, signals and forks are global state."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import stylobate

# What decides about threads and instructions; a test sets what it is about and nothing else.
_SETTINGS = ("STYLOBATE_THREADS", "STYLOBATE_ISA", "OMP_NUM_THREADS", "LOKY_MAX_CPU_COUNT")


@pytest.fixture(scope="session")
def environment() -> Callable[..., dict[str, str]]:
    def make(**settings: str) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
        source = str(Path(stylobate.__file__).parents[1])
        paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
        return {**inherited, "PYTHONPATH": os.pathsep.join(paths), **settings}

    return make


@pytest.fixture(scope="session")
def run_program(environment: Callable[..., dict[str, str]]) -> Callable[..., str]:
    """Run a program in a new interpreter; its output, or a failure with all it said."""

    def run(
        program: str, *, timeout: float = 60.0, settings: Mapping[str, str] | None = None
    ) -> str:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            env=environment(**(settings or {})),
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout.strip()

    return run


@pytest.fixture(autouse=True)
def default_threads():
    """Leave the thread count as it was found."""
    yield
    stylobate.set_threads(None)
