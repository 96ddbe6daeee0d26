"""Which way to the principal components, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.sources import memory_source
from stylobate.data import Table
from stylobate.decomposition.spectrum import (
    Centre,
    Spectrum,
    leading_spectrum,
    randomized_spectrum,
    spectrum_of_rows,
    spectrum_of_wide_rows,
)
from stylobate.optimize.eigenpairs import first_block
from stylobate.splits.splitter import generator
from stylobate.statistics import ColumnMoments, Source, rows_at_hand

AUTO_TOL = 1e-7  # relative residual: variances are then exact to 1e-14 where they are apart
AUTO_PRODUCTS = 24  # steps after which "auto" says how far it came
MOST_PRODUCTS = 2000
_LONG, _SAMPLED = 20_000, 16  # of so many rows every 16th is looked at first
_WIDE_ROWS = 500  # more than this, singular values of the rows cost much more than the Gram trick


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumRequest:
    """What is asked for.

    Parameters
    ----------
    wanted : int or float
        Components, or a share of the variance.
    solver : {"full", "arpack", "randomized"}
        Chosen way.
    free : bool
        Whether the choice was left to us.
    model : PCA
        Whose parameters say the rest.
    """

    wanted: Any
    solver: str
    free: bool
    model: Any


def centre_of(source: Source) -> Centre:
    """Mean and total variance of the columns, in one pass."""
    moments = source.compute(ColumnMoments)
    if (moments.count < moments.n_rows).any() and rows_at_hand(source):
        source.rows().refuse_nonfinite()  # streams are refused by their first product
    weight = float(moments.weight.max(initial=0.0))
    return Centre.of(moments.mean, moments.n_rows, weight, moments.length**2)


def chosen_solver(
    asked: str, n_components: Any, shape: tuple[int, int], *, sparse: bool
) -> tuple[str, Any, str]:
    """The way, the number of components with it, and why.

    >>> chosen_solver("auto", None, (1000, 20), sparse=False)[:2]
    ('covariance_eigh', 20)
    >>> chosen_solver("auto", 5, (2000, 1500), sparse=False)[:2]
    ('randomized', 5)
    """
    n, p = shape
    small = (p <= 1000 and n >= 10 * p) or max(shape) <= 500
    solver = "arpack" if asked == "auto" and sparse and not small else asked
    wanted = n_components
    if wanted is None:
        wanted = min(shape) - 1 if solver == "arpack" else min(shape)
    if solver != "auto":
        why = "a large sparse table is only multiplied" if asked == "auto" else "as asked for"
        return solver, wanted, f"{solver}: {why}"
    if p <= 1000 and n >= 10 * p:
        return "covariance_eigh", wanted, "covariance: tall rows, one pass"
    if small or wanted == "mle":
        return "full", wanted, "singular values of the rows: a small table"
    if 1 <= wanted < 0.8 * min(shape):
        return "randomized", wanted, "block Krylov iteration: few components of a large table"
    return "full", wanted, "singular values of the rows: nearly all components"


def solve(
    source: Source, table: Table | None, centre: Centre, request: SpectrumRequest, reason: str
) -> tuple[Spectrum, str]:
    """The spectrum by the chosen way, and what was done."""
    if request.solver == "full":
        assert table is not None
        return _all_pairs(table, centre, request, reason)
    k = int(request.wanted)
    model = request.model
    draws = generator(model.random_state)
    if request.solver == "randomized" and not request.free:
        return _subspace_iteration(source, table, centre, k, model, draws), reason
    start = first_block(draws, len(centre.mean), k)
    few = request.solver == "randomized"
    if few and table is not None and table.n_rows >= _LONG:
        start = _sampled_start(table, centre, start)
    tol = model.tol or (AUTO_TOL if few else 0.0)
    most = AUTO_PRODUCTS if few else MOST_PRODUCTS
    return leading_spectrum(source, centre, k, start, tol=tol, most_products=most), reason


def _sampled_start(table: Table, centre: Centre, start: Array) -> Array:
    """Directions that are good for some of the rows: they cost little and save a pass over all."""
    sample = memory_source(table.take(slice(None, None, _SAMPLED)))
    found = leading_spectrum(sample, centre, start.shape[1], start, tol=0.0, most_products=2)
    return np.ascontiguousarray(found.components.T)


def _all_pairs(
    table: Table, centre: Centre, request: SpectrumRequest, reason: str
) -> tuple[Spectrum, str]:
    n, p = table.x.shape
    if request.free and n < p and p > _WIDE_ROWS and not isinstance(request.wanted, str):
        whole = request.wanted >= 1
        found = spectrum_of_wide_rows(table, centre, int(request.wanted) if whole else n - 1)
        if found is not None:
            return found, "products of rows with rows: fewer rows than columns"
    return spectrum_of_rows(table, centre), reason


def _subspace_iteration(
    source: Source, table: Table | None, centre: Centre, k: int, model: Any, draws: Any
) -> Spectrum:
    n, p = centre.n_rows, len(centre.mean)
    size = k + model.n_oversamples
    steps = model.iterated_power
    if steps == "auto":
        steps = 7 if k < 0.1 * min(n, p) else 4
    normalizer = model.power_iteration_normalizer
    if normalizer == "auto":
        normalizer = "none" if steps <= 2 else "LU"
    if table is not None and n < p:
        start = _from_rows(table, centre, draws.normal(size=(table.n_rows, size)))
    else:
        start, steps = draws.normal(size=(p, size)), steps + 1
    return randomized_spectrum(source, centre, k, start, steps=steps, normalizer=normalizer)


def _from_rows(table: Table, centre: Centre, directions: Array) -> Array:
    """X_cᵀ W^½ G."""
    if table.weights is not None:
        directions = directions * np.sqrt(table.weights)[:, np.newaxis]
    return np.asarray(table.x.T @ directions) - np.outer(centre.mean, directions.sum(axis=0))
