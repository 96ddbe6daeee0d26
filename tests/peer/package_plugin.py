"""A pytest plugin: our names in place of scikit-learn's for a package that builds on it."""

from __future__ import annotations

import ast
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from peer_plugin import import_everything, replace, shared_names


def derived_from(package: str) -> set[str]:
    """Names that classes of a package are derived from, as the last part of what is written."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    found: set[str] = set()
    for path in Path(spec.origin).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                found |= {each.attr for each in node.bases if isinstance(each, ast.Attribute)}
                found |= {each.id for each in node.bases if isinstance(each, ast.Name)}
    return found


class Calls:
    """Notices whether a test comes to a function of ours."""

    def __init__(self) -> None:
        import stylobate

        self.place = str(Path(stylobate.__file__).parent)
        self.seen = False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if not self.seen and frame.f_code.co_filename.startswith(self.place):
            self.seen = True
            sys.setprofile(None)


class Outcomes:
    """Writes down what becomes of each test."""

    def __init__(self, out: Path) -> None:
        self.out, self.calls = out, Calls()
        self.rows: dict[str, tuple[str, str]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Listen."""
        self.calls.seen = False
        sys.setprofile(self.calls)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        report = (yield).get_result()
        bad = report.outcome == "failed"
        if report.when == "call" or report.outcome != "passed":
            error = call.excinfo
            line = f"{error.typename}: {error.value}".strip() if bad and error else ""
            if self.rows.get(item.nodeid, ("", ""))[0] != "failed":
                self.rows[item.nodeid] = report.outcome, line[:300]

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Write after every test: what is known when a run is cut off stays known."""
        sys.setprofile(None)
        if nodeid in self.rows:
            row = [nodeid, *self.rows[nodeid], self.calls.seen]
            with self.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def pytest_configure(config: Any) -> None:
    """Replace before the package is imported."""
    import_everything()
    if os.environ.get("PEER_THEIRS") is None:
        kept = derived_from(os.environ["PEER_PACKAGE"])
        shared = shared_names()
        replace(
            {
                package: {name: thing for name, thing in names.items() if name not in kept}
                for package, names in shared.items()
            }
        )
    config.pluginmanager.register(Outcomes(Path(os.environ["PEER_OUT"])), "outcomes-of-a-package")
