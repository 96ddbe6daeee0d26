"""Runs tests of scikit-learn's wheel in a process of their own, in which our names stand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from peer_plugin import AREAS

FOLDER = Path(__file__).parent
Outcomes = dict[str, tuple[str, str, float]]


def run_areas(areas: tuple[str, ...], count: int, folder: Path) -> Outcomes:
    """Outcome, first line of the error and seconds of each test chosen.

    Parameters
    ----------
    areas : names in `AREAS`
    count : int
        Tests at most of each area.
    folder : path
        For files on the way.
    """
    spec = find_spec("sklearn")
    assert spec is not None
    assert spec.origin is not None
    theirs = Path(spec.origin).parent
    settings = folder / "pytest.ini"
    settings.write_text("[pytest]\naddopts =\n", encoding="utf-8")
    modules = [str(theirs / place) for area in areas for place in AREAS[area]]
    out = folder / "outcomes.jsonl"
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "STYLOBATE_THREADS"), "1")
    environment = os.environ | single | {
        "PYTHONPATH": os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")]),
        "PEER_COUNT": str(count), "PEER_OUT": str(out), "MPLBACKEND": "agg",
        "SKLEARN_SKIP_NETWORK_TESTS": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    command = [
        sys.executable, "-m", "pytest", "-p", "peer_plugin", "-p", "no:cacheprovider", "-p",
        "no:xdist", "-c", str(settings), "--rootdir", str(theirs.parent), "-q", "--tb=no",
        "-W", "ignore::pytest.PytestConfigWarning", *modules,
    ]  # fmt: skip
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    if not out.exists():
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return {name: (outcome, error, seconds) for name, outcome, error, seconds in rows}
