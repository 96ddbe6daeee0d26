"""The door of formulas: `stylobate.model("y ~ x", data)`."""

from __future__ import annotations

from typing import Any

from stylobate.regression.formula_model import FormulaModel


def model(
    formula: str,
    data: Any,
    family: str = "gaussian",
    *,
    link: str | None = None,
    weights: Any = None,
    exposure: Any = None,
    estimator: Any = None,
    contrast: str = "Treatment",
    missing: str = "refuse",
    zeros: str | None = None,
    absorb: Any = None,
) -> FormulaModel:
    """Fit a model said by a formula.

    Parameters
    ----------
    formula : str
        "y ~ C(city) * x + log(z)"; see `FormulaModel`.
    data : data frame (pandas, polars, pyarrow …), mapping of names to columns, path or rows
        The table; of a file or database least squares takes two or three passes and keeps no rows.
    family : str, default="gaussian"
        Least squares; or "binomial", "poisson", "gamma", "inverse_gaussian", "negative_binomial",
        "ordinal", "quasi_binomial", "quasi_poisson", "zero_inflated_poisson",
        "zero_inflated_negative_binomial".
    link : str, optional
        One of the family's; the first by default.
    weights : array-like or name of a column, optional
        Of the rows.
    exposure : array-like or name of a column, optional
        Positive amounts whose logarithm is an offset.
    estimator : estimator, optional
        Any regressor or classifier instead of a family: quantiles, lasso, a pipeline …
    contrast : {"Treatment", "Sum", "Helmert", "Poly"}, default="Treatment"
        Of factors that name none.
    missing : {"refuse", "drop"}, default="refuse"
        What to do with rows in which something is missing.
    zeros : str, optional
        The right side of the zero part of zero-inflated counts.
    absorb : str or sequence of str, optional
        Columns whose levels are fixed effects, swept out: least squares with millions of levels.

    Returns
    -------
    FormulaModel

    Examples
    --------
    >>> from stylobate import model
    >>> data = {"y": [1.0, 2.0, 4.0, 6.0], "g": ["a", "a", "b", "b"], "x": [0.0, 1.0, 0.0, 1.0]}
    >>> model("y ~ g + x", data).predict({"g": ["b"], "x": [2.0]}).round(6)
    array([7.25])
    """
    chosen = FormulaModel(
        formula, family=family, link=link, estimator=estimator, contrast=contrast,
        missing=missing, zeros=zeros, absorb=absorb,
    )  # fmt: skip
    return chosen.fit(data, sample_weight=weights, exposure=exposure)
