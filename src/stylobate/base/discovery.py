"""Find every public estimator of a package, so that no list has to be kept."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

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


def estimators_declaring(attribute: str) -> list[type[BaseEstimator]]:
    """Estimators of stylobate whose own class says an attribute; the others are not loaded.

    Loading every module takes seconds; those that may say the attribute are known by their text.
    Where modules have no text (compiled ones alone), every public estimator is looked at.

    Parameters
    ----------
    attribute : str
        Assigned in the body of the class.

    Returns
    -------
    list of type
        Sorted by name.

    Examples
    --------
    >>> "Ridge" in [each.__name__ for each in estimators_declaring("_study_role")]
    True
    """
    import stylobate

    roots = [Path(each) for each in stylobate.__path__]
    files = [(root, file) for root in roots for file in root.rglob("*.py")]
    if not files:
        return [each for each in all_estimators() if attribute in vars(each)]
    needle = f" {attribute} = ".encode()
    found = set()
    for root, file in files:
        if needle in file.read_bytes():
            place = ".".join(file.relative_to(root).with_suffix("").parts)
            name = f"stylobate.{place}".removesuffix(".__init__")
            held = vars(importlib.import_module(name)).values()
            found |= {
                each
                for each in held
                if _is_estimator(each) and each.__module__ == name and attribute in vars(each)
            }
    return sorted(found, key=lambda each: each.__name__)


def _public_packages(package: ModuleType) -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(package.__path__, prefix=f"{package.__name__}."):
        name = info.name.rpartition(".")[2]
        if info.ispkg and not name.startswith("_") and name != "cli":  # cli holds commands only
            module = importlib.import_module(info.name)
            yield module
            yield from _public_packages(module)


def _is_estimator(value: object) -> TypeGuard[type[BaseEstimator]]:
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
