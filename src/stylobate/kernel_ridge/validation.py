"""Predictions of rows that were left out of the fit, for all penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.kernel_ridge.spectrum import KernelSpectrum
from stylobate.kernel_ridge.system import KernelSystem
from stylobate.linear_model.shared.row_scores import Scoring, score_predictions
from stylobate.splits import Split


def leave_one_out_predictions(
    system: KernelSystem, spectrum: KernelSpectrum, y: Array, alphas: Array
) -> Array:
    """f₋ᵢ(xᵢ) of every row, n × alphas × targets; rows of weight 0 are in no fit."""
    errors = spectrum.leave_one_out(system.y, alphas)
    if system.roots is None:
        return np.asarray(y[:, None, :] - errors)
    roots = system.roots[:, :, None]
    without = roots[:, 0, 0] == 0.0
    predicted: Array = y[:, None, :] - errors / np.where(roots > 0.0, roots, 1.0)
    if without.any():
        dual = roots * spectrum.coefficients(system.y, alphas)
        request, rows = system.request, system.rows
        flat = np.where(np.isfinite(dual), dual, 0.0).reshape(len(y), -1)
        found = request.product(rows[np.flatnonzero(without)], rows, flat)
        predicted[without] = found.reshape(-1, *predicted.shape[1:])
    return predicted


def fold_scores(
    system: KernelSystem, table: Table, splits: Sequence[Split], alphas: Array, scoring: Scoring
) -> Array:
    """Scores of every penalty on every fold, alphas × folds; the kernel matrix serves them all."""
    assert table.y is not None
    matrix = replace(system, roots=None).matrix()
    scores = np.empty((len(alphas), len(splits)))
    for place, (train, test) in enumerate(splits):
        roots = np.ones((len(train), 1)) if system.roots is None else system.roots[train]
        part = matrix[np.ix_(train, train)]
        part *= roots
        part *= roots.T
        a = KernelSpectrum.of(part).coefficients(system.y[train], alphas)
        dual = (roots[:, :, None] * a).reshape(len(train), -1)
        with np.errstate(invalid="ignore"):
            predicted = matrix[np.ix_(test, train)] @ dual
        held_out = replace(
            table,
            x=table.x[test],
            y=np.ascontiguousarray(table.y[test]),
            weights=None if table.weights is None else table.weights[test],
        )
        shaped = predicted.reshape(len(test), len(alphas), -1)
        scores[:, place] = score_predictions(scoring, held_out, shaped, per_target=False)[:, 0]
    return scores
