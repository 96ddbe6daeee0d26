"""Distances of rows to the plane of a linear classifier, and its margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base.classes import read_classes
from stylobate.exceptions import InvalidDataError, InvalidParameterError


def signed_distances(model: Any, X: Any) -> Array:
    r"""Signed distances of rows to the plane of a fitted linear classifier.

    .. math:: δ(x) = \frac{w^Tx + b}{\|w\|},

    in the units of the columns, positive on the side of the second class. Multiplying w and b by a
    number changes `decision_function`, but not the distance.

    Parameters
    ----------
    model : fitted classifier with `coef_` and `decision_function`
        Of this library or another: logistic regression, perceptron, linear machines, discriminants.
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.

    Returns
    -------
    array of shape (n,), or (n, k) for a model with several planes

    Examples
    --------
    >>> from stylobate.svm import SVC
    >>> model = SVC(kernel="linear", C=1e6).fit([[0.0, 0.0], [3.0, 4.0]], [0, 1])
    >>> signed_distances(model, [[0.0, 0.0], [1.5, 2.0], [3.0, 4.0]]).round(6) + 0.0
    array([-2.5,  0. ,  2.5])
    """
    coefficients = getattr(model, "coef_", None)
    if coefficients is None or not hasattr(model, "decision_function"):
        raise InvalidParameterError(
            f"signed_distances: {type(model).__name__} has no plane; give a fitted linear "
            "classifier, one with coef_ and decision_function."
        )
    planes = coefficients.toarray() if hasattr(coefficients, "toarray") else coefficients
    lengths = np.sqrt(np.square(np.atleast_2d(np.asarray(planes, dtype=np.float64))).sum(axis=1))
    if not lengths.all():
        raise InvalidDataError(
            f"signed_distances: all coefficients of {type(model).__name__} are 0, so that there is "
            "no plane to be far from."
        )
    decisions = np.asarray(model.decision_function(X), dtype=np.float64)
    several = decisions.ndim == 2
    if (several and decisions.shape[1] != len(lengths)) or (not several and len(lengths) != 1):
        raise InvalidParameterError(
            f"signed_distances: {type(model).__name__} has {len(lengths)} planes, but decisions of "
            f"shape {decisions.shape}; with SVC, set decision_function_shape='ovo'."
        )
    return np.asarray(decisions / (lengths if several else lengths[0]))


@dataclass(frozen=True)
class Margin:
    """How far rows are on their own side of a plane.

    Attributes
    ----------
    distances : array of shape (n,)
        Signed by the row's own class: negative on the wrong side.
    margin : float
        The least of them: the margin of the classifier on these rows.
    closest : array of int
        Rows that have it, within rounding.
    wrong : array of int
        Rows on the wrong side.
    """

    distances: Array
    margin: float
    closest: Indices
    wrong: Indices

    def __str__(self) -> str:
        if len(self.wrong):
            return (
                f"{len(self.wrong)} of {len(self.distances)} rows are on the wrong side of the "
                f"plane, the worst {-self.margin:.4g} beyond it."
            )
        return (
            f"All {len(self.distances)} rows are on their side of the plane, the nearest "
            f"{self.margin:.4g} away from it."
        )


def margin(model: Any, X: Any, y: Any) -> Margin:
    r"""The margin of a linear classifier of two classes on rows: the least :math:`y_i δ(x_i)`.

    Parameters
    ----------
    model : fitted classifier of two classes
        As for `signed_distances`.
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.
    y : array-like of shape (n,)
        Their classes.

    Returns
    -------
    Margin

    Examples
    --------
    Of all lines between two classes the support vector machine has the largest margin:

    >>> from stylobate.linear_model import LogisticRegression
    >>> from stylobate.svm import SVC
    >>> X = [[-2, -1], [-1, -1], [-1, -2], [1, 1], [1, 2], [4, 1]]
    >>> y = [-1, -1, -1, 1, 1, 1]
    >>> print(margin(SVC(kernel="linear", C=1e6).fit(X, y), X, y))
    All 6 rows are on their side of the plane, the nearest 1.414 away from it.
    >>> margin(LogisticRegression().fit(X, y), X, y).margin < 1.414
    True

    References
    ----------
    Cortes & Vapnik (1995), Support-vector networks, Machine Learning 20.
    """
    distances = signed_distances(model, X)
    known: NDArray[Any] = np.asarray(model.classes_)
    if distances.ndim != 1 or len(known) != 2:
        raise InvalidParameterError(
            f"margin: {type(model).__name__} has {len(known)} classes; the margin is of two. Give "
            "one model for each pair of classes."
        )
    classes, codes = read_classes(y, owner="margin", n_rows=len(distances), least=1)
    if not np.isin(classes, known).all():
        raise InvalidDataError(
            f"margin: y holds {classes.tolist()}, but the model knows {known.tolist()}."
        )
    own = distances * np.where(classes[codes] == known[1], 1.0, -1.0)
    least = float(own.min())
    near = own <= least + 1e-9 * float(np.abs(own).max())
    return Margin(own, least, np.flatnonzero(near), np.flatnonzero(own < 0.0))
