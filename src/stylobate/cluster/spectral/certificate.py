"""What is proved of a spectral clustering."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.cluster.spectral.cuts import CutValues
from stylobate.cluster.spectral.eigenpairs import Eigenpairs


@dataclass(frozen=True, slots=True)
class SpectralCertificate:
    r"""A lower bound of the smallest possible cut into k clusters, and the residuals it rests on.

    The normalised cut of any k clusters is at least the sum of the k smallest eigenvalues of the
    normalised Laplacian, the ratio cut at least that of the unnormalised one: they are minima of
    the same quotient over more than indicators.

    Parameters
    ----------
    objective : str
        "normalized cut" or "ratio cut".
    primal : float
        Its value for the labels.
    dual : float
        The sum of the eigenvalues, less their residuals.
    residuals : ndarray of shape (k,)
        :math:`\|L v - \lambda v\|` of the eigenpairs, which bounds the eigenvalues' errors.
    proved : bool
        Whether all smaller eigenvalues are known: False after an iteration that may have missed
        one.

    Examples
    --------
    >>> proof = SpectralCertificate("normalized cut", 0.4, 0.38, np.array([0.0, 1e-15]), True)
    >>> print(proof.verdict)
    The normalized cut is 0.4; none into as many clusters is below 0.38.
    """

    objective: str
    primal: float
    dual: float
    residuals: Array
    proved: bool

    @property
    def gap(self) -> float:
        """Primal - dual."""
        return max(self.primal - self.dual, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the cut."""
        return self.gap / self.primal if self.primal > 0.0 else 0.0

    @property
    def optimal(self) -> bool:
        """Whether no division into as many clusters is proved to have a smaller cut."""
        return self.proved and self.relative_gap <= 1e-6

    @property
    def verdict(self) -> str:
        """The certificate in one sentence."""
        if self.optimal:
            return f"Optimal: no {self.objective} into as many clusters is below {self.primal:.4g}."
        text = f"The {self.objective} is {self.primal:.4g}; none into as many clusters is below"
        sure = "" if self.proved else ", unless an eigenvalue was missed"
        return f"{text} {self.dual:.4g}{sure}."

    def __str__(self) -> str:
        return (
            f"Certificate. {self.verdict}\n  largest residual of an eigenpair "
            f"{float(np.max(self.residuals, initial=0.0)):.2g}"
        )


def certificate_of(
    pairs: Eigenpairs, cuts: CutValues, clusters: int, normed: bool
) -> SpectralCertificate:
    """The certificate of labels with these cuts, into so many clusters."""
    used = slice(0, min(clusters, len(pairs.values)))
    bound = float(np.maximum(pairs.values[used] - pairs.residuals[used], 0.0).sum())
    value = cuts.normalized_cut if normed else cuts.ratio_cut
    return SpectralCertificate(
        "normalized cut" if normed else "ratio cut",
        value,
        min(bound, value),
        pairs.residuals,
        value == 0.0 or "Lanczos" not in pairs.method,
    )
