"""Contrasts: how a factor of k levels becomes k − 1 columns beside an intercept (or k without).

References
----------
Chambers & Hastie (1992), Statistical Models in S, section 2.3.2; R's `contr.treatment`,
`contr.sum`, `contr.helmert` and `contr.poly`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import FormulaError

CONTRASTS = ("Treatment", "Sum", "Helmert", "Poly")
_POWERS = {1: "linear", 2: "quadratic", 3: "cubic"}


def contrast_matrix(
    kind: str, levels: Sequence[Any], reference: Any = None
) -> tuple[Array, tuple[str, ...]]:
    """The columns of a contrast, one row per level, and what each column is called.

    Parameters
    ----------
    kind : {"Treatment", "Sum", "Helmert", "Poly"}
        Against a reference level (the first, unless named); against the mean of all, the last
        level (or the named one) being minus the others; against the mean of the levels before;
        orthogonal polynomials of the levels' numbers.
    levels : sequence
    reference : object, optional
        A level, for "Treatment" and "Sum".

    Examples
    --------
    >>> contrast_matrix("Helmert", "abc")[0].tolist()
    [[-1.0, -1.0], [1.0, -1.0], [0.0, 2.0]]
    >>> contrast_matrix("Sum", "abc")
    (array([[ 1.,  0.],
           [ 0.,  1.],
           [-1., -1.]]), ('S.a', 'S.b'))
    """
    k = len(levels)
    place = _place(kind, levels, reference)
    if kind == "Treatment":
        kept = [i for i in range(k) if i != place]
        return np.eye(k)[:, kept], tuple(str(levels[i]) for i in kept)
    if kind == "Sum":
        kept = [i for i in range(k) if i != place]
        matrix = np.eye(k)[:, kept]
        matrix[place] = -1.0
        return matrix, tuple(f"S.{levels[i]}" for i in kept)
    if kind == "Helmert":
        matrix = np.zeros((k, k - 1))
        for j in range(k - 1):
            matrix[: j + 1, j] = -1.0
            matrix[j + 1, j] = j + 1.0
        return matrix, tuple(f"H.{level}" for level in levels[1:])
    return _polynomials(k), tuple(_POWERS.get(j, f"^{j}") for j in range(1, k))


def _place(kind: str, levels: Sequence[Any], reference: Any) -> int:
    if kind not in CONTRASTS:
        raise FormulaError(
            f"There is no contrast named {kind!r}; there are {', '.join(CONTRASTS)}."
        )
    if reference is None:
        return 0 if kind == "Treatment" else len(levels) - 1
    if kind in ("Helmert", "Poly"):
        raise FormulaError(f"The contrast {kind} has no reference level.")
    for i, level in enumerate(levels):
        if level == reference or str(level) == str(reference):
            return i
    raise FormulaError(
        f"The reference level {reference!r} is none of the factor's levels, "
        f"{', '.join(repr(level) for level in levels[:8])}."
    )


def _polynomials(k: int) -> Array:
    """Orthonormal polynomials of 1 … k, the leading coefficient positive."""
    scores = np.arange(1.0, k + 1) - (k + 1) / 2
    q, r = np.linalg.qr(np.vander(scores, k, increasing=True))
    return np.asarray((q * np.sign(np.diag(r)))[:, 1:])
