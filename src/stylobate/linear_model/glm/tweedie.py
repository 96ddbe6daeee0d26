"""Tweedie regression."""

from __future__ import annotations

from math import inf
from typing import Annotated

from stylobate.base import Interval, Options
from stylobate.linear_model.glm.regressor import SOLVERS, GeneralizedLinearRegressor
from stylobate.optimize.glm.family import Family


class TweedieRegressor(GeneralizedLinearRegressor):
    r"""Regression with a variance proportional to a power of the mean.

    .. math:: \min_{w, b} \; \frac{1}{2 \sum \omega} \sum_i \omega_i\, d_p(y_i, \mu_i)
        + \frac{\alpha}{2}\|w\|^2, \quad \operatorname{Var} y = \phi\,\mu^p

    Power 0 is the normal distribution, 1 Poisson, between 1 and 2 compound Poisson–Gamma (amounts
    with exact zeros), 2 Gamma, 3 inverse Gaussian. With a logarithmic link the problem is convex,
    and its certificate a proof, for powers from 1 to 2; elsewhere (but for the normal distribution)
    Fisher scoring finds a stationary point.

    Parameters
    ----------
    power : float outside (0, 1), default=0.0
        p; no such distribution exists for powers between 0 and 1.
    alpha : float in [0, inf), default=1.0
        Strength of the penalty; 0 is maximum likelihood, with valid standard errors.
    fit_intercept : bool, default=True
        Whether to fit b.
    link : {"auto", "identity", "log"}, default="auto"
        "auto" is the identity for powers up to 0 and the logarithm above.
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
    >>> X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0.0, 4.0, 7.0, 9.0])
    >>> TweedieRegressor(power=1.5, alpha=0).fit(X, y).predict([[0.0], [1.0]]).round(6)
    array([2., 8.])

    References
    ----------
    Jørgensen (1997), The Theory of Dispersion Models.
    """

    def __init__(
        self,
        *,
        power: Annotated[float, Interval(-inf, 0, closed="right")]
        | Annotated[float, Interval(1, inf)] = 0.0,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        fit_intercept: bool = True,
        link: Annotated[str, Options("auto", "identity", "log")] = "auto",
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf, closed="neither")] = 1e-4,
        warm_start: bool = False,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
    ) -> None:
        self.power = power
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.link = link
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.verbose = verbose

    @property
    def _family(self) -> Family:
        link = self.link
        if link == "auto":
            link = "identity" if self.power <= 0 else "log"
        return Family(float(self.power), "log" if link == "log" else "identity")
