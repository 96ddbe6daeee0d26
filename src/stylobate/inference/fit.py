"""`LinearFit`: all that inference needs to know about a least-squares fit, as one plain value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.interrupts import interruptible

_EPS = float(np.finfo(np.float64).eps)
NULL_TOLERANCE = 1e-7  # a coordinate this close to orthogonal to the null space is estimable
_ILL_CONDITIONED = 1e7  # beyond this, more than seven of sixteen digits may be lost


@dataclass(frozen=True, eq=False)
class LinearFit:
    """A (weighted) least-squares fit `y ≈ Xb`, reduced to what inference needs.

    Parameters
    ----------
    coef : (k,) array
        Coefficients, the intercept first when there is one.
    names : tuple of k str
        Their names, in the same order.
    has_intercept : bool
        Whether `coef[0]` is the intercept.
    unscaled_covariance : (k, k) array
        `(XᵀWX)⁻¹`, or a reflexive generalised inverse of it when the rank is deficient
        (Moore–Penrose, unless `null_space` is given).
    estimable : (k,) bool array
        False where the data do not determine the coefficient.
    rank : int
        Rank of the design, intercept included.
    n_rows : int
        Rows with positive weight.
    weight_sum, log_weight_sum : float
        `Σ w` and `Σ log w` over those rows; `n_rows` and 0 when unweighted.
    rss, tss : float, >= 0
        `Σ w (y − ŷ)²`, and `Σ w (y − ȳ)²` with an intercept or `Σ w y²` without.
    condition : float, >= 1
        Ratio of the largest to the smallest singular value of `√W X`.
    target : str
        Name of y.
    penalised : bool
        True when the coefficients minimise anything other than `rss`.
    ill_conditioned_note : str or None
        A sentence about lost digits, when there is something to say.
    null_space : (k, k − rank) array or None
        Directions along which the coefficients can move without changing any fitted value.
        None: the null space of `unscaled_covariance`, right for a Moore–Penrose inverse.
    covariance_root : (k, rank) array or None
        B with `B Bᵀ = unscaled_covariance`, such as `R⁻¹` of a QR. Leverages, robust covariances
        and prediction errors are computed from it and lose the digits of one condition number;
        None: taken from `unscaled_covariance`, at the price of the condition number squared.
    absorbed : int
        Parameters beside those named: levels of factors that were swept out of the columns.
    within_groups : int
        How many of these belong to factors each level of which lies within one cluster of rows:
        what such levels take from the scores a clustered covariance sees by itself, and so does not
        count them once more (Cameron & Miller, 2015, J. Human Resources 50, section II.C).
    """

    coef: Array
    names: tuple[str, ...]
    has_intercept: bool
    unscaled_covariance: Array
    estimable: Mask
    rank: int
    n_rows: int
    weight_sum: float
    log_weight_sum: float
    rss: float
    tss: float
    condition: float
    target: str = "y"
    penalised: bool = False
    ill_conditioned_note: str | None = None
    null_space: Array | None = None
    covariance_root: Array | None = None
    absorbed: int = 0
    within_groups: int = 0

    def __post_init__(self) -> None:
        k = len(self.names)
        shapes = {"coef": (k,), "unscaled_covariance": (k, k), "estimable": (k,)}
        for field, shape in shapes.items():
            if getattr(self, field).shape != shape:
                raise InvalidDataError(
                    f"LinearFit: {field} has shape {getattr(self, field).shape}, "
                    f"but {k} names ask for {shape}."
                )
        for field in ("coef", "unscaled_covariance", "rss", "tss"):
            if not np.isfinite(getattr(self, field)).all():
                raise NumericalError(
                    f"LinearFit: {field} is not finite; the columns or the target leave the range "
                    f"of double precision when squared. Rescale them."
                )
        for field in ("rss", "tss"):
            value = getattr(self, field)
            # A difference of moments may come out a rounding error below zero.
            if not value >= -1e-8 * abs(self.tss):
                raise InvalidDataError(f"LinearFit: {field} must be >= 0, got {value!r}.")
            object.__setattr__(self, field, max(float(value), 0.0))

    @property
    def n_features(self) -> int:
        """Number of columns of X, the intercept not counted."""
        return len(self.names) - self.has_intercept

    @property
    def slopes(self) -> slice:
        """The coefficients other than the intercept."""
        return slice(int(self.has_intercept), None)

    @property
    def df_model(self) -> int:
        """Rank of the design, less one for the intercept."""
        return self.rank - self.has_intercept

    @property
    def df_residual(self) -> int:
        """Rows with positive weight less the rank (and less what was absorbed)."""
        return max(self.n_rows - self.rank - self.absorbed, 0)

    @property
    def sigma2(self) -> float:
        """Unbiased residual variance `rss / df_residual`; NaN when no degree of freedom is left."""
        return self.rss / self.df_residual if self.df_residual else float("nan")

    @property
    def not_estimable_names(self) -> tuple[str, ...]:
        """Names of the coefficients the data do not determine."""
        return tuple(n for n, known in zip(self.names, self.estimable, strict=True) if not known)

    @cached_property
    def root(self) -> Array:
        """`covariance_root`, or one computed from `unscaled_covariance`; (k, rank)."""
        if self.covariance_root is not None:
            return self.covariance_root
        values, vectors, scale = self._equilibrated()
        kept = slice(len(values) - self.rank, None)
        return np.asarray(scale[:, None] * vectors[:, kept] * np.sqrt(np.maximum(values[kept], 0)))

    def _equilibrated(self) -> tuple[Array, Array, Array]:
        """Eigenvalues and vectors of `unscaled_covariance` in units that make its diagonal one."""
        scale = np.sqrt(np.diag(self.unscaled_covariance))
        scale[scale == 0] = 1.0  # an all-zero column
        values, vectors = interruptible(
            np.linalg.eigh, self.unscaled_covariance / np.outer(scale, scale)
        )
        return values, vectors, scale

    def undetermined_directions(self) -> Array:
        """`null_space`, or what a Moore–Penrose `unscaled_covariance` says it is; (k, k − rank)."""
        missing = len(self.names) - self.rank
        if missing <= 0:
            return np.zeros((len(self.names), 0))
        directions = self.null_space
        if directions is None:
            _, vectors, scale = self._equilibrated()
            directions = vectors[:, :missing] / scale[:, None]
        # What is estimable has no part in them but rounding, which must not be taken for a part.
        return np.where(self.estimable[:, None], 0.0, directions)


def fit_from_factor(
    r: Array,
    *,
    n_rows: int,
    has_intercept: bool = True,
    names: Sequence[str] | None = None,
    target: str = "y",
    weight_sum: float | None = None,
    log_weight_sum: float = 0.0,
    rank: int | None = None,
) -> LinearFit:
    """The least-squares fit held in the triangular factor of `√W [1, X, y]`.

    With `r = [[R, z], [0, ρ]]`: `b = R⁺z`, `(XᵀWX)⁺ = R⁺R⁺ᵀ`, `rss = ρ² + ‖z − Rb‖²`.
    Columns are brought to unit length before the singular value decomposition, so that rank and
    estimability do not depend on their units.

    Parameters
    ----------
    r : (m, k + 1) array
        Upper triangular factor; fewer than k + 1 rows are as good as zero rows below.
    n_rows : int >= 1
        Rows with positive weight.
    has_intercept : bool
        Whether the first column of the factored matrix was `√w`.
    names : sequence of k str, optional
        "(Intercept)", "x0", "x1"… when not given.
    target : str
        Name of y.
    weight_sum, log_weight_sum : float
        `Σ w` (default `n_rows`) and `Σ log w`.
    rank : int, optional
        Rank of the design, intercept included, where it has been decided already.

    Returns
    -------
    LinearFit

    Examples
    --------
    >>> x = np.arange(5.0)
    >>> r = np.linalg.qr(np.column_stack([np.ones(5), x, 2 * x + 1]), mode="r")
    >>> fit_from_factor(r, n_rows=5).coef.round(6).tolist()
    [1.0, 2.0]
    """
    k = r.shape[1] - 1
    square = np.zeros((k + 1, k + 1))
    square[: r.shape[0]] = r
    design, z, rho = square[:k, :k], square[:k, k], square[k, k]
    labels = _names(names, k, has_intercept)
    scale = _column_lengths(square, (*labels, target))[:k]
    u, s, vt = interruptible(np.linalg.svd, design / scale)
    if rank is None:
        rank = int(np.sum(s > max(n_rows, k) * _EPS * s[0])) if k else 0
    # Exact zeros for estimable coefficients: a tiny scale would blow rounding up.
    null = np.where(np.abs(vt[rank:].T) <= NULL_TOLERANCE, 0.0, vt[rank:].T)
    root = vt[:rank].T / s[:rank] / scale[:, None]  # R⁺ in the scaled metric, less Uᵀ
    if rank < k:
        basis = interruptible(np.linalg.qr, null / scale[:, None])[0]
        root = root - basis @ (basis.T @ root)  # off the null space: now Moore–Penrose
    tss, rss = _sums_of_squares(square[int(has_intercept) :, k], u[:, rank:].T @ z, rho, z, n_rows)
    return LinearFit(
        coef=root @ (u[:, :rank].T @ z),
        names=labels,
        has_intercept=has_intercept,
        unscaled_covariance=root @ root.T,
        estimable=np.asarray(~null.any(axis=1)),
        rank=rank,
        n_rows=n_rows,
        weight_sum=float(n_rows if weight_sum is None else weight_sum),
        log_weight_sum=float(log_weight_sum),
        rss=rss,
        tss=tss,
        condition=float(np.linalg.cond(design)) if rank == k and k else float("inf"),
        target=target,
        ill_conditioned_note=_conditioning(s, rank, k),
        null_space=null / scale[:, None],
        covariance_root=root,
    )


def _column_lengths(square: Array, labels: tuple[str, ...]) -> Array:
    """Lengths of the columns (1 for a zero column); refused if their squares leave the range."""
    largest = np.abs(square).max(axis=0, initial=0.0)
    bad = np.flatnonzero(~((largest == 0) | ((largest > 1e-150) & (largest < 1e150))))
    if len(bad):
        raise NumericalError(
            f"{labels[bad[0]]} has a length of about {largest[bad[0]]:.1e}, and its square leaves "
            f"the range of double precision: choose units that bring it within 1e-150 and 1e150."
        )
    length = np.linalg.norm(square, axis=0)
    return np.where(length == 0, 1.0, length)


def _sums_of_squares(
    centred: Array, outside: Array, rho: float, z: Array, n_rows: int
) -> tuple[float, float]:
    """Total and residual sum of squares, with what is only rounding of y set to zero."""
    noise = n_rows * (4 * _EPS) ** 2 * (float(z @ z) + rho**2)
    tss, rss = float(centred @ centred), float(outside @ outside) + rho**2
    if tss <= noise:  # a constant target: R² must not be a ratio of two rounding errors
        return 0.0, 0.0
    return tss, rss


def _names(names: Sequence[str] | None, k: int, has_intercept: bool) -> tuple[str, ...]:
    if names is not None:
        return tuple(names)
    slopes = tuple(f"x{j}" for j in range(k - has_intercept))
    return ("(Intercept)", *slopes) if has_intercept else slopes


def _conditioning(s: Array, rank: int, k: int) -> str | None:
    if rank < k or k == 0 or s[0] <= _ILL_CONDITIONED * s[-1]:
        return None
    condition = s[0] / s[-1]
    digits = max(int(-np.log10(_EPS * condition)), 0)
    return (
        f"The columns are nearly dependent: with all columns scaled to length one the condition "
        f"number is {condition:.1e}, which leaves about {digits} trustworthy digits."
    )
