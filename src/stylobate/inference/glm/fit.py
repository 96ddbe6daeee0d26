"""`GLMFit`: all that inference needs to know about a generalised linear fit, as one plain value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.inference.fit import NULL_TOLERANCE
from stylobate.interrupts import interruptible
from stylobate.optimize.glm import Family, Saturated

if TYPE_CHECKING:
    from stylobate.optimize.certificate import Certificate

_EPS = float(np.finfo(np.float64).eps)
INTERCEPT = "(Intercept)"


@dataclass(frozen=True, eq=False)
class GLMFit:
    """A generalised linear fit, reduced to what inference needs.

    There are c equations of k terms each: one, or for the multinomial model one for each class but
    the reference. Vectors and matrices over all coefficients go equation by equation, with the
    intercept first in each when there is one.

    Parameters
    ----------
    family : Family, or None for the multinomial model
    coef : (c, k) array
    names : tuple of k str
        Names of the terms.
    has_intercept : bool
    unscaled_covariance : (ck, ck) array
        Inverse of the expected information at dispersion 1, or a generalised inverse.
    estimable : (ck,) bool array
        False where the data do not determine the coefficient.
    rank : int
        Of the information.
    n_rows : int
        Rows with positive weight.
    weight_sum : float
        `Σ w`.
    deviance, null_deviance : float
        Of the fit, and of the model with the intercept alone (without intercept: of z = 0).
    pearson : float
        `Σ w (y − μ)²/V(μ)`; NaN if it was not computed.
    saturated : Saturated or None
        The log-likelihood less −deviance/(2φ); None: zero, as for single labels.
    equations : tuple of c str
        Names of the classes, for the multinomial model.
    reference : str or None
        The class the others are compared with.
    target : str
    penalised : bool
        True when the coefficients maximise anything other than the likelihood.
    separation : str or None
        A sentence, if the likelihood has no maximum because the classes can be separated.
    certificate : Certificate or None
    """

    family: Family | None
    coef: Array
    names: tuple[str, ...]
    has_intercept: bool
    unscaled_covariance: Array
    estimable: Mask
    rank: int
    n_rows: int
    weight_sum: float
    deviance: float
    null_deviance: float
    pearson: float = float("nan")
    saturated: Saturated | None = None
    equations: tuple[str, ...] = ("",)
    reference: str | None = None
    target: str = "y"
    penalised: bool = False
    separation: str | None = None
    certificate: Certificate | None = None

    def __post_init__(self) -> None:
        c, k = len(self.equations), len(self.names)
        shapes = {"coef": (c, k), "unscaled_covariance": (c * k, c * k), "estimable": (c * k,)}
        for field, shape in shapes.items():
            if getattr(self, field).shape != shape:
                raise InvalidDataError(
                    f"GLMFit: {field} has shape {getattr(self, field).shape}, but {c} equation(s) "
                    f"of {k} names ask for {shape}."
                )
        for field in ("coef", "deviance", "null_deviance"):
            if not np.isfinite(getattr(self, field)).all():
                raise NumericalError(
                    f"GLMFit: {field} is not finite; the fit left the range of double precision. "
                    f"Rescale the columns or the target."
                )

    @property
    def family_name(self) -> str:
        return "multinomial" if self.family is None else self.family.name

    @property
    def link(self) -> str:
        return "logit" if self.family is None else self.family.link

    @property
    def dispersion_known(self) -> bool:
        """Whether the dispersion is 1 by the distribution itself."""
        return self.family is None or self.family.dispersion_known

    @property
    def df_model(self) -> int:
        """Estimable coefficients less the intercepts."""
        return self.rank - self.has_intercept * len(self.equations)

    @property
    def df_residual(self) -> int:
        """Rows with positive weight less the estimable coefficients."""
        return max(self.n_rows - self.rank, 0)

    def log_likelihood(self, deviance: float, dispersion: float) -> float:
        """Of any fit to the same rows with that deviance."""
        top = 0.0 if self.saturated is None else self.saturated.at(dispersion)
        return top - deviance / (2.0 * dispersion) if dispersion > 0 else float("nan")


def fit_from_information(
    family: Family | None,
    *,
    coef: Array,
    intercept: Array | float,
    information: Array,
    n_rows: int,
    deviance: float,
    null_deviance: float,
    center: Array | None = None,
    has_intercept: bool = True,
    weight_sum: float | None = None,
    pearson: float = float("nan"),
    saturated: Saturated | None = None,
    names: Sequence[str] | None = None,
    equations: Sequence[str] | None = None,
    reference: str | None = None,
    target: str = "y",
    penalised: bool = False,
    separation: str | None = None,
    certificate: Certificate | None = None,
    estimable: Mask | None = None,
) -> GLMFit:
    """A `GLMFit` from coefficients and the expected information of the rows.

    Parameters
    ----------
    family : Family, or None for the multinomial model
    coef : (p,) or (c, p) array
        Slopes; for the multinomial model those of all classes but the reference, less the
        reference's.
    intercept : float or (c,) array
    information : (c(p+1), c(p+1)) array, or (cp, cp) without intercept
        `Σ w μ′²/V · a aᵀ` for `a = [x − center, 1]`: the intercept last in each equation, as in the
        step statistics.
    center : (p,) array, optional
        Where the columns were centred; zeros by default.
    n_rows, deviance, null_deviance, has_intercept, weight_sum, pearson, saturated, names, \
equations, reference, target, penalised, separation, certificate
        As of `GLMFit`; `names` are those of the columns, without the intercept.
    estimable : bool array, optional
        Where the fit is separated: the coefficients that are determined all the same. All count as
        parameters.

    Returns
    -------
    GLMFit
    """
    slopes = np.atleast_2d(np.asarray(coef, dtype=np.float64))
    c, p = slopes.shape
    k = p + has_intercept
    turn = _to_raw_terms(p, has_intercept, center)
    whole = np.asarray(np.kron(np.eye(c), turn), dtype=np.float64)
    covariance, determined, rank = inverse_information(information, whole, n_rows)
    if estimable is not None:
        determined, rank = estimable, max(rank, c * k)
    labels = tuple(names) if names is not None else tuple(f"x{j}" for j in range(p))
    constants = np.broadcast_to(np.asarray(intercept, dtype=np.float64).reshape(-1, 1), (c, 1))
    return GLMFit(
        family=family,
        coef=np.hstack([constants, slopes]) if has_intercept else slopes,
        names=(INTERCEPT, *labels) if has_intercept else labels,
        has_intercept=has_intercept,
        unscaled_covariance=covariance,
        estimable=determined.reshape(c * k),
        rank=rank,
        n_rows=n_rows,
        weight_sum=float(n_rows if weight_sum is None else weight_sum),
        deviance=deviance,
        null_deviance=null_deviance,
        pearson=pearson,
        saturated=saturated,
        equations=("",) if equations is None else tuple(equations),
        reference=reference,
        target=target,
        penalised=penalised,
        separation=separation,
        certificate=certificate,
    )


def _to_raw_terms(p: int, has_intercept: bool, center: Array | None) -> Array:
    """The matrix from (slopes, centred intercept) to (raw intercept, slopes)."""
    if not has_intercept:
        return np.eye(p)
    turn = np.zeros((p + 1, p + 1))
    turn[0, p] = 1.0
    turn[0, :p] = 0.0 if center is None else -center
    turn[1:, :p] = np.eye(p)
    return turn


def inverse_information(information: Array, turn: Array, n: int) -> tuple[Array, Mask, int]:
    """The generalised inverse of the information in turned coordinates, what is estimable, rank.

    Decided with unit diagonal, so that units of columns do not matter.
    """
    diagonal = np.maximum(np.diag(information), 0.0)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    if not np.isfinite(information).all():
        raise NumericalError(
            "The information matrix is not finite: fitted means leave the range of double "
            "precision. Rescale the columns, or add a penalty."
        )
    values, vectors = interruptible(np.linalg.eigh, scale[:, None] * information * scale)
    kept = values > max(n, len(values)) * _EPS * values[-1:].sum()
    root = turn @ (scale[:, None] * vectors[:, kept] / np.sqrt(values[kept]))
    null = vectors[:, ~kept]
    null = np.where(np.abs(null) <= NULL_TOLERANCE, 0.0, null)
    moved = np.abs(turn) @ (scale[:, None] * np.abs(null))
    return root @ root.T, np.asarray(~(moved > 0).any(axis=1)), int(kept.sum())
