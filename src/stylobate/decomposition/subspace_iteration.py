"""Power and subspace iteration, step by step: to watch how components are found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.sources import memory_source
from stylobate.data import read_table
from stylobate.decomposition.pca_solvers import centre_of
from stylobate.decomposition.spectrum import multiplication, signed
from stylobate.exceptions import InvalidParameterError
from stylobate.splits.splitter import generator


@dataclass(frozen=True, slots=True, eq=False)
class SubspaceState:
    """Where an iteration stands.

    Parameters
    ----------
    step : int
        Products with the covariance so far.
    variances : array of shape (k,)
        Rayleigh quotients.
    components : array of shape (k, p)
    residuals : array of shape (k,)
        How far each is from an eigenpair.
    """

    step: int
    variances: Array
    components: Array
    residuals: Array


def subspace_iterations(
    X: Any,
    n_components: int = 1,
    *,
    tol: float = 1e-10,
    max_iter: int = 1000,
    random_state: Any = None,
) -> Iterator[SubspaceState]:
    r"""Iterate :math:`V \leftarrow \mathrm{orth}(CV)` and give the state after every step.

    With one component this is power iteration: the angle to the first component shrinks by
    :math:`λ_2/λ_1` a step. It is here to be watched; `PCA` needs far fewer products.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.
    n_components : int in [1, n_features], default=1
        Directions that are iterated together.
    tol : float in [0, inf), default=1e-10
        Relative residual at which the iteration ends.
    max_iter : int in [1, inf), default=1000
        Most steps.
    random_state : int, RandomState or None, default=None
        Seed of the first directions.

    Yields
    ------
    SubspaceState

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=(100, 3)) * [3.0, 2.0, 1.0]
    >>> states = list(subspace_iterations(x, random_state=0))
    >>> bool((np.diff([state.variances[0] for state in states]) >= -1e-9).all())
    True
    """
    table = read_table(X, owner="subspace_iterations", accept_sparse=True)
    p = table.n_features
    if not isinstance(n_components, int | np.integer) or not 1 <= n_components <= p:
        raise InvalidParameterError(
            f"subspace_iterations: n_components must be an integer in [1, {p}], got "
            f"{n_components!r}."
        )
    source = memory_source(table)
    centre = centre_of(source)
    multiply = multiplication(source, centre)
    start = generator(random_state).normal(size=(p, n_components))
    return _states(multiply, start, centre.divisor, tol, max_iter)


def _states(
    multiply: Any, start: Array, divisor: float, tol: float, max_iter: int
) -> Iterator[SubspaceState]:
    block = np.linalg.qr(start)[0]
    for step in range(1, max_iter + 1):
        image = multiply(block) / divisor
        values, turn = np.linalg.eigh((block.T @ image + image.T @ block) / 2.0)
        vectors, values = (block @ turn)[:, ::-1], values[::-1]
        residuals = np.linalg.norm((image @ turn)[:, ::-1] - vectors * values, axis=0)
        yield SubspaceState(step, values, signed(vectors.T), residuals)
        if residuals.max() <= tol * max(float(values[0]), 0.0):
            return
        block = np.linalg.qr(image)[0]
