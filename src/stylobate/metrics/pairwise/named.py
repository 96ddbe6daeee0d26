"""The named metrics: how each becomes a measure of the core."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import (
    DataConversionWarning,
    InvalidDataError,
    InvalidParameterError,
    UnsupportedDataError,
    joined,
)
from stylobate.metrics.pairwise.tiles import IDENTITY, ROOT, Builder, Map, Measured, pairs_of

BOOLEAN = (
    "dice", "jaccard", "rogerstanimoto", "russellrao", "sokalmichener", "sokalsneath", "yule",
)  # fmt: skip
SPARSE = (
    "euclidean", "l2", "sqeuclidean", "cosine", "angular", "manhattan", "cityblock", "l1", "inner",
)  # fmt: skip


SAME_COUNTS = {"sokalmichener": "rogerstanimoto"}  # two names of one formula


def measured(x: Any, y: Any, metric: str = "euclidean", **params: Any) -> Measured:
    """Two checked tables under a named metric.

    Parameters
    ----------
    x, y : ndarray or csr_array
        Queries and rows as `read_pair` gives them; the same object for one table.
    metric : str, default="euclidean"
        One of `METRICS`; ``inner`` is the inner product, ranked from the largest.
    **params
        The metric's own: ``p`` and ``w`` of minkowski, ``V`` of seuclidean, ``VI`` of mahalanobis,
        ``w`` of most others.

    Returns
    -------
    Measured

    Examples
    --------
    >>> a = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 0.0]])
    >>> distances, rows = measured(a, a, "manhattan").nearest(2)
    >>> rows
    array([[0, 1],
           [1, 0],
           [2, 0]])
    """
    if metric not in METRICS:
        raise InvalidParameterError(
            f"metric must be one of {', '.join(sorted(METRICS))}; got {metric!r}."
        )
    if metric not in SPARSE and not (isinstance(x, np.ndarray) and isinstance(y, np.ndarray)):
        raise UnsupportedDataError(
            f"metric {metric!r} takes dense tables only; sparse ones can be compared by "
            f"{', '.join(SPARSE[:-1])}."
        )
    try:
        return METRICS[metric](x, y, **params)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise InvalidParameterError(f"metric {metric!r} takes other parameters: {error}.") from None


def _measured(x: Any, y: Any, measure: str, finish: Map = IDENTITY, **more: Any) -> Measured:
    pairs = pairs_of(x, y, measure, more.get("p", 2.0), more.get("weights"))
    return Measured(
        pairs,
        (x.shape[0], y.shape[0]),
        finish,
        more.get("dtype", np.float64),
        x is y,
        more.get("clear_diagonal", False),
    )


def _scaled(x: Any, y: Any, factors: Any) -> tuple[Any, Any]:
    a = x * factors
    return a, a if y is x else y * factors


def read_weights_of(w: Any, columns: int) -> NDArray[np.float64]:
    """The weights of the columns, checked."""
    weights = np.ascontiguousarray(w, dtype=np.float64)
    if weights.shape != (columns,) or not (weights >= 0).all():
        raise InvalidParameterError(
            f"w must be {columns} weights of the columns, none negative; got shape {weights.shape}."
        )
    return weights


def _euclidean(x: Any, y: Any, w: Any = None, squared: bool = False) -> Measured:
    dtype = x.dtype
    if w is not None:
        x, y = _scaled(x, y, np.sqrt(read_weights_of(w, x.shape[1])))
    return _measured(x, y, "squared", IDENTITY if squared else ROOT, dtype=dtype)


def _sqeuclidean(x: Any, y: Any, w: Any = None) -> Measured:
    if w is not None:
        x, y = _scaled(x, y, np.sqrt(read_weights_of(w, x.shape[1])))
    return _measured(x, y, "squared")


def _manhattan(x: Any, y: Any, w: Any = None) -> Measured:
    if w is not None:
        x, y = _scaled(x, y, read_weights_of(w, x.shape[1]))
    return _measured(x, y, "manhattan")


def _chebyshev(x: Any, y: Any, w: Any = None) -> Measured:
    if w is not None:  # a weight only says whether its column counts, as in SciPy
        x, y = _scaled(x, y, (read_weights_of(w, x.shape[1]) > 0).astype(np.float64))
    return _measured(x, y, "chebyshev")


def _minkowski(x: Any, y: Any, p: float = 2.0, w: Any = None) -> Measured:
    if not p > 0:
        raise InvalidParameterError(f"minkowski: p must be above 0, got {p!r}.")
    if p == np.inf:
        return _chebyshev(x, y, w)
    if p == 1:
        return _manhattan(x, y, w)
    if w is not None:
        x, y = _scaled(x, y, read_weights_of(w, x.shape[1]) ** (1.0 / p))
    if p == 2:
        return _measured(x, y, "squared", ROOT)
    return _measured(x, y, "power", Map("power_root", p=p), p=float(p))


def _canberra(x: Any, y: Any, w: Any = None) -> Measured:
    weights = None if w is None else read_weights_of(w, x.shape[1])
    return _measured(x, y, "canberra", weights=weights)


def _braycurtis(x: Any, y: Any, w: Any = None) -> Measured:
    if w is not None:
        x, y = _scaled(x, y, read_weights_of(w, x.shape[1]))
    return _measured(x, y, "braycurtis", clear_diagonal=y is x)  # 0 / 0 of a zero row with itself


def _hamming(x: Any, y: Any, w: Any = None) -> Measured:
    weights = np.ones(x.shape[1]) if w is None else read_weights_of(w, x.shape[1])
    return _measured(x, y, "hamming", Map("scale", a=1.0 / weights.sum()), weights=weights)


def _nan_euclidean(x: Any, y: Any, squared: bool = False) -> Measured:
    return _measured(x, y, "nan_squared", IDENTITY if squared else ROOT, dtype=x.dtype)


def _seuclidean(x: Any, y: Any, V: Any = None) -> Measured:
    if V is None:
        if x is not y:
            raise InvalidParameterError(
                "The 'V' parameter is required for the seuclidean metric when Y is passed: the "
                "variance of every column."
            )
        V = np.var(x, axis=0, ddof=1, dtype=np.float64)
    variances = np.asarray(V, dtype=np.float64)
    if variances.shape != (x.shape[1],):
        raise InvalidParameterError(
            f"seuclidean: V must be {x.shape[1]} variances of the columns, got {variances.shape}."
        )
    return _measured(*_scaled(x, y, 1.0 / np.sqrt(variances)), "squared", ROOT)


def whitening(VI: Any, columns: int) -> NDArray[np.float64]:
    """W with W Wᵀ = VI, so that rows times W have the mahalanobis distance as their euclidean."""
    inverse = np.asarray(VI, dtype=np.float64)
    if inverse.shape != (columns, columns):
        raise InvalidParameterError(
            f"mahalanobis: VI must be a matrix of {columns} rows and columns, got {inverse.shape}."
        )
    values, vectors = np.linalg.eigh((inverse + inverse.T) / 2.0)
    if values[0] < -1e-10 * max(values[-1], 0.0) or values[-1] < 0.0:
        raise InvalidParameterError(
            "mahalanobis: VI must be positive semidefinite, its smallest eigenvalue is "
            f"{values[0]:.3g}."
        )
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _mahalanobis(x: Any, y: Any, VI: Any = None) -> Measured:
    if VI is None:
        if x is not y:
            raise InvalidParameterError(
                "The 'VI' parameter is required for the mahalanobis metric when Y is passed: the "
                "inverse of the covariance matrix."
            )
        VI = np.linalg.inv(np.atleast_2d(np.cov(x.T, dtype=np.float64)))
    whiten = whitening(VI, x.shape[1])
    a = x @ whiten
    return _measured(a, a if y is x else y @ whiten, "squared", ROOT)


def row_norms(x: Any) -> NDArray[np.float64]:
    """Euclidean norms of the rows, in double precision, without overflow."""
    if isinstance(x, np.ndarray):
        size = np.abs(x).max(axis=1, initial=0.0).astype(np.float64)
        safe = np.where((size > 0) & np.isfinite(size), size, 1.0)
        scaled = x / safe[:, None]
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", scaled, scaled)) * safe)
    squares: NDArray[np.float64] = np.asarray(x.astype(np.float64).multiply(x).sum(axis=1))
    return np.sqrt(squares).ravel()


def unit_rows(x: Any) -> tuple[Any, NDArray[np.bool_]]:
    """Rows of length 1 in double precision, and which rows are zero (and stay so)."""
    norms = row_norms(x)
    zero = norms == 0
    factors = 1.0 / np.where(zero, 1.0, norms)
    if isinstance(x, np.ndarray):
        return np.ascontiguousarray(x * factors[:, None]), zero
    from scipy.sparse import csr_array, diags_array

    return csr_array(diags_array(factors) @ x.astype(np.float64)), zero


def _directions(x: Any, y: Any) -> tuple[Any, Any, bool]:
    """Unit rows, zero ones at a right angle to all of the other table; whether there are any."""
    a, zero_a = unit_rows(x)
    b, zero_b = (a, zero_a) if y is x else unit_rows(y)
    if not (zero_a.any() or zero_b.any()):
        return a, b, False
    return _apart(a, zero_a, 0), _apart(b, zero_b, 1), True


def _cosine(x: Any, y: Any) -> Measured:
    # 1 − cos = ½ ‖x̂ − ŷ‖², which keeps its digits for rows of nearly one direction
    a, b, zeros = _directions(x, y)
    half = Map("scale", a=0.5)
    return _measured(a, b, "squared", half, dtype=x.dtype, clear_diagonal=zeros and y is x)


def _angular(x: Any, y: Any) -> Measured:
    # sin²(θ/2) = ¼ ‖x̂ − ŷ‖²; the arc cosine would lose small angles
    a, b, zeros = _directions(x, y)
    a, b = _scaled(a, a if b is a else b, 0.5)
    return _measured(a, b, "squared", Map("arc"), dtype=x.dtype, clear_diagonal=zeros and y is x)


def _apart(x: Any, zero: NDArray[np.bool_], which: int) -> Any:
    """Two more columns in which zero rows are at distance 1 from every row of the other table."""
    extra = np.zeros((x.shape[0], 2))
    extra[zero, which] = 1.0
    if isinstance(x, np.ndarray):
        return np.hstack([x, extra])
    from scipy.sparse import csr_array, hstack

    return csr_array(hstack([x, csr_array(extra)]))


def _correlation(x: Any, y: Any, w: Any = None) -> Measured:
    weights = np.ones(x.shape[1]) if w is None else read_weights_of(w, x.shape[1])
    weights = weights / weights.sum()

    def direction(z: NDArray[Any]) -> NDArray[np.float64]:
        centred = (z - (z @ weights)[:, None]) * np.sqrt(weights)
        norms = row_norms(centred)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(centred / np.where(norms > 0, norms, np.nan)[:, None])

    a = direction(x.astype(np.float64))
    b = a if y is x else direction(y.astype(np.float64))
    return _measured(a, b, "squared", Map("scale", a=0.5), clear_diagonal=y is x)


def _haversine(x: Any, y: Any) -> Measured:
    if x.shape[1] != 2:
        raise InvalidDataError(
            "Haversine distance only valid in 2 dimensions: latitude and longitude in radians; "
            f"got {x.shape[1]} columns."
        )

    def halves(z: Any) -> NDArray[np.float64]:
        z = z.astype(np.float64)
        return np.column_stack([z / 2.0, np.cos(z[:, 0])])

    a = halves(x)
    return _measured(a, a if y is x else halves(y), "haversine", Map("arc"))


def _inner(x: Any, y: Any) -> Measured:
    return _measured(x, y, "inner", dtype=x.dtype)


def _boolean(name: str) -> Builder:
    def build(x: Any, y: Any, w: Any = None) -> Measured:
        a = (x != 0).astype(np.float64)
        b = a if y is x else (y != 0).astype(np.float64)
        weights = np.ones(x.shape[1]) if w is None else read_weights_of(w, x.shape[1])
        made = pairs_of(a, b * weights if w is not None else b, "inner")
        sums = a @ weights, b @ weights
        counted = made.counted(SAME_COUNTS.get(name, name), *sums, float(weights.sum()))
        same = y is x
        return Measured(counted, (x.shape[0], y.shape[0]), same=same, clear_diagonal=same)

    return build


def warn_boolean(metric: str) -> None:
    """Say that numbers were taken as true or false."""
    warnings.warn(
        f"Data was converted to boolean for metric {metric}",
        joined(DataConversionWarning),
        stacklevel=3,
    )


METRICS: dict[str, Builder] = {
    "angular": _angular,
    "braycurtis": _braycurtis,
    "canberra": _canberra,
    "chebyshev": _chebyshev,
    "cityblock": _manhattan,
    "correlation": _correlation,
    "cosine": _cosine,
    "euclidean": _euclidean,
    "hamming": _hamming,
    "haversine": _haversine,
    "inner": _inner,
    "l1": _manhattan,
    "l2": _euclidean,
    "mahalanobis": _mahalanobis,
    "manhattan": _manhattan,
    "matching": _hamming,
    "minkowski": _minkowski,
    "nan_euclidean": _nan_euclidean,
    "seuclidean": _seuclidean,
    "sqeuclidean": _sqeuclidean,
    **{name: _boolean(name) for name in BOOLEAN},
}
