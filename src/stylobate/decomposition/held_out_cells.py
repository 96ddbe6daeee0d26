"""Cross-validation of the number of components on cells that no fit has seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.statistics import Moments


def held_out_errors(
    parts: list[Moments], columns: list[NDArray[np.intp]], most: int
) -> tuple[Array, Array]:
    r"""Mean squared error of held-out blocks of cells, predicted from 0, 1, …, `most` components.

    For rows I and columns J held out (Gabriel's blocks), the components of the other rows and the
    other columns, :math:`V_kΛ_kV_k^\top`, predict

    .. math:: \hat X_{IJ} = X_{I,-J} V_k Λ_k^{-1} V_k^\top G_{-J,J}

    with G the scatter of the other rows. No cell of the block is used, which a row put back
    together from its own scores cannot say. All of it follows from the moments of the parts of the
    rows, so the rows are read once.

    Parameters
    ----------
    parts : list of Moments
        Of each part of the rows.
    columns : list of arrays
        The parts of the columns.
    most : int
        Largest number of components.

    Returns
    -------
    mean : array of shape (most + 1,)
        Per cell.
    error : array of shape (most + 1,)
        Standard error of the difference to the best number, over the parts of the rows.

    References
    ----------
    Gabriel (2002), Le biplot, outil d'exploration de données multidimensionnelles, JSFS 143.
    Owen & Perry (2009), Bi-cross-validation of the SVD and the nonnegative matrix factorization,
    Annals of Applied Statistics 3.
    """
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.merge(part)
    cells = np.array([part.weight for part in parts]) * whole.n_features
    sums = np.array([_of_part(part, whole.subtract(part), columns, most) for part in parts])
    per_cell = sums / cells[:, np.newaxis]
    mean = sums.sum(axis=0) / cells.sum()
    best = int(np.argmin(mean))
    apart = per_cell - per_cell[:, [best]]
    return mean, np.std(apart, axis=0, ddof=1) / np.sqrt(len(parts))


def _of_part(part: Moments, others: Moments, columns: list[NDArray[np.intp]], most: int) -> Array:
    shift = part.x_mean - others.x_mean
    held = part.xx + part.weight * np.outer(shift, shift)  # about the mean the others know
    errors = [_of_block(held, others.xx, block, most) for block in columns]
    return np.asarray(np.sum(errors, axis=0))


def _of_block(held: Array, known: Array, block: NDArray[np.intp], most: int) -> Array:
    """Squared errors of one block for 0, 1, … components."""
    rest = np.setdiff1d(np.arange(len(known)), block)
    values, vectors = interruptible(np.linalg.eigh, known[np.ix_(rest, rest)])
    order = np.argsort(values)[::-1]
    order = order[values[order] > 1e-12 * max(values.max(), 0.0)][:most]
    vectors = vectors[:, order]
    loadings = (vectors.T @ known[np.ix_(rest, block)]) / values[order, np.newaxis]
    cross = vectors.T @ held[np.ix_(rest, block)]
    inner = vectors.T @ held[np.ix_(rest, rest)] @ vectors
    products = loadings @ loadings.T
    gain = 2.0 * np.sum(loadings * cross, axis=1)
    # of the first k components: Σ_{i,j ≤ k} inner · products, a growing corner of a matrix
    corners = np.cumsum(np.cumsum(inner * products, axis=0), axis=1).diagonal()
    errors = np.trace(held[np.ix_(block, block)]) - np.cumsum(gain) + corners
    start = float(np.trace(held[np.ix_(block, block)]))
    errors = np.concatenate([[start], errors])
    return np.concatenate([errors, np.full(most + 1 - len(errors), errors[-1])])
