"""Which classes and functions a model file may name: ours, found by walking the package.

A name in a file is looked up in a table of our own modules; nothing that is not in it is ever
imported, and of what is found only values are built, never anything called.
"""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

from stylobate.exceptions import ModelFileError
from stylobate.storage.former_names import present_name

_ROOT = "stylobate"
# packages that hold no part of a model: commands, pictures, pages, readers of files, checks
_WITHOUT_MODELS = {
    "stylobate._core",
    "stylobate.cli",
    "stylobate.data.reading",
    "stylobate.exploration",
    "stylobate.plot",
    "stylobate.report",
    "stylobate.sources",
    "stylobate.study.page",
    "stylobate.testing",
}
# classes that are neither estimators nor dataclasses nor named tuples, and part of models
_PLAIN = {
    "stylobate.compose.selector": {"make_column_selector"},
    "stylobate.datasets.bunch": {"Bunch"},
    "stylobate.decision.costs": {"CostMatrix"},
    "stylobate.metrics.classification.confusion_counts": {"ConfusionMatrix"},
    "stylobate.metrics.scoring.scorers": {"BuiltInScore", "ManyScorers", "Scorer"},
    "stylobate.model_selection.search.parameter_grid": {"ParameterGrid"},
    "stylobate.neighbors.indexes.callable_tree": {"CallableTree"},
    "stylobate.neighbors.indexes.trees": {"TreeIndex"},
    "stylobate.neural_network.network": {"Network"},
}
_PLAIN_ROOTS = ("Kernel", "Part", "Splitter", "WeightRule")  # and every class derived from these
# packages whose functions are values of parameters: metrics, scores of features, kernels
_WITH_FUNCTIONS = ("metrics", "feature_selection", "kernels", "preprocessing", "covariance")


@cache
def modules() -> frozenset[str]:
    """Names of our modules that may hold parts of models, from the files of the package.

    >>> "stylobate.linear_model" in modules(), "stylobate.cli.app" in modules()
    (True, False)
    """
    folder = Path(__file__).parent.parent
    return frozenset(_walk([str(folder)], _ROOT))


def _walk(folders: list[str], prefix: str) -> Iterator[str]:
    for found in pkgutil.iter_modules(folders):
        name = f"{prefix}.{found.name}"
        if name in _WITHOUT_MODELS:
            continue
        yield name
        if found.ispkg:
            yield from _walk([str(Path(folder) / found.name) for folder in folders], name)


def name_of(kind: Any) -> str | None:
    """What a class or function of ours is called in files: the shortest public name it has.

    None for what is not part of the library. A public name outlives a move between modules.

    >>> from stylobate.linear_model import Ridge
    >>> name_of(Ridge), name_of(dict)
    ('stylobate.linear_model.Ridge', None)
    """
    home = getattr(kind, "__module__", None)
    name = getattr(kind, "__qualname__", "")
    if not isinstance(home, str) or home not in modules() or "." in name:
        return None
    parts = home.split(".")
    for length in range(2, len(parts)):
        package = ".".join(parts[:length])
        if package in modules() and _public(package, name) is kind:
            return f"{package}.{name}"
    return f"{home}.{name}" if getattr(import_module(home), name, None) is kind else None


def _public(module: str, name: str) -> Any:
    found = import_module(module)
    return getattr(found, name, None) if name in getattr(found, "__all__", ()) else None


def _named(name: object) -> Any:
    """What one of our modules calls so; None if nothing is."""
    if not isinstance(name, str):
        return None
    module, _, own = name.rpartition(".")
    if module not in modules():
        return None
    return _public(module, own) or vars(import_module(module)).get(own)


def class_named(name: object) -> type[Any]:
    """The class of ours a file names.

    Raises
    ------
    ModelFileError
        If there is none, or one that is no part of models.
    """
    name = present_name(str(name))
    found = _named(name)
    if not isinstance(found, type) or name_of(found) != name or not is_storable(found):
        raise ModelFileError(
            f"The file asks for {str(name)[:100]!r}, which is no estimator or value of this "
            "version of stylobate; a newer version may know it."
        )
    return found


def function_named(name: object) -> Any:
    """The function of ours, or ufunc of NumPy or SciPy, that a file names."""
    foreign = str(name).startswith(("numpy.", "scipy."))
    found = _ufunc(name) or _reduction(name) if foreign else _named(name)
    if found is None or function_name(found) != name:
        raise ModelFileError(
            f"The file asks for a function {str(name)[:100]!r}; only metrics, scores and kernels "
            "of stylobate, elementwise functions of NumPy, its mean, median, sum, min and max can "
            "be part of a model file."
        )
    return found


def function_name(function: Any) -> str | None:
    """What a function is called in files; None if it is not one a file may name.

    >>> import numpy as np
    >>> function_name(np.log1p), function_name(print)
    ('numpy.log1p', None)
    """
    if type(function).__name__ == "ufunc":
        names = (f"{home}.{function.__name__}" for home in ("numpy", "scipy.special"))
        return next((name for name in names if _ufunc(name) is function), None)
    reduction = f"numpy.{getattr(function, '__name__', '')}"
    if _reduction(reduction) is function and function is not None:
        return reduction
    if not isinstance(function, FunctionType):
        return None
    name = name_of(function)
    allowed = name is not None and name.split(".")[1] in _WITH_FUNCTIONS
    return name if allowed and not function.__name__.startswith("_") else None


def _reduction(name: object) -> Any:
    """NumPy's functions that pool columns; they call nothing and read nothing but their array."""
    module, _, own = str(name).rpartition(".")
    if module != "numpy" or own not in ("mean", "median", "sum", "min", "max"):
        return None
    return getattr(import_module(module), own)


def _ufunc(name: object) -> Any:
    module, _, own = str(name).rpartition(".")
    if module not in ("numpy", "scipy.special"):
        return None
    found = getattr(import_module(module), own, None)
    return found if type(found).__name__ == "ufunc" else None


def is_storable(kind: type[Any]) -> bool:
    """Whether values of a class may be part of a model file."""
    if is_estimator(kind):
        return not inspect.isabstract(kind)
    return (
        dataclasses.is_dataclass(kind)
        or is_named_tuple(kind)
        or kind.__name__ in _PLAIN.get(kind.__module__, ())
        or any(
            root.__name__ in _PLAIN_ROOTS and root.__module__ in modules() for root in kind.mro()
        )
    )


def is_estimator(kind: type[Any]) -> bool:
    """Whether a class is one of our estimators."""
    base = import_module(f"{_ROOT}.base.estimator").BaseEstimator
    return isinstance(kind, type) and issubclass(kind, base)


def is_named_tuple(kind: type[Any]) -> bool:
    """Whether a class is a named tuple."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields")
