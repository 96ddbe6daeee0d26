"""Poisson regression."""

from __future__ import annotations

from math import inf
from typing import Annotated

from stylobate.base import Interval, Options
from stylobate.base.study_role import StudyRole
from stylobate.linear_model.glm.regressor import SOLVERS, GeneralizedLinearRegressor
from stylobate.optimize.glm.family import POISSON, Family


class PoissonRegressor(GeneralizedLinearRegressor):
    r"""Poisson regression of counts, with the logarithm as link.

    .. math:: \min_{w, b} \; \frac{1}{2 \sum \omega} \sum_i \omega_i\, d(y_i, \mu_i)
        + \frac{\alpha}{2}\|w\|^2, \quad \mu_i = e^{x_i^\top w + b}, \quad
        d(y, \mu) = 2\left(y \log\frac{y}{\mu} - y + \mu\right)

    For rates, counts per exposure, pass ``y = counts / exposure`` and ``sample_weight=exposure``:
    the likelihood is the same as with an offset of log exposure.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        Strength of the penalty; 0 is maximum likelihood, with valid standard errors.
    fit_intercept : bool, default=True
        Whether to fit b.
    solver : {"auto", "lbfgs", "newton-cholesky"}, default="auto"
        "auto" takes Newton's method up to 2000 columns.
    max_iter : int in [1, inf), default=100
        Largest number of iterations.
    tol : float in (0, inf), default=1e-4
        Relative duality gap asked for; Newton's method gets much closer.
    warm_start : bool, default=False
        Whether to start from the previous answer.
    verbose : int in [0, inf) or bool, default=0
        Whether to print the objective of each iteration.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        w.
    intercept_ : float
        b.
    n_iter_ : int
        Iterations made.
    solver_, solver_reason_ : str
        The method used, and why.
    certificate_ : Certificate
        How close to the optimum the answer is, proved where the loss is convex.
    trace_ : Trace
        Objective and gradient per iteration.
    separation_ : SeparatedZeros or None
        Without a penalty: columns that set rows with y = 0 apart, whose coefficients have no finite
        estimate (looked for in memory).
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([1.0, 3.0, 7.0, 9.0])
    >>> model = PoissonRegressor(alpha=0).fit(X, y)
    >>> bool(np.isclose(model.coef_[0], np.log(8 / 2))), model.predict([[1.0]]).round(6)
    (True, array([8.]))

    References
    ----------
    McCullagh & Nelder (1989), Generalized Linear Models, chapter 6.
    """

    _study_role = StudyRole(
        "poisson",
        "Poisson regression",
        15,
        space={"alpha": (0.001, 0.01, 0.1, 1.0)},
        fixed={"max_iter": 1000},
        target="count",
    )

    def __init__(
        self,
        *,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        fit_intercept: bool = True,
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf, closed="neither")] = 1e-4,
        warm_start: bool = False,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.verbose = verbose

    @property
    def _family(self) -> Family:
        return POISSON
