"""Impurities of class counts, as numbers."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError


def impurity(counts: Any, criterion: str = "gini", *, base: float = 2.0) -> float:
    r"""How mixed some classes are.

    .. math:: \text{gini} = \sum_k p_k (1 - p_k),\quad \text{entropy} = -\sum_k p_k \log p_k,
        \quad \text{misclassification} = 1 - \max_k p_k

    Parameters
    ----------
    counts : array-like of shape (n_classes,)
        Rows (or weights, or shares) of each class, not negative, not all 0.
    criterion : {"gini", "entropy", "log_loss", "misclassification"}, default="gini"
        Which; "log_loss" is the entropy.
    base : float in (1, inf), default=2
        Of the entropy's logarithm: 2 for bits (as trees report it), e for nats.

    Returns
    -------
    float

    Examples
    --------
    Three classes of equal size, and a node of 3, 4 and 5:

    >>> from math import e
    >>> round(impurity([1, 1, 1], "entropy", base=e), 4)
    1.0986
    >>> round(impurity([5, 5]), 3), impurity([5, 0], "misclassification")
    (0.5, 0.0)

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees.
    """
    values = np.asarray(counts, dtype=np.float64)
    total = values.sum()
    if values.ndim != 1 or not (values >= 0.0).all() or not 0.0 < total < np.inf:
        raise InvalidDataError(
            f"impurity: counts must be a list of numbers that are not negative and not all 0, got "
            f"{counts!r}."
        )
    if not base > 1.0:
        raise InvalidParameterError(f"impurity: base must be above 1, got {base!r}.")
    shares = values / total
    if criterion == "gini":
        return float((shares * (1.0 - shares)).sum())
    if criterion == "misclassification":
        return float(1.0 - shares.max())
    if criterion in ("entropy", "log_loss"):
        present = shares[shares > 0.0]
        return float(-(present * np.log(present)).sum() / log(base)) + 0.0
    raise InvalidParameterError(
        "impurity: criterion must be 'gini', 'entropy', 'log_loss' or 'misclassification', got "
        f"{criterion!r}."
    )
