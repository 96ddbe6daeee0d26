"""Which of scikit-learn's public names are ours too, and how their parameters differ."""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

THEIRS = "sklearn"
OURS = "stylobate"

# Imports for their side effect alone: what they switch on needs no switch here.
SWITCHES = {
    ("sklearn.experimental", "enable_iterative_imputer"): ("sklearn.impute", "IterativeImputer"),
    ("sklearn.experimental", "enable_halving_search_cv"): (
        "sklearn.model_selection",
        "HalvingGridSearchCV",
    ),
    ("sklearn.experimental", "enable_hist_gradient_boosting"): (
        "sklearn.ensemble",
        "HistGradientBoostingClassifier",
    ),
}


def our_path(path: str) -> str:
    """The path of ours that stands for one of theirs.

    >>> our_path("sklearn.linear_model.Ridge")
    'stylobate.linear_model.Ridge'
    """
    return OURS + path.removeprefix(THEIRS)


@cache
def module_named(path: str) -> ModuleType | None:
    """A module, or None where there is none."""
    try:
        return import_module(path)
    except ImportError:
        return None


@cache
def our_object(module: str, name: str) -> Any:
    """What ``from module import name`` gives when the module is ours; None where we lack it.

    >>> our_object("sklearn.linear_model", "Ridge").__name__
    'Ridge'
    """
    home = module_named(our_path(module))
    if home is None:
        return None
    found = getattr(home, name, None)
    return module_named(f"{our_path(module)}.{name}") if found is None else found


def is_switch(module: str, name: str) -> bool:
    """Whether an import only switches on what is always there here."""
    needs = SWITCHES.get((module, name))
    return needs is not None and our_object(*needs) is not None


def nearest(module: str, name: str) -> str | None:
    """A public name of ours in the same package that is spelt alike."""
    home = module_named(our_path(module))
    close = get_close_matches(name, dir(home), n=1, cutoff=0.8) if home is not None else []
    return f"{our_path(module)}.{close[0]}" if close else None


def parameters_of(thing: Any) -> dict[str, inspect.Parameter] | None:
    """Parameters by name; None for what takes any, or cannot be called."""
    try:
        found = dict(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return None
    open_ended = any(each.kind is each.VAR_KEYWORD for each in found.values())
    return None if open_ended else found


def other_defaults(module: str, name: str) -> dict[str, tuple[Any, Any]]:
    """Parameters whose default is another here, as (theirs, ours); needs scikit-learn."""
    home = module_named(module)
    theirs = parameters_of(getattr(home, name, None)) if home is not None else None
    ours = parameters_of(our_object(module, name))
    if theirs is None or ours is None:
        return {}
    shared = [each for each in theirs if each in ours]
    return {
        each: (theirs[each].default, ours[each].default)
        for each in shared
        if not _same(theirs[each].default, ours[each].default)
    }


def _same(one: Any, other: Any) -> bool:
    """Whether two defaults mean the same: of equal text (NaN is), or both functions or classes."""
    if callable(one) and callable(other):
        return True
    return type(one) is type(other) and repr(one) == repr(other)
