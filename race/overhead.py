"""What a call costs on a table of 100 × 5: every shared estimator against scikit-learn's.

``python -m race.overhead``                 the table, worst first
``python -m race.overhead --only Ridge``    names that contain a word
``python -m race.overhead --repeats 30``    more repeats (default 12)

Both fit the same rows by turns in one process with one thread; the least CPU time of each counts.
Goal: median at most 1.0 ×, worst at most 1.5 ×.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import statistics
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

PACKAGES = (
    "calibration", "cluster", "covariance", "cross_decomposition", "decomposition",
    "discriminant_analysis", "dummy", "ensemble", "feature_selection", "impute", "isotonic",
    "kernel_approximation", "kernel_ridge", "linear_model", "manifold", "mixture",
    "model_selection", "multiclass", "multioutput", "naive_bayes", "neighbors", "neural_network",
    "preprocessing", "random_projection", "semi_supervised", "svm", "tree",
)  # fmt: skip
ASKS = ("predict", "transform")
BUDGET = 0.3  # seconds that the repeats of one call may take


@dataclass(frozen=True)
class Overhead:
    """Milliseconds of one call, ours and scikit-learn's."""

    name: str
    method: str
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def shared() -> Iterator[tuple[str, type[Any], type[Any]]]:
    """Names of estimators that both packages have, with both classes."""
    for package in PACKAGES:
        ours = importlib.import_module(f"stylobate.{package}")
        theirs = importlib.import_module(f"sklearn.{package}")
        for name in sorted(set(dir(theirs)) & set(ours.__all__)):
            pair = getattr(ours, name), getattr(theirs, name)
            if all(inspect.isclass(each) and hasattr(each, "fit") for each in pair):
                yield name, *pair


def made(kind: type[Any], bases: Any) -> Any:
    """An estimator by its defaults, or around a small tree where it needs one to work with."""
    names = inspect.signature(kind).parameters
    needed = [p.name for p in names.values() if p.default is p.empty]
    around = {
        "estimator": bases.DecisionTreeClassifier(max_depth=2),
        "base_estimator": bases.DecisionTreeClassifier(max_depth=2),
        "estimators": [("a", bases.DecisionTreeClassifier(max_depth=2))],
        "param_grid": {"max_depth": [1, 2]},
        "param_distributions": {"max_depth": [1, 2]},
        "n_iter": 2,
    }
    chosen = {name: around[name] for name in needed if name in around}
    if "n_iter" in names and "param_distributions" in names:
        chosen["n_iter"] = 2
    return kind(**chosen)


def tables() -> Iterator[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any] | None]]:
    """Rows with targets of several kinds, the first that an estimator takes is used."""
    rng = np.random.RandomState(0)
    x = rng.normal(size=(100, 5))
    y = x @ np.arange(1.0, 6.0) + rng.normal(size=100)
    for rows in (x, np.abs(x), (np.abs(x) * 3).astype(int).astype(float), x[:, :1]):
        yield rows, (y > 0).astype(int)
        yield rows, np.abs(y) + 0.1
        yield rows, np.column_stack([y > 0, y > 1]).astype(int)
    yield (y > 0).astype(int), None


def least(calls: Sequence[Callable[[], Any]], repeats: int) -> list[float]:
    """The least CPU time of each call in milliseconds, by turns."""
    best = [np.inf] * len(calls)
    spent = 0.0
    for turn in range(repeats):
        for number, call in enumerate(calls):
            begun = time.process_time()
            call()
            taken = time.process_time() - begun
            best[number], spent = min(best[number], taken), spent + taken
        if spent > BUDGET and turn > 1:
            break
    return [1e3 * each for each in best]


def measured(name: str, ours: type[Any], theirs: type[Any], repeats: int) -> list[Overhead]:
    """The costs of `fit` and of what is asked of it; none where no table suits both."""
    import sklearn.tree

    import stylobate.tree

    for x, y in tables():
        given = (x,) if y is None else (x, y)
        try:
            pair = made(ours, stylobate.tree), made(theirs, sklearn.tree)
            calls: dict[str, list[Callable[[], Any]]] = {
                "fit": [partial(model.fit, *given) for model in pair]
            }
            for call in calls["fit"]:
                call()
            for method in ASKS:
                if all(hasattr(model, method) for model in pair):
                    calls[method] = [partial(getattr(model, method), x) for model in pair]
            for call in [call for each in calls.values() for call in each]:
                call()
        except (ValueError, TypeError, AttributeError):
            continue  # these rows do not suit both
        return [Overhead(name, method, *least(each, repeats)) for method, each in calls.items()]
    return []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--repeats", type=int, default=12)
    options = parser.parse_args()
    import stylobate

    stylobate.set_threads(1)
    found: list[Overhead] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, ours, theirs in shared():
                if options.only in name:
                    each = measured(name, ours, theirs, options.repeats)
                    found += each
                    if not each:
                        print(f"{name}: no table suits both")
    except KeyboardInterrupt:
        print("Stopped; measured so far:")
    show(found)


def show(found: list[Overhead]) -> None:
    """The table, the worst first, and what it comes to."""
    for each in sorted(found, key=lambda each: -each.ratio):
        print(
            f"{each.name + '.' + each.method:44} {each.ours:9.3f} ms {each.theirs:9.3f} ms "
            f"{each.ratio:6.2f} ×"
        )
    if found:
        ratios = [each.ratio for each in found]
        print(
            f"{len(found)} calls of {len({each.name for each in found})} names: median "
            f"{statistics.median(ratios):.2f} ×, worst {max(ratios):.2f} ×, "
            f"{sum(r <= 1.5 for r in ratios)} within 1.5 ×"
        )


if __name__ == "__main__":
    main()
