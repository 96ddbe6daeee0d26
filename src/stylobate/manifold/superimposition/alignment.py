"""Embeddings of the same points turned so that they can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.manifold.superimposition.procrustes import procrustes

_ROUNDS = 100
_SMALL = 1e-10  # of the squares: a round that changes the mean by less is the last


def align_embeddings(
    embeddings: Sequence[Any], *, to: str = "previous", scale: bool = False, reflection: bool = True
) -> list[Array]:
    """Turn and shift successive embeddings of the same points upon one another.

    Embeddings are determined up to a rotation at best; aligned ones show what moved.

    Parameters
    ----------
    embeddings : sequence of array-like of shape (n, p)
        The same points in the same order.
    to : {"previous", "first", "mean"}, default="previous"
        What each is laid upon: the aligned one before it, the first, or the mean of all, found by
        turns (generalised Procrustes analysis).
    scale : bool, default=False
        Whether sizes may change.
    reflection : bool, default=True
        Whether left may become right.

    Returns
    -------
    list of arrays of shape (n, p)

    References
    ----------
    Gower (1975), Generalized Procrustes analysis, Psychometrika 40.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> first, second = align_embeddings([square, square @ [[0.0, 1.0], [1.0, 0.0]] + 3.0])
    >>> np.allclose(first, second)
    True
    """
    if to not in ("previous", "first", "mean"):
        raise InvalidParameterError(
            f"align_embeddings: to must be 'previous', 'first' or 'mean', got {to!r}."
        )
    if len(embeddings) == 0:
        raise InvalidDataError("align_embeddings: there is no embedding to align.")
    options = {"scale": scale, "reflection": reflection}
    aligned = [np.array(procrustes(embeddings[0], embeddings[0]).target)]
    for each in embeddings[1:]:
        target = aligned[-1] if to == "previous" else aligned[0]
        aligned.append(procrustes(each, target, **options).aligned)
    return _upon_mean(aligned, options) if to == "mean" else aligned


def _upon_mean(aligned: list[Array], options: dict[str, bool]) -> list[Array]:
    size = float(sum((each**2).sum() for each in aligned))
    mean = np.mean(aligned, axis=0)
    for _ in range(_ROUNDS):
        aligned = [procrustes(each, mean, **options).aligned for each in aligned]
        if options["scale"]:  # or all would shrink to a point
            factor = np.sqrt(size / sum(float((each**2).sum()) for each in aligned))
            aligned = [factor * each for each in aligned]
        before, mean = mean, np.mean(aligned, axis=0)
        if float(((mean - before) ** 2).sum()) <= _SMALL * float((mean**2).sum()):
            break
    return aligned
