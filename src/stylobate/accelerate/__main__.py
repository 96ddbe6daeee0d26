"""``python -m stylobate.accelerate script.py …``: run a script with scikit-learn accelerated."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from stylobate.accelerate import accelerate, report
from stylobate.exceptions import StylobateError


def main(arguments: list[str] | None = None) -> int:
    """Run the script named by the arguments, and tell on standard error who answered."""
    parser = argparse.ArgumentParser(
        prog="python -m stylobate.accelerate",
        description="Run a script that uses scikit-learn, its fits answered by Stylobate where "
        "declared conditions hold.",
    )
    parser.add_argument("--only", help="classes to accelerate, as Ridge,SVC; all if left out")
    parser.add_argument("--verbose", action="store_true", help="a line for each call")
    parser.add_argument("--report", action="store_true", help="who answered what, at the end")
    parser.add_argument("script", help="a Python file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the script")
    asked = parser.parse_args(arguments)
    if not Path(asked.script).is_file():
        parser.error(f"there is no file {asked.script!r}")
    try:
        accelerate(only=asked.only.split(",") if asked.only else None, verbose=asked.verbose)
    except StylobateError as error:
        parser.error(str(error))
    sys.argv = [asked.script, *asked.arguments]
    sys.path[0] = str(Path(asked.script).resolve().parent)  # as `python script.py` has it
    try:
        runpy.run_path(asked.script, run_name="__main__")
    finally:
        if asked.report:
            print(report(), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
