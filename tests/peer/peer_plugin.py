"""A pytest plugin: scikit-learn's own tests with the names that we share replaced by ours.

Only what a test module imports from scikit-learn's public packages is replaced. Everything of
scikit-learn is imported before, so that its inner modules keep their own objects.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import pkgutil
import warnings
from collections import defaultdict
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

AREAS = {
    "linear_model": ("linear_model/tests", "linear_model/_glm/tests"),
    "neighbors": ("neighbors/tests",),
    "tree": ("tree/tests",),
    "ensemble": ("ensemble/tests", "ensemble/_hist_gradient_boosting/tests"),
    "svm": ("svm/tests",),
    "cluster": ("cluster/tests",),
    "decomposition": ("decomposition/tests",),
    "manifold": ("manifold/tests",),
    "preprocessing": ("preprocessing/tests",),
    "feature_selection": ("feature_selection/tests",),
    "feature_extraction": ("feature_extraction/tests",),
    "model_selection": ("model_selection/tests",),
    "metrics": ("metrics/tests",),
    "compose": ("compose/tests", "tests/test_pipeline.py"),
    "others": (
        "tests/test_naive_bayes.py",
        "tests/test_discriminant_analysis.py",
        "tests/test_calibration.py",
        "tests/test_isotonic.py",
        "tests/test_multiclass.py",
        "tests/test_multioutput.py",
        "tests/test_random_projection.py",
        "tests/test_kernel_approximation.py",
        "tests/test_kernel_ridge.py",
        "impute/tests",
        "covariance/tests",
        "cross_decomposition/tests",
        "semi_supervised/tests",
        "neural_network/tests",
        "mixture/tests",
    ),
}
# scikit-learn's tests build on private parts of these, or only use them on the way.
LEFT_OUT = ("base", "utils", "datasets", "dummy", "exceptions", "inspection")
# Functions whose tests take long, or draw pictures, or look at how scikit-learn shows itself.
PASSED_OVER = ("plot", "display", "html", "repr", "docstring", "array_api", "deprecat", "verbose",
               "memory", "parallel", "thread", "monkeypatch", "poisson_vs", "big_input", "large",
               "huge", "segfault", "newsgroups", "agnosticity", "cv_results_predictions",
               "not_fitted_tree", "test_ridge_sample_weight_consistency", "prune_tree",
               "split_impurity")  # fmt: skip


def shared_names() -> dict[str, dict[str, Any]]:
    """Public packages of scikit-learn, and what we have of the same name there."""
    import sklearn

    import stylobate

    found: dict[str, dict[str, Any]] = {}
    packages = [package.name for package in pkgutil.iter_modules(sklearn.__path__)]
    for package in [*packages, "feature_extraction.text"]:
        if package.startswith("_") or package in LEFT_OUT:
            continue
        try:
            ours = importlib.import_module(f"{stylobate.__name__}.{package}")
        except ModuleNotFoundError:
            continue
        theirs = importlib.import_module(f"sklearn.{package}")
        both = set(getattr(theirs, "__all__", ())) & set(getattr(ours, "__all__", ()))
        found[theirs.__name__] = {
            name: getattr(ours, name) for name in both if callable(getattr(ours, name))
        }
    return found


def import_everything() -> None:
    """Import all of scikit-learn but its tests."""
    import sklearn

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for package in pkgutil.walk_packages(sklearn.__path__, "sklearn.", onerror=lambda _: None):
            inner = package.name.split(".")
            if not {"tests", "externals", "conftest", "_build_utils"} & set(inner):
                try:
                    importlib.import_module(package.name)
                except ImportError:
                    continue  # needs a package that is not here


def replace(shared: dict[str, dict[str, Any]]) -> None:
    """Put ours into scikit-learn's public packages."""
    for package, names in shared.items():
        module = importlib.import_module(package)
        for name, thing in names.items():
            setattr(module, name, thing)


def names_in(code: CodeType) -> set[str]:
    """All names that a function and those within it refer to."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= names_in(constant)
    return found


def concerns_us(item: pytest.Function) -> bool:
    """Whether a test refers to a replaced name, or is given an object of ours."""
    given = getattr(item, "callspec", None)
    values = list(given.params.values()) if given is not None else []
    for value in values:
        kind = value if isinstance(value, type) or hasattr(value, "__code__") else type(value)
        if str(getattr(kind, "__module__", "")).startswith("stylobate"):
            return True
    known = vars(item.module)
    return any(
        str(getattr(known.get(name), "__module__", "")).startswith("stylobate")
        for name in names_in(item.function.__code__)
    )


def identity(item: pytest.Item) -> str:
    """The test's name from the folder of scikit-learn on."""
    return item.nodeid[item.nodeid.rindex("sklearn/") + len("sklearn/") :]


def rank(name: str) -> str:
    """The order in which tests are chosen."""
    return hashlib.sha256(name.encode()).hexdigest()


def area_of(name: str) -> str | None:
    """The area that a test module belongs to."""
    for area, places in AREAS.items():
        if name.startswith(places):
            return area
    return None


class Replacement:
    """Chooses the tests, and writes down what becomes of them."""

    def __init__(self, count: int, out: Path) -> None:
        self.count, self.out = count, out
        self.outcomes: dict[str, tuple[str, str]] = {}  # of each test: outcome, error
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        by_area: dict[str | None, list[Any]] = defaultdict(list)
        for item in items:
            over = any(word in item.name.lower() for word in PASSED_OVER)
            skipped = item.get_closest_marker("skip") is not None
            if isinstance(item, pytest.Function) and not over and not skipped and concerns_us(item):
                by_area[area_of(identity(item))].append(item)
        chosen: set[Any] = set()
        for each in by_area.values():
            chosen.update(sorted(each, key=lambda item: rank(identity(item)))[: self.count])
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        report = (yield).get_result()
        name = identity(item)
        self.seconds[name] = self.seconds.get(name, 0.0) + call.duration
        bad = report.outcome == "failed"
        if report.when == "call" or bad or report.outcome == "skipped":
            error = call.excinfo
            line = f"{error.typename}: {error.value}".strip() if bad and error else ""
            if self.outcomes.get(name, ("", ""))[0] != "failed":
                self.outcomes[name] = (report.outcome, line[:300])

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Write after every test: what is known when a run is cut off stays known."""
        name = nodeid[nodeid.rindex("sklearn/") + len("sklearn/") :]
        if name in self.outcomes:
            row = [name, *self.outcomes[name], round(self.seconds[name], 3)]
            with self.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def pytest_configure(config: Any) -> None:
    """Replace before the first test module is imported."""
    import_everything()
    if os.environ.get("PEER_THEIRS") is None:
        replace(shared_names())
    chooser = Replacement(int(os.environ["PEER_COUNT"]), Path(os.environ["PEER_OUT"]))
    config.pluginmanager.register(chooser, "replacement-by-ours")
