"""What README, the page on studies and a lesson show runs with the declared dependencies alone."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/study.md", "docs/formulas.md", "docs/course/outliers-and-bins.md")

SCRIPT = '''
import doctest, sys

hidden = set(sys.argv[2].split(","))


class Without:
    """A finder that does not find what is hidden, as where it is not installed."""

    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            return None
        return self.finder.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.finder, name)


sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
failed, tried = doctest.testfile(sys.argv[1], module_relative=False, optionflags=options)
assert tried > 5
print([name for name in hidden if name in sys.modules])
sys.exit(failed > 0)
'''


def undeclared() -> set[str]:
    """Packages of the extras for tests that are no dependencies of the package itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [each.split(";")[0] for each in project["optional-dependencies"]["test"]]
    names = {"".join(c if c.isalnum() or c in "-_" else " " for c in each).split()[0]
             for each in named}  # fmt: skip
    declared = {"matplotlib"}
    imports = {"scikit-learn": "sklearn", "psycopg": "psycopg"}
    return {imports.get(name, name.replace("-", "_")) for name in names} - declared


@pytest.mark.parametrize("page", PAGES)
def test_examples_need_nothing_that_is_not_declared(page):
    hidden = undeclared()
    assert {"pandas", "polars", "pyarrow", "sklearn"} <= hidden
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(ROOT / page), ",".join(sorted(hidden))],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert done.stdout.strip().splitlines()[-1] == "[]"
