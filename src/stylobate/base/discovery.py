"""Find every public estimator of a package, so that no list has to be kept."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

from stylobate.base.estimator import BaseEstimator


def all_estimators(package: ModuleType | None = None) -> list[type[BaseEstimator]]:
    """Every public estimator class, sorted by name.

    A class counts if it derives from `BaseEstimator`, has a `fit`, is not abstract, and is listed
    in the ``__all__`` of a public subpackage. Estimators that are made for columns known
    beforehand (``_for_given_columns``) are left out: no table would fit an example of them.

    Parameters
    ----------
    package : module, optional
        Where to look; stylobate itself by default.

    Returns
    -------
    list of type
        Without repetition.

    Examples
    --------
    >>> all(issubclass(each, BaseEstimator) for each in all_estimators())
    True
    """
    import stylobate

    found = {
        value
        for module in _public_packages(package or stylobate)
        for name in getattr(module, "__all__", ())
        if _is_estimator(value := getattr(module, name))
    }
    return sorted(found, key=lambda each: each.__name__)


def _public_packages(package: ModuleType) -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(package.__path__, prefix=f"{package.__name__}."):
        name = info.name.rpartition(".")[2]
        if info.ispkg and not name.startswith("_") and name != "cli":  # cli holds commands only
            module = importlib.import_module(info.name)
            yield module
            yield from _public_packages(module)


def _is_estimator(value: object) -> bool:
    return (
        inspect.isclass(value)
        and issubclass(value, BaseEstimator)
        and callable(getattr(value, "fit", None))
        and not _is_abstract(value)
        and not getattr(value, "_for_given_columns", False)
    )


def _is_abstract(kind: type) -> bool:
    """Whether a method is still declared abstract; also without ABCMeta, which marks the class."""
    methods = (getattr(kind, name, None) for name in dir(kind))
    return any(getattr(method, "__isabstractmethod__", False) for method in methods)
