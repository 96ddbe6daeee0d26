"""How far dissimilarities are from distances of points: the share of negative eigenvalues."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.centred_matrix import CentredMatrix
from stylobate.interrupts import interruptible

_EXACT = 1500  # points up to which all eigenvalues are computed
_PROBES, _STEPS = 16, 40
_ROUNDING = 1e-12


def negative_share(centred: CentredMatrix) -> float:
    r"""The share :math:`\sum_{λ<0} |λ| \,/\, \sum |λ|`; 0 for distances of points.

    Exact up to 1,500 points, beyond estimated to a few per cent of itself by Lanczos quadrature
    with random vectors (always the same ones).

    Parameters
    ----------
    centred : CentredMatrix
        The doubly centred matrix :math:`-\frac12 HD^2H`.

    Examples
    --------
    Sides 1, 1 and 4 are no triangle:

    >>> squares = np.array([[0.0, 1.0, 16.0], [1.0, 0.0, 1.0], [16.0, 1.0, 0.0]])
    >>> round(negative_share(CentredMatrix.stored(-0.5 * squares)), 3)
    0.2

    References
    ----------
    Ubaru, Chen & Saad (2017), Fast estimation of tr(f(A)) via stochastic Lanczos quadrature, SIAM
    J. Matrix Anal. Appl. 38.
    """
    trace = centred.centred_trace
    if centred.order <= _EXACT:
        values = interruptible(np.linalg.eigvalsh, centred.dense())
        values = np.where(np.abs(values) < _ROUNDING * np.abs(values).max(initial=0.0), 0.0, values)
        negative, size = float(-values[values < 0].sum()), float(np.abs(values).sum())
    else:
        negative = _quadrature(centred)
        size = trace + 2.0 * negative  # the trace is known exactly
    return negative / size if size > 0 else 0.0


def _quadrature(centred: CentredMatrix) -> float:
    """Σ |λ| over the negative eigenvalues: n times its mean over random unit vectors."""
    n = centred.order
    signs = np.random.RandomState(0).choice([-1.0, 1.0], size=(n, _PROBES))
    diagonal, beside = _lanczos(centred, signs / np.sqrt(n))
    sums = []
    for probe in range(_PROBES):
        t = np.diag(diagonal[:, probe]) + np.diag(beside[:-1, probe], 1)
        values, vectors = interruptible(np.linalg.eigh, t + np.diag(beside[:-1, probe], -1))
        sums.append(vectors[0] ** 2 @ np.maximum(-values, 0.0))
    return n * float(np.mean(sums))


def _lanczos(centred: CentredMatrix, start: Array) -> tuple[Array, Array]:
    """Lanczos' recurrence for several vectors at once: diagonals and what stands beside them."""
    diagonal, beside = np.zeros((2, _STEPS, start.shape[1]))
    previous, current = np.zeros_like(start), start
    for step in range(_STEPS):
        image = centred.times(current)
        diagonal[step] = (image * current).sum(axis=0)
        image -= diagonal[step] * current + (beside[step - 1] if step else 0.0) * previous
        beside[step] = np.linalg.norm(image, axis=0)
        previous, current = current, image / np.maximum(beside[step], np.finfo(float).tiny)
    return diagonal, beside


def is_exact(points: int) -> bool:
    """Whether the share of so many points is computed and not estimated."""
    return points <= _EXACT


def verdict_of(share: float, *, exact: bool = True) -> str:
    """The share in words, and that it is an estimate where it is one.

    >>> verdict_of(0.2)
    'Not Euclidean: 20 % of the sum of absolute eigenvalues is negative.'
    >>> verdict_of(0.2, exact=False)
    'Not Euclidean: about 20 % of the sum of absolute eigenvalues is negative (an estimate).'
    """
    if share < 1e-9:
        seen = "is negative" if exact else "was seen to be negative (an estimate)"
        return f"Euclidean: no eigenvalue {seen}, the dissimilarities are distances of points."
    percent = f"{'' if exact else 'about '}{100 * share:.2g}"
    end = "." if exact else " (an estimate)."
    return f"Not Euclidean: {percent} % of the sum of absolute eigenvalues is negative{end}"
