"""What Gaussian mixtures share: fits from several starts, memberships, densities, draws."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from math import inf
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Tags
from stylobate.base.class_scores import Answer
from stylobate.base.randomness import stream_of
from stylobate.exceptions import (
    ConvergenceWarning,
    ModelFileError,
    NumericalError,
    joined,
)
from stylobate.mixture.covariance_types import TYPES, CovarianceType
from stylobate.mixture.expectation_maximization import (
    HasComponents,
    Run,
    certificate,
    displacement,
    iterate,
    sums_at,
)
from stylobate.mixture.mixin import MixtureMixin, check_count
from stylobate.mixture.progress import Progress
from stylobate.mixture.starts import Start, refuse_few
from stylobate.parallel import join_threadpoolctl
from stylobate.statistics import rows_at_hand

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Stream
    from stylobate.statistics import MixtureAt, MixtureSums, Source

P = TypeVar("P", bound=HasComponents)


class GaussianComponents(MixtureMixin, BaseEstimator, ABC, Generic[P]):
    """The fit of a Gaussian mixture and what follows from its parameters.

    Subclasses say how parameters P follow from sums of the rows (`_maximized`), what densities
    they mean (`_at`), what is maximised (`_bound`), and keep the best (`_store`).
    """

    n_components: int
    covariance_type: str
    tol: float
    reg_covar: float
    max_iter: int
    n_init: int
    init_params: str
    random_state: Any
    warm_start: bool
    verbose: Any
    verbose_interval: int

    def _tags(self) -> Tags:
        waits = self.init_params == "k-means++"
        return super()._tags().but(tier="all rows" if waits else "one pass per iteration")

    @property
    def _type(self) -> CovarianceType:
        return TYPES[self.covariance_type]

    @abstractmethod
    def _prepare(self, source: Source) -> None:
        """Check what was given for these columns, and find priors."""

    @abstractmethod
    def _at(self, parameters: P) -> MixtureAt:
        """The densities under parameters."""

    @abstractmethod
    def _maximized(self, sums: MixtureSums) -> P:
        """Parameters from sums of the rows."""

    @abstractmethod
    def _bound(self, sums: MixtureSums, parameters: P) -> float:
        """What is maximised; sums of a pass, and the parameters that followed from them."""

    @abstractmethod
    def _parameters(self) -> P:
        """What was learnt."""

    @abstractmethod
    def _store(self, parameters: P, precision: Any) -> None:
        """Keep what was learnt, in the precision of the rows where scikit-learn does."""

    def _first(self, start: Start) -> P:
        """Parameters to start from."""
        return self._maximized(start.sums(self.init_params))

    # --- fit ------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit from ``n_init`` starts and keep the best.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows of numbers, at least 2 and as many as there are components.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights: a row of weight 2 counts as two rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, None, sample_weight, reset=True, min_rows=2)
        refuse_few(type(self).__name__, table.n_rows, self.n_components)
        self._learn(table, self._source(table))
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        self._learn(stream, self._source(stream))
        return self

    def _learn(self, rows: Table | Stream, source: Source) -> None:
        join_threadpoolctl()
        self._prepare(source)
        resumed = self.warm_start and hasattr(self, "converged_")
        start = Start(
            rows,
            source,
            self.n_components,
            self._type.diagonal,
            stream_of(self.random_state),
            type(self).__name__,
        )
        best: Run[P] | None = None
        for number in range(1 if resumed else self.n_init):
            progress = Progress(self.verbose, self.verbose_interval, number)
            run = Run(self._parameters() if resumed else self._first(start))
            run.bound = self.lower_bound_ if resumed else -inf
            iterate(
                self,
                source,
                run,
                tol=self.tol,
                max_iter=self.max_iter,
                report=progress.iteration,
            )
            progress.end(run.bound, run.converged)
            if best is None or run.bound > best.bound:
                best = run
        assert best is not None  # n_init is at least 1
        self._finish(best, source)

    def _finish(self, run: Run[P], source: Source) -> None:
        # one more pass tells the value at the answer, and whether a further step would move it
        sums = sums_at(self, source, run.parameters)
        following = self._maximized(sums)
        residual = displacement(self._type, run.parameters, following, sums)
        self._store(run.parameters, _precision(source))
        self.converged_ = run.converged
        self.n_iter_ = len(run.bounds)
        self.lower_bound_ = run.bound if run.bounds else -inf
        self.lower_bounds_ = run.bounds
        self.trace_ = run.trace
        self.certificate_ = certificate(self._objective, -self._bound(sums, following), residual)
        if not run.converged and self.max_iter > 0:
            warnings.warn(
                f"{type(self).__name__}: Best performing initialization did not converge. Try "
                "different init parameters, or increase max_iter, tol, or check for degenerate "
                "data.",
                joined(ConvergenceWarning),
                stacklevel=4,
            )

    def _check_loaded(self) -> None:
        """Refuse covariances of a file that are of another type or of other columns."""
        if "means_" not in vars(self):
            return
        shape = self._type.shape(*self.means_.shape)
        for name in ("covariances_", "precisions_", "precisions_cholesky_"):
            if getattr(getattr(self, name, None), "shape", None) != shape:
                raise ModelFileError(
                    f"The {type(self).__name__} of the file has {name} of another shape than "
                    f"{shape}."
                )

    _objective = "−(1/Σw) Σ w log Σ_c π_c N(x; m_c, Σ_c)"
    lower_bound_: float

    # --- what follows from the parameters -------------------------------------------------------

    def _answer(self, X: Any, answer: Answer) -> tuple[NDArray[Any], Any]:
        """What is asked for, and the precision of the rows and of what was learnt."""
        from stylobate import _core

        self._check_fitted()
        table = self._read(X, reset=False, check_finite="deferred")
        at = self._at(self._parameters())
        score: Any = _core.diagonal_scores if at.diagonal else _core.triangular_scores
        found, finite = score(table.x, *at.core(), int(answer))
        if not finite:
            table.refuse_nonfinite()
            raise NumericalError(
                f"{type(self).__name__}: a row of X is so far from every component that its "
                "squared distance exceeds what double precision can hold; scale its columns."
            )
        return np.asarray(found), np.result_type(table.x.dtype, self.means_.dtype)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The component each row most probably belongs to.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return self._answer(X, Answer.CLASSES)[0]

    def predict_proba(self, X: Any) -> Array:
        """Probabilities that each row belongs to each component.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_components)
            Rows sum to 1.
        """
        found, precision = self._answer(X, Answer.PROBABILITIES)
        return found.astype(precision, copy=False)

    def score_samples(self, X: Any) -> Array:
        """The logarithm of the density at each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        scores, precision = self._answer(X, Answer.SCORES)
        top = scores.max(axis=1)
        found = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
        return np.asarray(found.astype(precision, copy=False))

    def sample(self, n_samples: int = 1) -> tuple[Array, NDArray[np.int64]]:
        """Rows drawn from the mixture, component by component; scikit-learn's draws.

        Parameters
        ----------
        n_samples : int in [1, inf), default=1
            How many.

        Returns
        -------
        X : array of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            The component of each.
        """
        self._check_fitted()
        check_count(n_samples, type(self).__name__)
        random = stream_of(self.random_state)
        k, p = self.means_.shape
        counts = random.multinomial(n_samples, np.asarray(self.weights_, dtype=np.float64))
        each = self._type.each(np.asarray(self.covariances_, dtype=np.float64), k)
        means = np.asarray(self.means_, dtype=np.float64)
        if self._type.diagonal:
            drawn = [
                mean + random.standard_normal(size=(count, p)) * np.sqrt(variance)
                for mean, variance, count in zip(means, each, counts, strict=True)
            ]
        else:
            drawn = [
                random.multivariate_normal(mean, covariance, int(count))
                for mean, covariance, count in zip(means, each, counts, strict=True)
            ]
        return np.vstack(drawn), np.repeat(np.arange(k), counts)

    weights_: Array
    means_: Array
    covariances_: Array


def _precision(source: Any) -> Any:
    """The precision of the rows of a source."""
    rows = rows_at_hand(source)
    return (source.first if rows is None else rows).x.dtype
