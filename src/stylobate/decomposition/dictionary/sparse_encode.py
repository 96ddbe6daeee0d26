"""Codes of rows over a given dictionary, as a function."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.data import read_table
from stylobate.decomposition.dictionary.coding import (
    ALGORITHMS,
    CodingRequest,
    packed,
    sparse_codes,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError


def sparse_encode(
    X: Any,
    dictionary: Any,
    *,
    gram: Any = None,
    cov: Any = None,
    algorithm: str = "lasso_lars",
    n_nonzero_coefs: int | None = None,
    alpha: float | None = None,
    copy_cov: bool = True,
    init: Any = None,
    max_iter: int = 1000,
    n_jobs: int | None = None,
    check_input: bool = True,
    verbose: int = 0,
    positive: bool = False,
) -> Any:
    r"""Codes that write rows as sums of few atoms, :math:`x \approx cD`.

    .. math:: c = \arg\min_c \tfrac12\|x - cD\|^2 + α\|c\|_1,
              \quad\text{or}\quad \min_c \|x - cD\|^2 \text{ with } \|c\|_0 \le m \text{, greedily}

    All rows share the Gram of the atoms, and are coded side by side.

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    dictionary : array-like of shape (n_components, n_features)
        Atoms, best of length 1.
    gram : array-like of shape (n_components, n_components), optional
        The products of atoms with atoms, where known.
    cov : array-like of shape (n_components, n), optional
        The products of atoms with rows, where known.
    algorithm : {"lasso_lars", "lasso_cd", "lars", "omp", "threshold"}, default="lasso_lars"
        "lasso_lars", "lasso_cd": the lasso, by one solver here: to rounding, and to a duality gap
        of 1e-8. "lars": least angle regression. "omp": orthogonal matching pursuit. "threshold":
        products beyond alpha.
    n_nonzero_coefs : int in [1, inf), optional
        m, of "lars" and "omp"; None: a tenth of the features.
    alpha : float in [0, inf), optional
        α, or the threshold; None: 1.
    copy_cov : bool, default=True
        Accepted for compatibility; nothing is overwritten.
    init : array-like of shape (n, n_components), optional
        Codes to start from, of the lasso.
    max_iter : int in [0, inf), default=1000
        Epochs of the lasso at most.
    n_jobs, check_input, verbose
        Accepted for compatibility: threads are those of the core, and input is always checked.
    positive : bool, default=False
        Whether codes are kept non-negative; not for "lars" and "omp".

    Returns
    -------
    array of shape (n, n_components)

    Examples
    --------
    >>> import numpy as np
    >>> dictionary = np.array([[0.0, 1.0, 0.0], [-1.0, -1.0, 2.0], [1.0, 1.0, 1.0]])
    >>> sparse_encode(np.array([[-1.0, -1.0, -1.0]]), dictionary, alpha=1e-10).round(6) + 0.0
    array([[ 0.,  0., -1.]])

    References
    ----------
    Efron, Hastie, Johnstone & Tibshirani (2004), Least angle regression, Annals of Statistics 32.
    Pati, Rezaiifar & Krishnaprasad (1993), Orthogonal matching pursuit, Asilomar Conference.
    """
    _refuse_settings(algorithm, alpha, n_nonzero_coefs, max_iter)
    atoms = read_table(dictionary, owner="sparse_encode: dictionary", accept_sparse=False).x
    rows = read_table(X, owner="sparse_encode", accept_sparse=False).x
    refuse_shapes(rows, atoms, "sparse_encode")
    request = CodingRequest.of(
        algorithm,
        atoms.shape,
        alpha=alpha,
        n_nonzero_coefs=n_nonzero_coefs,
        max_iter=max_iter,
        positive=positive,
    )
    n, k = len(rows), len(atoms)
    codes = sparse_codes(
        packed(rows),
        packed(atoms),
        request,
        gram=_known(gram, (k, k), "gram"),
        products=None if cov is None else _known(cov, (k, n), "cov").T,
        start=_known(init, (n, k), "init"),
    )
    return codes.astype(np.result_type(rows.dtype, atoms.dtype), copy=False)


def refuse_shapes(rows: Any, atoms: Any, owner: str) -> None:
    """Rows and atoms must have the same columns."""
    if rows.shape[1] != atoms.shape[1]:
        raise InvalidDataError(
            f"{owner}: Dictionary and X have different numbers of features: "
            f"dictionary.shape: {atoms.shape} X.shape: {rows.shape}."
        )


def _known(value: Any, shape: tuple[int, int], name: str) -> Any:
    if value is None:
        return None
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise InvalidDataError(
            f"sparse_encode: {name} must be finite and of shape {shape}, got shape {array.shape}."
        )
    return array


def _refuse_settings(algorithm: str, alpha: Any, most: Any, max_iter: Any) -> None:
    if algorithm not in ALGORITHMS:
        raise InvalidParameterError(
            f"sparse_encode: algorithm must be one of {', '.join(ALGORITHMS)}, got {algorithm!r}."
        )
    if alpha is not None and not float(alpha) >= 0.0:
        raise InvalidParameterError(f"sparse_encode: alpha must be at least 0, got {alpha!r}.")
    if most is not None and not int(most) >= 1:
        raise InvalidParameterError(
            f"sparse_encode: n_nonzero_coefs must be at least 1, got {most!r}."
        )
    if not int(max_iter) >= 0:
        raise InvalidParameterError(
            f"sparse_encode: max_iter must be at least 0, got {max_iter!r}."
        )
