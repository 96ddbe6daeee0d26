"""Kernel ridge regression with penalty and width chosen by leaving rows out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernel_ridge.certificate import KernelRidgeCertificate
from stylobate.kernel_ridge.cholesky import solve_directly, warn_indefinite
from stylobate.kernel_ridge.regressor import (
    Constant,
    Degree,
    FunctionParameters,
    KernelParameter,
    KernelRegressor,
    Width,
)
from stylobate.kernel_ridge.spectrum import KernelSpectrum
from stylobate.kernel_ridge.system import KernelSystem
from stylobate.kernel_ridge.validation import fold_scores, leave_one_out_predictions
from stylobate.kernels.request import KernelRequest
from stylobate.linear_model.shared.row_scores import best_penalty, score_predictions
from stylobate.metrics.scoring.names import SCORER_NAMES
from stylobate.parallel import join_threadpoolctl
from stylobate.splits import splits_of

_ALPHAS = (0.1, 1.0, 10.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """One width with its best penalty; `kept`: what leave-one-out found, n × alphas × targets."""

    gamma: float | None
    system: KernelSystem
    scores: Array
    alpha: Any
    score: Any
    spectrum: KernelSpectrum | None = None
    kept: Array | None = None
    predictions: Array | None = None

    @property
    def mean_score(self) -> float:
        """Over the targets."""
        return float(np.mean(self.score))


class KernelRidgeCV(KernelRegressor):
    r"""Kernel ridge regression that chooses its penalty, and its width if several are given.

    One eigendecomposition :math:`K = Q\Lambda Q^T` gives the answers at every penalty and, with
    ``cv=None``, the exact leave-one-out errors :math:`a_i / [(K + \alpha I)^{-1}]_{ii}`, equal to
    those of n refits. With folds there is one decomposition for each of them, of parts of one
    kernel matrix. Each width of ``gamma`` has its own decompositions.

    Parameters
    ----------
    alphas : array-like of numbers in [0, inf), default=(0.1, 1.0, 10.0)
        Penalties to try.
    kernel : str, Kernel or callable, default="linear"
        As of `KernelRidge`.
    gamma : float in [0, inf), array-like of them or None, default=None
        As of `KernelRidge`, or widths to try.
    degree : float in [0, inf), default=3
        Of "poly".
    coef0 : float, default=1
        Of "poly" and "sigmoid".
    kernel_params : dict or None, default=None
        Further arguments of a function of two rows.
    scoring : str, callable or None, default=None
        What to maximise, as for `RidgeCV`. None: the negative mean squared error with ``cv=None``,
        R² with folds.
    cv : int, splitter, iterable of (train, test) or None, default=None
        None for leave-one-out.
    store_cv_results : bool, default=False
        Whether to keep all leave-one-out errors in `cv_results_`.
    alpha_per_target : bool, default=False
        Whether to choose a penalty for each target (leave-one-out only).

    Attributes
    ----------
    alpha_ : float or array of shape (n_targets,)
        The chosen penalty.
    gamma_ : float or None
        The chosen width.
    best_score_ : float or array of shape (n_targets,)
        Its score.
    cv_scores_ : array of shape (n_alphas,), or (n_alphas, n_folds), or (n_alphas, n_targets)
        Scores of all penalties; with several widths, one such array for each.
    cv_results_ : array of shape (n, n_alphas) or (n, n_targets, n_alphas)
        Squared leave-one-out errors (with a scoring: the predictions) at `gamma_`, if stored.
    loo_predictions_ : array of shape (n,) or (n, n_targets)
        Of each row by the fit without it, at the chosen penalty (``cv=None``).
    dual_coef_, X_fit_, certificate_
        As of `KernelRidge` at the chosen penalty and width.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = np.sort(rng.uniform(0.0, 6.0, size=(60, 1)), axis=0)
    >>> y = np.sin(x[:, 0]) + 0.1 * rng.normal(size=60)
    >>> model = KernelRidgeCV([1e-3, 0.1, 10.0], kernel="rbf", gamma=[0.01, 0.3, 10.0]).fit(x, y)
    >>> model.alpha_, model.gamma_
    (0.1, 0.3)

    References
    ----------
    Rifkin & Lippert (2007), Notes on regularized least squares, MIT-CSAIL-TR-2007-025.
    """

    def __init__(
        self,
        alphas: Annotated[Any, Numbers(0, inf)] | Annotated[float, Interval(0, inf)] = _ALPHAS,
        *,
        kernel: KernelParameter = "linear",
        gamma: Width | Annotated[Any, Numbers(0, inf)] = None,
        degree: Degree = 3,
        coef0: Constant = 1,
        kernel_params: FunctionParameters = None,
        scoring: Annotated[str, Options(*SCORER_NAMES)] | Callable[..., Any] | None = None,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
    ) -> None:
        self.alphas = alphas
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.scoring = scoring
        self.cv = cv
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target

    @property
    def _request(self) -> KernelRequest:
        return self._request_with(self.gamma_)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose, and find the coefficients.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for "precomputed" the kernel matrix.
        y : array-like of shape (n,) or (n, n_targets)
            Targets.
        sample_weight : float or array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        join_threadpoolctl()
        self._refuse_unsuitable()
        table = self._read(X, y, sample_weight, reset=True)
        alphas = np.atleast_1d(np.asarray(self.alphas, dtype=np.float64))
        given: Any = self.gamma
        several = np.ndim(given) > 0
        widths = [float(each) for each in given] if several else [given]
        best, scores = None, []
        for width in widths:
            tried = self._try(width, table, alphas)
            scores.append(tried.scores)
            if best is None or tried.mean_score > best.mean_score:
                best = tried
        assert best is not None
        self._refuse_undetermined(best, table.n_rows)
        self.cv_scores_ = np.stack(scores) if several else scores[0]
        self._store(best, table, alphas)
        return self

    def _refuse_unsuitable(self) -> None:
        for which in ("store_cv_results", "alpha_per_target"):
            if self.cv is not None and getattr(self, which):
                raise InvalidParameterError(
                    f"{type(self).__name__}: {which}=True needs leave-one-out; leave out cv."
                )

    def _refuse_undetermined(self, best: _Tried, n_rows: int) -> None:
        if not np.isfinite(best.score).all():
            raise InvalidDataError(
                f"{type(self).__name__}: at none of the alphas is there a score to go by for these "
                f"{n_rows} rows: K + αI is singular, or the scores are not finite. Give a larger "
                "penalty."
            )

    def _try(self, gamma: float | None, table: Table, alphas: Array) -> _Tried:
        system = KernelSystem.of(self._request_with(gamma), table, type(self).__name__)
        if self.cv is not None:
            scoring = "r2" if self.scoring is None else self.scoring
            splits = splits_of(self.cv, table.x, table.y)
            scores = fold_scores(system, table, splits, alphas, scoring)
            return _Tried(gamma, system, scores, *best_penalty(scores.mean(axis=1), alphas))
        assert table.y is not None
        spectrum = KernelSpectrum.of(system.matrix())
        with np.errstate(invalid="ignore"):
            predictions = leave_one_out_predictions(system, spectrum, table.y, alphas)
        scores, kept = self._score(table, predictions)
        if not (self.alpha_per_target and scores.shape[1] > 1):
            scores = scores.mean(axis=1)
        chosen = best_penalty(scores, alphas)
        return _Tried(gamma, system, scores, *chosen, spectrum, kept, predictions)

    def _score(self, table: Table, predictions: Array) -> tuple[Array, Array]:
        """Scores (alphas × targets, or alphas × 1) of what leave-one-out predicts."""
        assert table.y is not None
        if self.scoring is not None:
            scores = score_predictions(
                self.scoring, table, predictions, per_target=self.alpha_per_target
            )
            return scores, predictions
        kept = (table.y[:, None, :] - predictions) ** 2
        if table.weights is not None:
            kept = np.where(table.weights[:, None, None] > 0.0, kept, 0.0)
            kept *= table.weights[:, None, None]
        return -kept.mean(axis=0), kept

    def _store(self, best: _Tried, table: Table, alphas: Array) -> None:
        system, spectrum = best.system, best.spectrum
        self.alpha_, self.gamma_, self.best_score_ = best.alpha, best.gamma, best.score
        alpha = np.broadcast_to(np.asarray(best.alpha, dtype=np.float64), (system.y.shape[1],))
        if spectrum is None:
            a = solve_directly(system.matrix(), system.y, alpha, type(self).__name__).a
        else:
            lowest = float(spectrum.values[0] + alpha.min())
            if lowest < 0.0:
                warn_indefinite(lowest, float(alpha.min()), type(self).__name__)
            columns = np.searchsorted(np.unique(alpha), alpha), np.arange(len(alpha))
            a = spectrum.coefficients(system.y, np.unique(alpha))[:, *columns]
        self.certificate_ = KernelRidgeCertificate.of(
            system.y, a, system.residual(a, alpha), alpha, proved=system.is_mercer
        )
        flat = table.y_is_vector
        dual = system.dual_coefficients(a)
        self.dual_coef_ = dual[:, 0].copy() if flat else np.ascontiguousarray(dual)
        self.X_fit_ = system.rows if system.request.is_given else system.rows.copy()
        if best.predictions is None or best.kept is None:
            return
        place = [int(np.flatnonzero(alphas == each)[0]) for each in alpha]
        left_out = best.predictions[:, place, np.arange(len(alpha))]
        self.loo_predictions_ = left_out[:, 0].copy() if flat else left_out
        if self.store_cv_results:
            per_target = np.ascontiguousarray(best.kept.transpose(0, 2, 1))
            self.cv_results_ = per_target[:, 0] if flat else per_target
