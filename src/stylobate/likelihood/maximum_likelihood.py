"""`MaximumLikelihood`: fit the parameters of a density given as a function."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    ConvergenceWarning,
    InferenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NotFittedError,
    joined,
)
from stylobate.likelihood.edges import shared_edge
from stylobate.likelihood.maximise import Maximum, maximise
from stylobate.likelihood.reading import read_bounds, read_data, read_start, starts
from stylobate.likelihood.rows import OWNER, RowLikelihood

if TYPE_CHECKING:
    from stylobate.likelihood.summary import LikelihoodSummary


class MaximumLikelihood:
    r"""Fit a parametric density by maximum likelihood.

    .. math:: \hat\theta = \arg\max_\theta \sum_i \omega_i \log f(x_i; \theta), \quad
        \operatorname{Cov} \hat\theta \approx
        \Big(-\frac{\partial^2 \ell}{\partial\theta^2}\Big)^{-1}

    L-BFGS within the bounds gets near the maximum and Newton's method arrives there; derivatives
    are differences of fourth order unless a gradient is given. Parameters that end at a bound or at
    the edge of a support that depends on them (Pareto's scale, the ends of a uniform law), and
    directions the data do not determine, are reported in words and get no standard error.

    Parameters
    ----------
    log_density : callable
        ``log_density(x, theta)``, or ``log_density(x, y, theta)`` if `fit` is given y: the log
        density (or log probability) of each row, an array of shape (n,). `theta` is an array.
    start : sequence of float, or mapping of names to floats
        Where to start; the log-likelihood must be finite there.
    gradient : callable, optional
        Derivatives of `log_density` in theta, same arguments, shape (n, k).
    bounds : sequence of (low, high) or mapping of names to pairs, optional
        Bounds of the parameters; None or ±inf for none. They belong to the allowed range.
    names : sequence of str, optional
        Names of the parameters; those of `start` if it is a mapping.
    n_starts : int >= 1, default=1
        How many starts to try: the given one, and random ones within finite bounds or around it.
    tol : float > 0, default=1e-6
        How much log-likelihood may be left to gain, by the quadratic model, for the fit to count as
        converged.
    max_iter : int >= 1, default=500
        Limit of L-BFGS iterations per start.
    random_state : int or None, default=None
        Seed of the random starts.

    Attributes
    ----------
    params_ : array of shape (k,)
        The estimates.
    covariance_ : array of shape (k, k)
        Inverse observed information; NaN where it does not exist.
    std_error_ : array of shape (k,)
    log_likelihood_ : float
    n_iter_ : int
    converged_ : bool
    gradient_norm_ : float
        Largest derivative of the log-likelihood over the free parameters, in units of their
        standard errors.
    at_bound_ : bool array of shape (k,)
        Which parameters ended at a bound.
    notes_ : tuple of str
        What a reader should know: not converged, at a bound, not determined.
    starts_ : array of shape (n_starts,)
        Log-likelihoods reached from the different starts.

    Examples
    --------
    A distribution on {0, 1, 2, 3} with probabilities 2θ/3, θ/3, 2(1 − θ)/3, (1 − θ)/3:

    >>> import numpy as np
    >>> def log_density(x, theta):
    ...     p = np.array([2 * theta[0], theta[0], 2 * (1 - theta[0]), 1 - theta[0]]) / 3
    ...     return np.log(p[x.astype(int)])
    >>> model = MaximumLikelihood(log_density, {"theta": 0.3}, bounds={"theta": (0, 1)})
    >>> model = model.fit([3, 0, 2, 1, 3, 2, 1, 0, 2, 1])
    >>> model.params_.round(6), model.std_error_.round(6)  # ½, and √(θ(1 − θ)/10)
    (array([0.5]), array([0.158114]))

    References
    ----------
    Pawitan (2001), In All Likelihood; Efron & Hinkley (1978), Biometrika 65, on observed
    information.
    """

    def __init__(
        self,
        log_density: Callable[..., Any],
        start: Sequence[float] | Mapping[str, float],
        *,
        gradient: Callable[..., Any] | None = None,
        bounds: Sequence[Any] | Mapping[str, Any] | None = None,
        names: Sequence[str] | None = None,
        n_starts: int = 1,
        tol: float = 1e-6,
        max_iter: int = 500,
        random_state: int | None = None,
    ) -> None:
        self.log_density = log_density
        self.start = start
        self.gradient = gradient
        self.bounds = bounds
        self.names = names
        self.n_starts = n_starts
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Maximise the log-likelihood of the rows.

        Parameters
        ----------
        X : array-like of shape (n,) or (n, d), or data frame
            The rows; a density of one variable gets them as (n,).
        y : array-like of shape (n,), optional
            A second argument of the density.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights: factors of the rows' log densities.

        Returns
        -------
        self
        """
        self._check_parameters()
        self.names_, start = read_start(self.start, self.names)
        low, high = read_bounds(self.bounds, self.names_, start)
        data, weights = read_data(X, y, sample_weight)
        sizes = np.where(start != 0, np.abs(start), 1.0)
        rows = RowLikelihood(self.log_density, self.gradient, data, weights, low, high, sizes)
        self._refuse_start(rows, start)
        found = [
            maximise(rows, each, max_iter=self.max_iter)
            for each in starts(start, low, high, self.n_starts, self.random_state)
            if np.isfinite(rows.value(each))
        ]
        self.starts_ = np.array([each.value for each in found])
        self._store(found[int(np.argmax(self.starts_))])
        return self

    def _check_parameters(self) -> None:
        if not callable(self.log_density):
            raise InvalidParameterError(
                f"{OWNER}: log_density must be a function of (x, theta), got {self.log_density!r}."
            )
        if self.gradient is not None and not callable(self.gradient):
            raise InvalidParameterError(
                f"{OWNER}: gradient must be a function of (x, theta) or None, got "
                f"{self.gradient!r}."
            )
        for name, least in (("n_starts", 1), ("max_iter", 1)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < least:
                raise InvalidParameterError(
                    f"{OWNER}: {name} must be an integer in [{least}, inf), got {value!r}."
                )
        if not 0.0 < self.tol < np.inf:
            raise InvalidParameterError(
                f"{OWNER}: tol must be a number in (0, inf), got {self.tol!r}."
            )

    def _refuse_start(self, rows: RowLikelihood, start: Array) -> None:
        values = rows.rows(start)
        if np.isfinite(values).all():
            return
        row = int(np.argmin(np.isfinite(values)))
        raise InvalidDataError(
            f"{OWNER}: log_density of row {row} is {values[row]} at the start "
            f"{dict(zip(self.names_, start.tolist(), strict=True))}; choose a start at which every "
            "row is possible."
        )

    def _store(self, best: Maximum) -> None:
        from stylobate.likelihood.maximise import invert

        self._rows, self._best = best.rows, best
        inverse, _ = invert(best.information, best.free)
        known = best.free & ~(np.abs(best.flat) > 1e-4 * np.abs(best.flat).max(axis=0)).any(axis=1)
        self.params_ = best.theta
        self.covariance_ = np.where(np.outer(known, known), inverse, np.nan)
        self.std_error_ = np.sqrt(np.diag(self.covariance_))
        self.log_likelihood_ = best.value
        self.n_iter_ = max(best.iterations, 1)
        self.at_bound_ = ~best.free
        self._at_edge = np.zeros_like(best.free) if best.at_edge is None else best.at_edge
        errors = np.sqrt(np.maximum(np.diag(inverse), 0.0))
        self.gradient_norm_ = float(np.abs(best.slope * errors).max(initial=0.0))
        finite = bool(np.isfinite(best.slope[best.free]).all())
        # derivatives that leave the support although each parameter alone stays in it
        self._shared = not np.isfinite(best.information).all() or (
            bool(self._at_edge.any())
            and shared_edge(best.rows, best.theta, best.value, self._at_edge, self.tol)
        )
        self.converged_ = bool(best.decrement <= self.tol and finite and not self._shared)
        said = self._notes(known)
        self.notes_ = tuple(f"{note[0].upper()}{note[1:]}" for _, note in said)
        for kind, note in said:
            warnings.warn(f"{OWNER}: {note}", kind, stacklevel=user_stacklevel())

    def _notes(self, known: NDArray[np.bool_]) -> list[tuple[type[Warning], str]]:
        notes: list[tuple[type[Warning], str]] = []
        best = self._best
        if self._shared:
            notes.append((
                joined(ConvergenceWarning),
                "the edge of the density's support depends on several parameters at once, and the "
                "search cannot follow it; give each edge a parameter of its own (a and b, not "
                "centre and width).",
            ))  # fmt: skip
        elif not self.converged_:
            notes.append((
                joined(ConvergenceWarning),
                f"the search stopped with about {best.decrement:.2g} of log-likelihood still to "
                f"gain; the tolerance asked for was {self.tol:g}. Raise max_iter, try other starts "
                f"(n_starts), or rescale the parameters.",
            ))  # fmt: skip
        edge = [n for n, held in zip(self.names_, self._at_edge, strict=True) if held]
        if edge:
            notes.append((
                InferenceWarning,
                f"{', '.join(edge)} ended at the edge of the density's support, which depends on "
                f"it: the usual theory of standard errors does not hold there, and none is given; "
                f"confidence_interval(kind='profile') holds.",
            ))  # fmt: skip
        held = ~best.free & ~self._at_edge
        bound = [n for n, at in zip(self.names_, held, strict=True) if at]
        if bound:
            notes.append((
                InferenceWarning,
                f"{', '.join(bound)} ended at a bound: the usual theory of standard errors and "
                f"tests does not hold there, and none is given for it.",
            ))  # fmt: skip
        vague = [n for n, k, f in zip(self.names_, known, best.free, strict=True) if f and not k]
        if vague:
            notes.append((
                InferenceWarning,
                f"the data do not determine {', '.join(vague)}: the log-likelihood is flat (or not "
                f"a maximum) in some direction of them, so they have no standard error, and their "
                f"estimates are one choice among many.",
            ))  # fmt: skip
        return notes

    # --- answers ----------------------------------------------------------------------------------

    def confidence_interval(
        self, level: float = 0.95, kind: Literal["wald", "profile"] = "wald"
    ) -> Array:
        """Confidence intervals of the parameters, (k, 2).

        Parameters
        ----------
        level : float in (0, 1), default=0.95
        kind : {"wald", "profile"}, default="wald"
            Estimate ± z standard errors; or where the log-likelihood, maximised over the other
            parameters, has fallen by half a χ² quantile. The latter follow a skewed likelihood,
            stay within the bounds, and do not depend on how a parameter is expressed. Of a
            parameter at the edge of the support, whose likelihood ratio has two degrees of freedom
            where the density jumps, the quantile is that of two.
        """
        from stylobate.inference.distributions import two_sided_quantile
        from stylobate.likelihood.profile import profile_interval

        self._check_fitted()
        if kind not in ("wald", "profile"):
            raise InvalidParameterError(f"kind must be 'wald' or 'profile', got {kind!r}.")
        z = two_sided_quantile(level, np.inf)
        half = z * self.std_error_
        if kind == "wald":
            return np.column_stack([self.params_ - half, self.params_ + half])
        drops = np.where(self._at_edge, -np.log1p(-level), 0.5 * z * z)
        pairs = [
            profile_interval(
                self._rows, self._best, j, float(drops[j]), float(half[j]), self.max_iter
            )
            for j in range(len(self.params_))
        ]
        return np.array(pairs)

    def summary(
        self,
        *,
        level: float = 0.95,
        covariance: Literal["classical", "HC0"] = "classical",
        interval: Literal["wald", "profile"] = "wald",
    ) -> LikelihoodSummary:
        """Estimates, standard errors, tests, intervals, AIC and BIC; print it for a table.

        Parameters
        ----------
        level : float in (0, 1), default=0.95
            Of the confidence intervals.
        covariance : {"classical", "HC0"}, default="classical"
            Inverse observed information, or the sandwich that stays right if the density is not.
        interval : {"wald", "profile"}, default="wald"
            See `confidence_interval`.

        Returns
        -------
        LikelihoodSummary
        """
        from stylobate.likelihood.answers import summarize_likelihood

        self._check_fitted()
        return summarize_likelihood(self, level, covariance, interval)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The log-likelihood of (new) rows at the estimates."""
        self._check_fitted()
        data, weights = read_data(X, y, sample_weight)
        low, high = self._rows.low, self._rows.high
        rows = RowLikelihood(
            self.log_density, None, data, weights, low, high, np.ones_like(self.params_)
        )
        return rows.value(self.params_)

    def _check_fitted(self) -> None:
        if not hasattr(self, "params_"):
            raise joined(NotFittedError)(
                f"This {OWNER} instance is not fitted yet. Call 'fit' first."
            )

    def __repr__(self) -> str:
        name = getattr(self.log_density, "__name__", repr(self.log_density))
        return f"{OWNER}({name}, {self.start!r})"
