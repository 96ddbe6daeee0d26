"""Every public estimator and function given damaged sparse matrices, one line of output per call.

Run as a program (see `test_damaged_sparse.py`): a call may end the process, and then the line that
announced it is the last one.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from stylobate import kernels, metrics
from stylobate.base import BaseEstimator, clone
from stylobate.base.discovery import _public_packages
from stylobate.dummy import DummyClassifier
from stylobate.exceptions import StylobateError
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_score,
    train_test_split,
)
from stylobate.neural_network import MLPClassifier
from stylobate.optimize import quadratic_program
from stylobate.optimize.glm import POISSON
from stylobate.preprocessing import LabelBinarizer, MultiLabelBinarizer
from stylobate.splits import type_of_target
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import METHODS, problem_for
from stylobate.tree import DecisionTreeClassifier

# What the other required arguments of functions are; a function with others is reported.
_OTHERS = {
    "estimator": Ridge(),
    "model": Ridge(),
    "param_name": "alpha",
    "param_range": [0.1, 1.0],
    "n_neighbors": 3,
    "radius": 1.0,
    "distance": lambda a, b: 0.0,
    "metric": "neg_mean_squared_error",
    "coef": np.ones(4),
    "family": POISSON,
    "kernel": kernels.Linear(),
    "fit": None,
    "cv": 3,
    "param_grid": {"alpha": [0.1, 1.0]},
    "n_clusters": 3,
    "n_components": 2,
    "alpha": 0.1,
    "min_samples": 5,
    "max_eps": np.inf,
    "p": 2,
    "metric_params": None,
    "algorithm": "auto",
    "leaf_size": 30,
    "n_jobs": None,
    "epsilon": 0.1,
    "epsilons": [0.0, 0.1],
}
_LINEAR, _NETWORK = ("margin", "signed_distances"), (
    "diagnose_layers", "fast_gradient_sign", "projected_gradient", "robustness_curve",
)  # fmt: skip
_METRICS = {"compute_optics_graph": "minkowski"}  # where it is one of distances


def damaged() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Ways to damage a matrix: name, and what makes it from a whole dense one."""

    def change(kind: Any, part: str, place: int, value: int) -> Callable[[Any], Any]:
        def make(X: Any) -> Any:
            matrix = kind(X)
            entries = getattr(matrix, part)
            entries[min(place, len(entries) - 1)] = value
            return matrix

        return make

    for kind in (sparse.csr_matrix, sparse.csc_array):
        name = kind.__name__
        yield f"{name}: indptr outside", change(kind, "indptr", 2, 10**6)
        yield f"{name}: indptr falls", change(kind, "indptr", 2, 0)
        yield f"{name}: indptr negative", change(kind, "indptr", 1, -(10**6))
        yield f"{name}: index outside", change(kind, "indices", 5, 10**6)
        yield f"{name}: index negative", change(kind, "indices", 5, -(10**6))
    yield "coo_array: index outside", change(sparse.coo_array, "row", 5, 10**6)


def estimator_calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """`fit` with each damage, and the methods of a model fitted to whole rows."""
    for kind in all_estimators():
        whole = example_of(kind)
        if whole._tags().text or "X" not in inspect.signature(kind.fit).parameters:  # type: ignore[attr-defined]
            continue
        problem = problem_for(whole)
        X = np.where(np.abs(problem.X) < 0.7, 0.0, problem.X)
        X = np.abs(X) if whole._tags().positive_only else X
        for name, damage in damaged():
            yield f"{kind.__name__}.fit, {name}", _fit(whole, damage, X, problem.y)
        try:
            model = clone(whole).fit(sparse.csr_array(X), problem.y)
        except Exception:
            continue  # takes no sparse rows at all
        for method in (*METHODS, "score", "apply", "kneighbors"):
            if hasattr(model, method):
                more = (problem.y,) if method == "score" else ()
                for name, damage in damaged():
                    yield (
                        f"{kind.__name__}.{method}, {name}",
                        _call(getattr(model, method), damage, X, more),
                    )


def function_calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every public function with a parameter X."""
    rng = np.random.default_rng(0)
    X = np.where(rng.uniform(size=(60, 4)) < 0.3, 0.0, rng.uniform(0.5, 2.0, (60, 4)))
    y = X @ np.arange(1.0, 5.0) + rng.standard_normal(60)
    for path, function in public_functions():
        if ".plot_" in path:
            continue  # they draw what estimators and functions computed
        settings = required(function, X, y)
        for name, damage in damaged():
            yield f"{path}, {name}", _keyword_call(function, settings, damage, X)


def target_calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Whatever takes labels as a sparse matrix of zeros and ones."""
    rng = np.random.default_rng(0)
    X, marks = rng.standard_normal((60, 4)), rng.integers(0, 2, (60, 4))
    binarizer = LabelBinarizer().fit(marks)
    sets = MultiLabelBinarizer().fit([range(4)])
    calls: dict[str, Callable[[Any], Any]] = {
        "accuracy_score": lambda Y: metrics.accuracy_score(marks, Y),
        "f1_score": lambda Y: metrics.f1_score(Y, marks, average="micro"),
        "hamming_loss": lambda Y: metrics.hamming_loss(Y, Y),
        "roc_auc_score": lambda Y: metrics.roc_auc_score(Y, X),
        "mean_squared_error": lambda Y: metrics.mean_squared_error(Y, Y),
        "DummyClassifier.fit": lambda Y: DummyClassifier().fit(X, Y),
        "DummyClassifier.score": lambda Y: DummyClassifier().fit(X, marks).score(X, Y),
        "LabelBinarizer.fit": lambda Y: LabelBinarizer().fit(Y),
        "LabelBinarizer.inverse_transform": binarizer.inverse_transform,
        "MultiLabelBinarizer.inverse_transform": sets.inverse_transform,
        "Ridge.fit": lambda Y: Ridge().fit(X, Y),
        "DecisionTreeClassifier.fit": lambda Y: DecisionTreeClassifier().fit(X, Y),
        "type_of_target": type_of_target,
        "StratifiedKFold.split": lambda Y: list(StratifiedKFold(2).split(X, Y)),
        "train_test_split": lambda Y: train_test_split(X, Y),
        "cross_val_score": lambda Y: cross_val_score(DummyClassifier(), X, Y),
        "quadratic_program": lambda Y: quadratic_program(
            np.eye(4), np.ones(4), A_ub=Y, b_ub=np.ones(60)
        ),
    }
    for name, call in calls.items():
        for kind, damage in damaged():
            yield f"{name}, {kind}", _call(call, damage, marks, ())


def public_functions() -> list[tuple[str, Callable[..., Any]]]:
    """Functions of public packages that take X, each once."""
    import stylobate

    found: dict[int, tuple[str, Callable[..., Any]]] = {}
    for module in _public_packages(stylobate):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isfunction(value) and "X" in inspect.signature(value).parameters:
                found.setdefault(id(value), (f"{module.__name__}.{name}", value))
    return sorted(found.values(), key=lambda pair: pair[0])


def required(function: Callable[..., Any], X: Any, y: Any) -> dict[str, Any]:
    """Arguments besides X that have no default."""
    classes = np.where(y > np.median(y), 1, 0)
    fitted = Ridge().fit(X, y)
    values = _OTHERS | {"y": y, "model": fitted, "residuals": y - fitted.predict(X)}
    values["labelings"] = {"halves": classes}
    values |= {"estimators": {"weak": Ridge(), "strong": Ridge(2.0)}, "features": [0]}
    values |= {
        "models": values["estimators"],
        "search": GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}),
    }
    given = {}
    for name, parameter in inspect.signature(function).parameters.items():
        plain = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if name != "X" and plain and parameter.default is parameter.empty:
            given[name] = values.get(name, classes)
    if function.__module__.startswith("stylobate.inspection") and "estimator" in given:
        given["estimator"] = fitted
    if function.__name__ in _LINEAR:
        given["model"] = LogisticRegression().fit(X, classes)
    if function.__name__ in _NETWORK:
        given |= {"model": MLPClassifier((2,), solver="lbfgs").fit(X, classes), "y": classes}
    if function.__name__ in _METRICS:
        given["metric"] = _METRICS[function.__name__]
    if "fit" in given:
        given["fit"] = LinearRegression().fit(X, y).linear_fit()
    return given


def _fit(whole: BaseEstimator, damage: Any, X: Any, y: Any) -> Callable[[], Any]:
    return lambda: clone(whole).fit(damage(X), y)  # type: ignore[attr-defined]


def _call(method: Any, damage: Any, X: Any, more: tuple[Any, ...]) -> Callable[[], Any]:
    return lambda: method(damage(X), *more)


def _keyword_call(function: Any, settings: Any, damage: Any, X: Any) -> Callable[[], Any]:
    def call() -> None:
        answer = function(X=damage(X), **settings)
        if inspect.isgenerator(answer):
            list(answer)

    return call


def outcome(call: Callable[[], Any]) -> str:
    """The name of the refusal; what else came of it."""
    try:
        call()
    except StylobateError as error:
        return type(error).__name__
    except Exception as error:
        return f"raw {type(error).__name__}: {error}"
    return "accepted"


def main(what: str, skip: int) -> None:
    warnings.simplefilter("ignore")
    kinds = {"estimators": estimator_calls, "functions": function_calls, "targets": target_calls}
    calls = kinds[what]()
    for number, (name, call) in enumerate(calls):
        if number >= skip:
            print(f"{number}\t{name}", end="\t", flush=True)
            print(outcome(call).replace("\n", " ").replace("\t", " "), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
