"""Tests of packages that build on scikit-learn, with our names in place of scikit-learn's.

Each package runs its tests twice, in processes of their own: as it is, and with every public name
that both libraries have standing for ours, in the package and in its tests. Names that the package
derives classes from stay scikit-learn's: what a subclass uses of its base is private. A test counts
where it passes as it is and comes to a call of ours.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(__file__).parent
Rows = dict[
    str, tuple[str, str, bool]
]  # of each test: outcome, first line of the error, whether ours was called


def folder_of(package: str) -> Path:
    """Where an installed package lies."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed for {sys.executable}")
    return Path(spec.origin).parent


def run(package: str, tests: list[str], theirs: bool, out: Path, limit: int) -> Rows:
    """The outcome of every test of a package."""
    out.unlink(missing_ok=True)
    settings = out.parent / "pytest.ini"
    settings.write_text("[pytest]\naddopts =\n", encoding="utf-8")
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "STYLOBATE_THREADS"), "1")
    environment = os.environ | single | {
        "PYTHONPATH": os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")]),
        "PEER_PACKAGE": package, "PEER_OUT": str(out), "MPLBACKEND": "agg",
        "SKLEARN_SKIP_NETWORK_TESTS": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    if theirs:
        environment["PEER_THEIRS"] = "1"
    command = [
        sys.executable, "-m", "pytest", "-p", "package_plugin", "-p", "no:cacheprovider", "-c",
        str(settings), "--rootdir", str(Path(tests[0]).parent), "-q", "--tb=no",
        "--import-mode=importlib", "--continue-on-collection-errors", *tests,
    ]  # fmt: skip
    log = out.with_suffix(".log")
    with log.open("w", encoding="utf-8") as file:
        try:
            subprocess.run(
                command, env=environment, cwd=out.parent, stdout=file, stderr=file, check=False,
                timeout=limit,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            print(f"{package}: cut off after {limit} s, {log}")
    if not out.exists():
        raise SystemExit(f"{package}: no test ran, see {log}")
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return {name: (outcome, error, ours) for name, outcome, error, ours in rows}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "packages", nargs="+", help="as imported; PACKAGE=FOLDER where its tests lie apart"
    )
    parser.add_argument("--out", default="peer_packages", help="folder for results")
    parser.add_argument("--limit", type=int, default=1800, help="seconds a run may take")
    parser.add_argument("--failures", action="store_true", help="also show what fails")
    asked = parser.parse_args()
    out = Path(asked.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    print(f"{'package':24} {'pass on theirs':>14} {'call ours':>10} {'pass':>6} {'share':>8}")
    for each in asked.packages:
        package, _, place = each.partition("=")
        tests = [place or str(folder_of(package))]
        theirs = run(package, tests, True, out / f"{package}.theirs.jsonl", asked.limit)
        ours = run(package, tests, False, out / f"{package}.ours.jsonl", asked.limit)
        show(package, theirs, ours, failures=asked.failures)


def show(package: str, theirs: Rows, ours: Rows, *, failures: bool) -> None:
    """A row of the table, and what fails, by its error."""
    passed = [name for name, (outcome, _, _) in theirs.items() if outcome == "passed"]
    lost = ("missing", "it was not collected", True)
    counted = {name: ours.get(name, lost) for name in passed if ours.get(name, lost)[2]}
    good = sum(outcome == "passed" for outcome, _, _ in counted.values())
    share = 100 * good / max(len(counted), 1)
    print(f"{package:24} {len(passed):14} {len(counted):10} {good:6} {share:7.1f}%", flush=True)
    if failures:
        bad = Counter(
            (name.split("[")[0], error[:150])
            for name, (outcome, error, _) in counted.items()
            if outcome != "passed"
        )
        for (name, error), count in bad.most_common():
            print(f"  {count:4} {name}: {error}")


if __name__ == "__main__":
    main()
