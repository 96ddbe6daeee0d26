"""Data splitting: some rows choose the columns, others tell what they are worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from stylobate.arrays import Indices
from stylobate.base import clone
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model.lasso.elastic_net_cv import LassoCV
from stylobate.linear_model.least_squares.linear_regression import LinearRegression

if TYPE_CHECKING:
    from stylobate.inference import RegressionSummary

_NAME = "split_inference"


@dataclass(frozen=True, eq=False)
class SplitInference:
    """Columns chosen by one part of the rows, and what the other part says of them.

    Parameters
    ----------
    selected : array of int
        The columns chosen.
    summary : RegressionSummary
        Least squares of them on the rows that did not choose.
    selection_rows, inference_rows : arrays of int
    """

    selected: Indices
    summary: RegressionSummary
    selection_rows: Indices
    inference_rows: Indices

    def __str__(self) -> str:
        return (
            f"{len(self.selected)} columns chosen by {len(self.selection_rows)} rows; the "
            f"{len(self.inference_rows)} others say:\n{self.summary}"
        )


def split_inference(
    X: Any,
    y: Any,
    *,
    selector: Any = None,
    share: float = 0.5,
    covariance: Literal["classical", "HC0", "HC1", "HC2", "HC3"] = "classical",
    level: float = 0.95,
    random_state: int | None = 0,
) -> SplitInference:
    """Choose columns on a part of the rows, and test them by least squares on the others.

    The rows that test have never been looked at, so that intervals and p values of the linear model
    *of the chosen columns* are valid whatever way chose them. The price is in rows.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Rows.
    y : array-like of shape (n,)
        Target.
    selector : estimator, optional
        Something with `fit` and `coef_`; zeros are columns left out. ``LassoCV()`` by default.
    share : float in (0, 1), default=0.5
        Of the rows, to choose.
    covariance : {"classical", "HC0", "HC1", "HC2", "HC3"}, default="classical"
        How the covariance of the coefficients is estimated.
    level : float in (0, 1), default=0.95
        Of the intervals.
    random_state : int or None, default=0
        Seed of the split.

    Returns
    -------
    SplitInference

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 30))
    >>> y = X[:, 0] - X[:, 1] + rng.normal(size=200)
    >>> found = split_inference(X, y)
    >>> bool({0, 1} <= set(found.selected.tolist()))
    True

    References
    ----------
    Cox (1975), A note on data-splitting for the evaluation of significance levels, Biometrika 62.
    """
    if not 0.0 < share < 1.0:
        raise InvalidParameterError(f"{_NAME}: share must be a number in (0, 1), got {share!r}.")
    table = read_table(X, y, owner=_NAME, y_required=True)
    table.refuse_nonfinite()
    assert table.y is not None
    n = table.n_rows
    order = np.random.default_rng(random_state).permutation(n)
    count = round(share * n)
    chosen_by, told_by = np.sort(order[:count]), np.sort(order[count:])
    if min(len(chosen_by), len(told_by)) < 2:
        raise InvalidDataError(
            f"{_NAME}: of {n} rows a share of {share:g} leaves fewer than two on a side; give more "
            "rows, or a share nearer to a half."
        )
    names = [str(name) for name in table.names or [f"x{j}" for j in range(table.n_features)]]
    model = LassoCV() if selector is None else clone(selector)
    first, rest = table.take(chosen_by), table.take(told_by)
    assert first.y is not None
    assert rest.y is not None
    coef = np.ravel(model.fit(first.x, first.y[:, 0]).coef_)
    if coef.shape != (table.n_features,):
        raise InvalidParameterError(
            f"{_NAME}: the selector has {len(coef)} coefficients for {table.n_features} columns; "
            "give a linear regression of one target."
        )
    selected = np.flatnonzero(coef)
    if len(selected) >= len(told_by) - 1:
        raise InvalidDataError(
            f"{_NAME}: the selector chose {len(selected)} columns, too many for the "
            f"{len(told_by)} rows left; use selection_rule='1se', or a smaller share."
        )
    if not len(selected):
        raise InvalidDataError(
            f"{_NAME}: the selector chose no column at all: there is nothing to test."
        )
    part = rest.x[:, selected]
    part = part if isinstance(part, np.ndarray) else part.toarray()
    least = LinearRegression().fit(part, rest.y[:, 0])
    said = least.summary(part, rest.y[:, 0], covariance=covariance, level=level)
    known = {f"x{k}": names[j] for k, j in enumerate(selected)}
    renamed = tuple(known.get(name, name) for name in said.coefficients.names)
    summary = replace(said, coefficients=replace(said.coefficients, names=renamed))
    return SplitInference(selected, summary, chosen_by, told_by)
