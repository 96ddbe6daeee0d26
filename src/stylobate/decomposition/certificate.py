"""How far computed components can be from the exact ones, proved by their residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.spectrum import Spectrum

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class ComponentCertificate:
    r"""A bound of the error of each eigenpair :math:`(\lambda, v)` of the covariance C.

    With the residual :math:`r = Cv - \lambda v`, there is an eigenvalue of C within
    :math:`\|r\|` of λ, and the angle between v and its eigenvector obeys
    :math:`\sin\theta \le \|r\| / \text{gap}`, the gap being the distance from λ to all other
    eigenvalues.

    Parameters
    ----------
    variances : array of shape (k,)
        λ.
    residuals : array of shape (k,)
        :math:`\|r\|`, and no less than what rounding leaves.
    gaps : array of shape (k,)
        Distance to the nearest other eigenvalue, its own residual subtracted; at least 0.
    angles : array of shape (k,)
        Bounds of sin θ; 1 where nothing can be said of the direction by itself.
    proved : bool
        False where eigenvalues beyond the last component are known by estimates only.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.decomposition import PCA
    >>> x = np.random.default_rng(0).normal(size=(300, 4)) * [4.0, 2.0, 1.0, 0.5]
    >>> print(PCA(2).fit(x).certificate_.verdict)
    All 2 components are exact to 1e-13 of their direction or better.

    References
    ----------
    Davis & Kahan (1970), The rotation of eigenvectors by a perturbation III, SIAM Journal on
    Numerical Analysis 7.
    """

    variances: Array
    residuals: Array
    gaps: Array
    angles: Array
    proved: bool = True

    @classmethod
    def of(cls, spectrum: Spectrum, k: int) -> Self:
        """The certificate of the first k components."""
        values = spectrum.variances
        rounding = 8.0 * _EPS * float(values[0]) if len(values) else 0.0
        residuals = np.maximum(spectrum.residuals, rounding)
        others = np.append(values, [] if spectrum.complete else [spectrum.following])
        errors = np.append(residuals, [] if spectrum.complete else [rounding])
        gaps = np.empty(k)
        for j in range(k):
            apart = np.abs(others - values[j]) - errors
            apart[j] = np.inf
            gaps[j] = max(float(apart.min(initial=np.inf)), 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            angles = np.where(gaps > residuals[:k], residuals[:k] / gaps, 1.0)
        return cls(values[:k].copy(), residuals[:k], gaps, angles, spectrum.complete)

    @property
    def verdict(self) -> str:
        """The bounds in words."""
        count = len(self.angles)
        if count == 0:
            return "No components, nothing to bound."
        unclear = np.flatnonzero(self.angles >= 1.0)
        clear = self.angles[self.angles < 1.0]
        said = [_good(len(clear), count, float(clear.max()))] if len(clear) else []
        if len(unclear):
            said.append(_unclear([str(j + 1) for j in unclear]))
        text = "; ".join(said) + "."
        if not self.proved:
            text += " Variances beyond the last component are estimates."
        return text[0].upper() + text[1:]


def _good(clear: int, count: int, worst: float) -> str:
    whose = "all" if clear == count else f"{clear} of"
    if worst > 1e-2:
        bound = f"within {np.degrees(np.arcsin(worst)):.0f}° of the exact ones"
    else:
        bound = f"exact to {_power(worst)} of their direction or better"
    return f"{whose} {count} components are {bound}"


def _unclear(numbers: list[str]) -> str:
    names = ", ".join(numbers[:5]) + (", …" if len(numbers) > 5 else "")
    many = len(numbers) > 1
    return (
        f"component{'s' if many else ''} {names} cannot be told from a neighbour of nearly "
        "the same variance: only the space they span together is determined"
    )


def _power(value: float) -> str:
    """The next power of ten that is not below."""
    return f"1e{int(np.ceil(np.log10(max(value, 1e-300)))):+03d}".replace("+00", "+0")
