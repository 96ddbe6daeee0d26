"""Is it a kernel? Symmetry and eigenvalues of a Gram matrix, with a witness if it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.interrupts import interruptible
from stylobate.kernels.functions import as_kernel


@dataclass(frozen=True, slots=True, eq=False)
class MercerReport:
    r"""What a Gram matrix says about a kernel.

    Attributes
    ----------
    symmetric, positive : bool
        The verdicts; `holds` is both.
    asymmetry : float
        The largest :math:`|K_{ij} - K_{ji}|`, at `asymmetric_pair`.
    smallest, largest : float
        Eigenvalues of :math:`(K + K^T)/2`.
    tolerance : float
        Eigenvalues above its negative count as not negative: rounding alone makes as much.
    witness : array of shape (n,) or None
        c with :math:`c^T K c < 0`, if there is one.
    """

    n: int
    symmetric: bool
    positive: bool
    asymmetry: float
    asymmetric_pair: tuple[int, int]
    smallest: float
    largest: float
    tolerance: float
    witness: Array | None

    @property
    def holds(self) -> bool:
        """Whether the Gram matrix is one that a Mercer kernel can give."""
        return self.symmetric and self.positive

    def __str__(self) -> str:
        """The verdict in a sentence."""
        if not self.symmetric:
            i, j = self.asymmetric_pair
            return (
                f"Not a kernel: κ(x{i}, x{j}) and κ(x{j}, x{i}) differ by {self.asymmetry:.3g}; "
                "a kernel is symmetric."
            )
        if not self.positive:
            return (
                f"Not a Mercer kernel: on these {self.n} points the Gram matrix has the eigenvalue "
                f"{self.smallest:.3g} (the largest is {self.largest:.3g}); with its eigenvector c, "
                "cᵀKc < 0."
            )
        return (
            f"Nothing against a Mercer kernel on these {self.n} points: symmetric, smallest "
            f"eigenvalue {self.smallest:.3g}, within rounding of not negative. Other points could "
            "still refute it."
        )


def check_mercer(
    kernel: Any, X: Any | None = None, *, tolerance: float | None = None
) -> MercerReport:
    r"""Hold a kernel against Mercer's condition on points: K symmetric, :math:`c^T K c \ge 0`.

    Parameters
    ----------
    kernel : Kernel, function of two points, name, or Gram matrix of shape (n, n)
        What to check; a matrix needs no X.
    X : points, default=None
        Where to check.
    tolerance : float in [0, inf) or None, default=None
        How negative an eigenvalue may be; None for n · ε · largest eigenvalue · 10.

    Returns
    -------
    MercerReport
        ``report.holds``; ``print(report)`` says why.

    Examples
    --------
    >>> from stylobate.kernels import RBF, Sigmoid
    >>> points = [[0.0], [1.0], [2.0]]
    >>> check_mercer(RBF(gamma=1.0), points).holds
    True
    >>> print(check_mercer(Sigmoid(gamma=1.0, coef0=-1.0), points))  # doctest: +ELLIPSIS
    Not a Mercer kernel: on these 3 points the Gram matrix has the eigenvalue -1...
    """
    gram = np.asarray(kernel if X is None else as_kernel(kernel)(X), dtype=np.float64)
    if gram.ndim != 2 or gram.shape[0] != gram.shape[1] or not len(gram):
        raise InvalidDataError(
            f"check_mercer: a Gram matrix is square, got shape {gram.shape}; give points as X."
        )
    if not np.isfinite(gram).all():
        raise InvalidDataError("check_mercer: the Gram matrix has NaN or infinite entries.")
    gap = np.abs(gram - gram.T)
    worst = np.unravel_index(int(np.argmax(gap)), gap.shape)
    size = float(np.abs(gram).max())
    rounding = 10.0 * len(gram) * np.finfo(np.float64).eps
    values, vectors = interruptible(np.linalg.eigh, (gram + gram.T) / 2.0)
    allowed = rounding * max(float(values[-1]), size) if tolerance is None else float(tolerance)
    negative = float(values[0]) < -allowed
    return MercerReport(
        n=len(gram),
        symmetric=bool(gap.max() <= rounding * size),
        positive=not negative,
        asymmetry=float(gap.max()),
        asymmetric_pair=(int(worst[0]), int(worst[1])),
        smallest=float(values[0]),
        largest=float(values[-1]),
        tolerance=allowed,
        witness=vectors[:, 0] if negative else None,
    )
