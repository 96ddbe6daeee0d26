"""Codes of many rows over one dictionary: all start from its Gram."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidParameterError, NumericalError, joined
from stylobate.parallel import blas_for

ALGORITHMS = ("lasso_lars", "lasso_cd", "lars", "omp", "threshold")
_WAYS = {"omp": "matching", "lars": "least_angle"}
_TOL = {"lasso_cd": 1e-8, "lasso_lars": 1e-12}  # duality gap, as a share of the objective
_BATCH_CELLS = 1 << 23  # codes solved at once, so that what the solver returns stays small


@dataclass(frozen=True, slots=True)
class CodingRequest:
    """How rows are coded.

    Parameters
    ----------
    algorithm : str
        One of `ALGORITHMS`.
    alpha : float
        Penalty, or threshold.
    most : int
        Atoms of a code, of "lars" and "omp".
    max_iter : int
        Epochs at most, of the lasso.
    positive : bool
        Whether codes are kept non-negative.
    """

    algorithm: str
    alpha: float = 1.0
    most: int = 1
    max_iter: int = 1000
    positive: bool = False

    @classmethod
    def of(
        cls,
        algorithm: str,
        shape: tuple[int, int],
        *,
        alpha: float | None = None,
        n_nonzero_coefs: int | None = None,
        max_iter: int = 1000,
        positive: bool = False,
    ) -> CodingRequest:
        """With scikit-learn's defaults, for a dictionary of this shape."""
        refuse_positive(algorithm, positive)
        atoms, features = shape
        most = n_nonzero_coefs
        if most is None:
            most = int(min(max(features / 10, 1), atoms))
        return cls(algorithm, 1.0 if alpha is None else float(alpha), most, max_iter, positive)


def refuse_positive(algorithm: str, positive: bool) -> None:
    """Greedy codes cannot be kept non-negative."""
    if positive and algorithm in ("omp", "lars"):
        raise InvalidParameterError(
            f"Positive constraint not supported for '{algorithm}' coding method."
        )


def sparse_codes(
    x: Array,
    dictionary: Array,
    request: CodingRequest,
    *,
    gram: Array | None = None,
    products: Array | None = None,
    start: Array | None = None,
    owner: str = "sparse_encode",
) -> Array:
    """The codes (n × atoms) of rows, in double precision.

    >>> import numpy as np
    >>> sparse_codes(np.array([[3.0, -0.5]]), np.eye(2), CodingRequest("threshold", 1.0))
    array([[ 2., -0.]])
    """
    n, atoms = len(x), len(dictionary)
    codes = np.zeros((n, atoms))
    if request.algorithm != "threshold" and gram is None:
        with blas_for(atoms):
            gram = dictionary @ dictionary.T
        _refuse_overflow(gram, owner)
    step = max(_BATCH_CELLS // max(atoms, 1), 1)
    missed = 0
    for first in range(0, n, step):
        part = slice(first, first + step)
        rows = x[part]
        with blas_for(atoms):
            known = rows @ dictionary.T if products is None else products[part]
        _refuse_overflow(known, owner)
        if request.algorithm == "threshold":
            codes[part] = _thresholded(known, request)
        elif request.algorithm in _WAYS:
            way = _WAYS[request.algorithm]
            codes[part] = _core.pursue(packed(gram), packed(known), request.most, way)
        else:
            begun = None if start is None else start[part]
            codes[part], late = _lassos(rows, packed(gram), packed(known), request, begun)
            missed += late
    if missed and request.algorithm == "lasso_cd":
        _warn(owner, missed, request)
    return codes


def _refuse_overflow(products: Array, owner: str) -> None:
    if not np.isfinite(products).all():
        raise NumericalError(
            f"{owner}: products of rows and atoms exceed what double precision can hold (about "
            "1e308); divide the large columns by a constant first."
        )


def packed(array: Any) -> Array:
    return np.ascontiguousarray(array, dtype=np.float64)


def _thresholded(products: Array, request: CodingRequest) -> Array:
    codes = np.sign(products) * np.maximum(np.abs(products) - request.alpha, 0.0)
    return np.maximum(codes, 0.0) if request.positive else codes


def _lassos(
    rows: Array, gram: Array, products: Array, request: CodingRequest, start: Array | None
) -> tuple[Array, int]:
    """½‖x − cD‖² + α‖c‖₁ of every row by coordinate descent; how many missed the tolerance."""
    n, atoms = products.shape
    if request.max_iter == 0:
        return (np.zeros((n, atoms)) if start is None else start), n
    if n == 0 or atoms == 0:
        return np.zeros((n, atoms)), 0
    rules = _core.DescentRules()
    rules.positive = request.positive
    rules.tol = _TOL[request.algorithm]
    rules.floor = 1e-12  # of a row that is fitted perfectly
    rules.max_iter = request.max_iter
    squares = np.einsum("ij,ij->i", rows, rows)
    answers = _core.elastic_net_gram(
        gram[np.newaxis],
        np.zeros(n, dtype=np.int64),
        products,
        squares,
        np.full((n, 1), request.alpha),
        np.zeros((n, 1)),
        None if start is None else packed(start),
        rules,
    )
    codes, _, primal, gap, _, epochs = answers[:6]
    goal = rules.tol * np.maximum(primal, rules.floor * 0.5 * squares[:, np.newaxis])
    late = (gap > goal) & (epochs >= request.max_iter)
    return codes[:, 0, :], int(np.count_nonzero(late))


def _warn(owner: str, missed: int, request: CodingRequest) -> None:
    warnings.warn(
        f"{owner}: the codes of {missed} rows missed a duality gap of {_TOL['lasso_cd']:g} of "
        f"their objective within {request.max_iter} epochs; raise max_iter "
        "(transform_max_iter), or alpha.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )
