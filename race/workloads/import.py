"""Import time in a new process, and the size on disk.

The timed call starts an interpreter; otherwise this is a workload like any other.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from importlib import metadata, util
from pathlib import Path
from typing import NamedTuple

from race.goals import Faster, Within
from race.workload import Contender, Data, Size, Workload

# ru_maxrss would not do: a child starts with that of the process it was forked from
_REPORT = "\nprint(open('/proc/self/status').read())" if sys.platform == "linux" else ""


class Import(NamedTuple):
    """What was imported from where; the new process's peak memory in kB (0: unknown)."""

    package: str
    distribution: str
    peak: int


def start(data: Data, code: str, package: str, distribution: str) -> Import:
    """Run ``code`` in a new interpreter and wait for its end."""
    command = [sys.executable, "-c", code + _REPORT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        message = done.stderr.strip().splitlines()[-1].partition(": ")[2]
        if util.find_spec(package) is None:
            raise ModuleNotFoundError(message, name=package)
        raise ImportError(message)
    peak = re.search(r"VmHWM:\s*(\d+) kB", done.stdout)
    return Import(package, distribution, int(peak[1]) if peak else 0)


def installed_bytes(package: str, distribution: str) -> int:
    """Bytes of the files a distribution put on disk, compiled bytecode left out."""
    spec = util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return 0
    try:
        listed = metadata.files(distribution) or []
    except metadata.PackageNotFoundError:
        listed = []
    files = [Path(str(f.locate())) for f in listed]
    if not any(f.match(f"{package}/__init__.py") for f in files):
        # a development install lists a pointer to the source tree only
        files = [f for place in spec.submodule_search_locations for f in Path(place).rglob("*")]
    return sum(f.stat().st_size for f in files if f.suffix != ".pyc" and f.is_file())


def notes(done: Import, data: Data) -> str:
    """Give the process's memory and the install size, where they are known."""
    size = installed_bytes(done.package, done.distribution)
    facts = [("process", done.peak * 1024), ("installed", size)]
    return ", ".join(f"{what} {value / 1e6:.1f} MB" for what, value in facts if value)


def make(size: Size, seed: int) -> Data:
    """No data."""
    return {}


def quality(done: Import, data: Data) -> float:
    """An import that worked is as good as any other."""
    return 0.0


def _contender(name: str, package: str, distribution: str, code: str, kind: str) -> Contender:
    call = partial(start, code=code, package=package, distribution=distribution)
    return Contender(name, package, call, kind)  # type: ignore[arg-type]


WORKLOAD = Workload(
    name="import",
    title="import in a new process",
    sizes={"standard": {}},
    make=make,
    contenders=(
        _contender(
            "ours",
            "stylobate",
            "stylobate",
            "from stylobate.linear_model import LinearRegression",
            "ours",
        ),
        _contender("ours, bare", "stylobate", "stylobate", "import stylobate", "reference"),
        _contender("numpy", "numpy", "numpy", "import numpy", "reference"),
        _contender("python", "sys", "python", "pass", "reference"),
        _contender(
            "sklearn",
            "sklearn",
            "scikit-learn",
            "from sklearn.linear_model import LinearRegression",
            "peer",
        ),
    ),
    quality=quality,
    notes=notes,
    goals=(Within("numpy", 0.030), Faster("sklearn", 5)),
)
