"""How far kernel ridge coefficients can be from the best ones, proved by their residual."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Self

import numpy as np

from stylobate.arrays import Array

_OPTIMAL = 1e-6  # relative gap below which an answer counts as optimal
_TINY = float(np.finfo(np.float64).tiny)
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class KernelRidgeCertificate:
    r"""Evidence that coefficients a minimise :math:`\|y - Ka\|^2 + \alpha\,a^T K a`.

    With the residual :math:`r = y - (K + \alpha I)a` of any a, and K positive semi-definite:

    - the dual value :math:`\alpha(2y^Ta - a^TKa - \alpha\|a\|^2)` is below the optimum by at most
      the gap, which is :math:`\|r\|^2`;
    - :math:`\|a - a^*\| \le \|r\| / (\lambda_{\min} + \alpha) \le \|r\| / \alpha`;
    - the fitted functions differ by at most :math:`|f(x) - f^*(x)| \le
      \sqrt{\kappa(x, x)}\,\|r\| / (2\sqrt\alpha)` at *every* x, seen or not.

    With weights w, y and K are those of the rows multiplied by :math:`\sqrt w`.

    Parameters
    ----------
    primal : float
        The objective at a, summed over targets.
    dual : float
        A lower bound of the optimum.
    gap : float, >= 0
        primal − dual.
    relative_gap : float
        The gap as a share of the objective.
    relative_residual : float
        The largest :math:`\|r\| / \|y\|` of a target.
    coefficient_error : float
        A bound of :math:`\|a - a^*\|`, the largest of a target; infinite for a penalty of 0.
    prediction_error : float
        A bound of :math:`|f(x) - f^*(x)| / \sqrt{\kappa(x, x)}`, the largest of a target.
    proved : bool
        False where it is not known that the kernel is positive semi-definite; the bounds hold if
        it is.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.kernel_ridge import KernelRidge
    >>> x = np.linspace(0.0, 3.0, 20).reshape(-1, 1)
    >>> model = KernelRidge(alpha=0.1, kernel="rbf").fit(x, np.sin(x[:, 0]))
    >>> model.certificate_.optimal, model.certificate_.prediction_error < 1e-12
    (True, True)
    """

    primal: float
    dual: float
    gap: float
    relative_gap: float
    relative_residual: float
    coefficient_error: float
    prediction_error: float
    proved: bool = True

    @classmethod
    def of(cls, y: Array, a: Array, residual: Array, alpha: Array, *, proved: bool) -> Self:
        """The certificate of coefficients a with their residual y − (K + αI)a, all n × t."""
        fitted_error = alpha * a + residual  # y − Ka
        roughness = np.maximum((a * (y - fitted_error)).sum(axis=0), 0.0)  # aᵀKa
        primal = float(((fitted_error**2).sum(axis=0) + alpha * roughness).sum())
        size, total = np.linalg.norm(residual, axis=0), np.linalg.norm(y, axis=0)
        gap = min(float((size**2).sum()), primal) if proved else float((size**2).sum())
        scale = max(primal, _EPS * float((total**2).sum()), _TINY)
        with np.errstate(divide="ignore", invalid="ignore"):
            coefficient = np.where(size > 0.0, size / alpha, 0.0)
            prediction = np.where(size > 0.0, size / (2.0 * np.sqrt(alpha)), 0.0)
        return cls(
            primal,
            primal - gap,
            gap,
            gap / scale,
            float((size / np.maximum(total, _TINY)).max()),
            float(coefficient.max()),
            float(prediction.max()),
            proved,
        )

    @property
    def optimal(self) -> bool:
        """Whether it is proved that the relative gap is at most 1e-6."""
        return self.proved and self.relative_gap <= _OPTIMAL

    @property
    def verdict(self) -> str:
        """The certificate in one sentence."""
        share, bound = f"{self.relative_gap:.1g}", f"{self.prediction_error:.1g}"
        if self.relative_gap > _OPTIMAL:
            return f"Not optimal: the objective may be lowered by up to {share} of it."
        condition = "" if self.proved else "if the kernel is positive semi-definite, "
        return (
            f"Optimal: {condition}no coefficients lower the objective by more than {share} of it, "
            f"and no prediction is off by more than {bound} √κ(x, x)."
        )

    def to_dict(self) -> dict[str, float | str | bool]:
        """All numbers, and the verdict, as plain data."""
        return asdict(self) | {"optimal": self.optimal, "verdict": self.verdict}
