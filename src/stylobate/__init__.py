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

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from . import (
        base,
        cluster,
        compose,
        config,
        covariance,
        data,
        datasets,
        decision,
        discriminant_analysis,
        distances,
        dummy,
        engines,
        ensemble,
        exceptions,
        exploration,
        feature_extraction,
        feature_selection,
        formula,
        impute,
        inference,
        inspection,
        kernel_approximation,
        kernels,
        likelihood,
        linear_model,
        losses,
        metrics,
        mixture,
        model_selection,
        naive_bayes,
        neighbors,
        optimize,
        penalties,
        pipeline,
        plot,
        preprocessing,
        report,
        sources,
        splits,
        statistics,
        storage,
        study,
        testing,
        tree,
    )
    from .base import clone
    from .config import config_context, get_config, set_config
    from .data.reading import read
    from .data.streams.console import progress
    from .exploration import describe_clusters, explore
    from .parallel import get_threads, set_threads, threads
    from .storage import load, save
    from .study import Study

__version__ = "0.1.0"

__all__ = [
    "Study",
    "__version__",
    "base",
    "clone",
    "cluster",
    "compose",
    "config",
    "config_context",
    "covariance",
    "data",
    "datasets",
    "decision",
    "describe_clusters",
    "discriminant_analysis",
    "distances",
    "dummy",
    "engines",
    "ensemble",
    "exceptions",
    "exploration",
    "explore",
    "feature_extraction",
    "feature_selection",
    "formula",
    "get_config",
    "get_threads",
    "impute",
    "inference",
    "inspection",
    "kernel_approximation",
    "kernels",
    "likelihood",
    "linear_model",
    "load",
    "losses",
    "metrics",
    "mixture",
    "model_selection",
    "naive_bayes",
    "neighbors",
    "optimize",
    "penalties",
    "pipeline",
    "plot",
    "preprocessing",
    "progress",
    "read",
    "report",
    "save",
    "set_config",
    "set_threads",
    "sources",
    "splits",
    "statistics",
    "storage",
    "study",
    "testing",
    "threads",
    "tree",
]

_MODULES = (
    "base",
    "cluster",
    "compose",
    "config",
    "covariance",
    "data",
    "datasets",
    "decision",
    "discriminant_analysis",
    "distances",
    "dummy",
    "engines",
    "ensemble",
    "exceptions",
    "exploration",
    "feature_extraction",
    "feature_selection",
    "formula",
    "impute",
    "inference",
    "inspection",
    "kernel_approximation",
    "kernels",
    "likelihood",
    "linear_model",
    "losses",
    "metrics",
    "mixture",
    "model_selection",
    "naive_bayes",
    "neighbors",
    "optimize",
    "penalties",
    "pipeline",
    "plot",
    "preprocessing",
    "report",
    "sources",
    "splits",
    "statistics",
    "storage",
    "study",
    "testing",
    "tree",
)
_NAMES = {
    "Study": "study",
    "clone": "base",
    "config_context": "config",
    "describe_clusters": "exploration",
    "explore": "exploration",
    "get_config": "config",
    "get_threads": "parallel",
    "load": "storage",
    "progress": "data.streams.console",
    "read": "data.reading",
    "save": "storage",
    "set_config": "config",
    "set_threads": "parallel",
    "threads": "parallel",
}
__getattr__, __dir__ = lazy_names(__name__, dict.fromkeys(_MODULES) | _NAMES)
