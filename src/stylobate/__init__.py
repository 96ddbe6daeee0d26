"""Stylobate: the floor that columns stand on.

Statistics and machine learning for tables, under the names scikit-learn's users know, at the speed
of specialised tools, with a certificate on every answer.

>>> from stylobate.datasets import load_penguins
>>> from stylobate.linear_model import LinearRegression
>>> X, y = load_penguins(target="body_mass_g", return_X_y=True)
>>> model = LinearRegression().fit(X, y)
>>> model.certificate_.optimal
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .parallel import get_threads, set_threads, threads

if TYPE_CHECKING:
    from . import (
        base,
        config,
        data,
        datasets,
        exceptions,
        inference,
        linear_model,
        model_selection,
        optimize,
        sources,
        statistics,
        testing,
    )
    from .base import clone
    from .config import config_context, get_config, set_config

__version__ = "0.1.0"

# Loaded when first used, so that `import stylobate` costs little more than NumPy.
_MODULES = frozenset(
    {
        "base",
        "config",
        "data",
        "datasets",
        "exceptions",
        "inference",
        "linear_model",
        "model_selection",
        "optimize",
        "sources",
        "statistics",
        "testing",
    }
)
_NAMES = {
    "clone": "base",
    "config_context": "config",
    "get_config": "config",
    "set_config": "config",
}

__all__ = [
    "__version__",
    "base",
    "clone",
    "config",
    "config_context",
    "data",
    "datasets",
    "exceptions",
    "get_config",
    "get_threads",
    "inference",
    "linear_model",
    "model_selection",
    "optimize",
    "set_config",
    "set_threads",
    "sources",
    "statistics",
    "testing",
    "threads",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name in _NAMES:
        return getattr(import_module(f".{_NAMES[name]}", __name__), name)
    raise AttributeError(f"module 'stylobate' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
