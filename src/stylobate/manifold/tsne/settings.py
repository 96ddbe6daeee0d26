"""What the parameters of t-SNE come to for given rows: the method, the stages, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.manifold.tsne.descent import EXPLORATION_ITERATIONS, Stage

MOST_DIMENSIONS = 32
_EXACT_UP_TO = 1000  # rows; beyond, the grid is quicker than all pairs
_LEAST_RATE = 50.0


def perplexities_of(perplexity: Any) -> Array:
    """One or more perplexities as an array."""
    return np.atleast_1d(np.asarray(perplexity, dtype=np.float64))


def chosen_method(method: str, n: int, d: int) -> str:
    """How repulsion of n points in d dimensions is computed.

    >>> chosen_method("auto", 500, 2), chosen_method("auto", 50_000, 2)
    ('exact', 'fft')
    """
    limit = {"barnes_hut": 3, "fft": 2}.get(method, d)
    if d > limit:
        raise InvalidParameterError(
            f"TSNE: 'n_components' should be inferior to {limit + 1} for the {method} "
            f"algorithm as it relies on a tree or grid, got {d}; use method='exact'."
        )
    if method != "auto":
        return method
    return "exact" if n <= _EXACT_UP_TO or d > 3 else ("fft" if d < 3 else "barnes_hut")


def learning_rates(rate: Any, n: int, exaggeration: float) -> tuple[float, float]:
    """With exaggeration, and after it.

    Steps are stable while rate · exaggeration is about n / 4 (gradients have a factor 4), so that
    they can be longer by that factor once the exaggeration ends.

    >>> learning_rates("auto", 12_000, 12.0)
    (250.0, 3000.0)
    """
    if rate != "auto":
        return rate, rate
    return max(n / exaggeration / 4.0, _LEAST_RATE), max(n / 4.0, _LEAST_RATE)


def stages_of(model: Any, *, warm: bool) -> list[Stage]:
    """With exaggeration and without; the latter alone from a map that is there."""
    patience = model.n_iter_without_progress
    late = Stage(model.max_iter, 1.0, 0.8, model.late_learning_rate_, patience)
    early = Stage(
        EXPLORATION_ITERATIONS,
        float(model.early_exaggeration),
        0.5,
        model.learning_rate_,
        EXPLORATION_ITERATIONS,
    )
    return [late] if warm else [early, late]


def refuse_rows(model: Any, rows: Any, *, given: bool) -> None:
    """Refuse rows and parameters that do not fit together; ``given``: rows are distances."""
    n = rows.shape[0]
    if n < 2:
        raise InvalidDataError(
            f"TSNE: Found array with {n} sample(s) (shape={rows.shape}) while a minimum of 2 is "
            "required by TSNE."
        )
    if float(perplexities_of(model.perplexity).max()) >= n:
        raise InvalidParameterError(
            f"TSNE: perplexity ({model.perplexity}) must be less than n_samples ({n})."
        )
    if model.n_components > MOST_DIMENSIONS:
        raise InvalidParameterError(
            f"TSNE: n_components must be at most {MOST_DIMENSIONS}, got {model.n_components}."
        )
    if given:
        _refuse_distances(model, rows)


def _refuse_distances(model: Any, distances: Any) -> None:
    if isinstance(model.init, str) and model.init == "pca":
        raise InvalidParameterError(
            'TSNE: The parameter init="pca" cannot be used with metric="precomputed"; use '
            'init="random" or an array.'
        )
    if distances.shape[0] != distances.shape[1]:
        raise InvalidDataError(
            f"TSNE: X should be a square distance matrix, got shape {distances.shape}."
        )
    if distances.min() < 0:
        raise InvalidDataError(
            "TSNE: Negative values in data passed to TSNE.fit(). With metric='precomputed', X "
            "should contain positive distances."
        )
    if model.method == "exact" and is_sparse(distances):
        raise TypeError(
            'TSNE with method="exact" does not accept sparse precomputed distance matrix. Use '
            'method="barnes_hut" or provide the dense distance matrix.'
        )
