"""Selection by the importances of a fitted model."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import HasMethods, Interval, Tags, clone
from stylobate.base.availability import available_if
from stylobate.base.constraints import is_number
from stylobate.base.delegation import is_fitted
from stylobate.base.validation import input_names
from stylobate.exceptions import InvalidParameterError, NotFittedError, joined
from stylobate.feature_selection.history import SelectionHistory, ranking
from stylobate.feature_selection.importance import Getter, importances_of, norms
from stylobate.feature_selection.selector import FeatureSelector, tags_around

_SPARSE = 1e-5  # coefficients that an ℓ1 penalty has set to zero, up to the solver's tolerance


class SelectFromModel(FeatureSelector):
    """Keep the features whose importance for a model reaches a threshold.

    Parameters
    ----------
    estimator : estimator
        With ``coef_`` or ``feature_importances_`` once fitted.
    threshold : float, str or None, default=None
        Least importance: a number, "mean", "median", or a multiple such as "1.25*mean". None: 1e-5
        for models with an ℓ1 penalty, else the mean.
    prefit : bool, default=False
        Whether `estimator` is fitted already and used as it is.
    norm_order : int (not 0) or inf or -inf, default=1
        Norm over the outputs of coefficients with several rows.
    max_features : int in [0, inf), callable or None, default=None
        Most features to keep, or a function of X that tells; use ``threshold=-inf`` to choose by
        number alone.
    importance_getter : str or callable, default="auto"
        Attribute that holds the importances ("named.steps" reach in), or a function of the model.

    Attributes
    ----------
    estimator_ : estimator
        The fitted model.
    threshold_ : float
        The threshold used.
    max_features_ : int
        The limit used, if any.
    history_ : SelectionHistory
        The importances as data for a picture.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import SelectFromModel
    >>> from stylobate.linear_model import Ridge
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> SelectFromModel(Ridge(), max_features=2).fit(X, y).get_feature_names_out()
    array(['bmi', 's5'], dtype=object)
    """

    if TYPE_CHECKING:
        estimator_: Any

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        *,
        threshold: Annotated[float, Interval(-inf, inf, closed="both")] | str | None = None,
        prefit: bool = False,
        norm_order: Annotated[int, Interval(1, inf)]
        | Annotated[int, Interval(-inf, -1, closed="right")]
        | Annotated[float, Interval(inf, inf, closed="both")]
        | Annotated[float, Interval(-inf, -inf, closed="both")] = 1,
        max_features: Annotated[int, Interval(0, inf)] | Callable[..., Any] | None = None,
        importance_getter: str | Callable[..., Any] = "auto",
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.prefit = prefit
        self.norm_order = norm_order
        self.max_features = max_features
        self.importance_getter: Getter = importance_getter

    def _tags(self) -> Tags:
        return tags_around(super()._tags(), self.estimator)

    def __sklearn_is_fitted__(self) -> bool:
        return super().__sklearn_is_fitted__() or bool(self.prefit)

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Fit the model, unless it is (`prefit`).

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,) or (n, n_outputs), optional
            Target.
        **fit_params : object
            More arguments for the model's `fit`.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._read(X, reset=True, check_finite="deferred")
        self._limit(X)
        if self.prefit:
            self.estimator_ = self._fitted_already()
        else:
            self.estimator_ = clone(self.estimator).fit(X, y, **fit_params)
        return self

    @available_if(lambda self: hasattr(self.estimator, "partial_fit"))
    def partial_fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Let the model learn from more rows.

        Parameters
        ----------
        X, y, **fit_params
            As for `fit`, for the model's `partial_fit`.

        Returns
        -------
        self
        """
        first = "estimator_" not in vars(self)
        self._check_parameters()
        self._read(X, reset=first, check_finite="deferred")
        if first:
            self._limit(X)
            self.estimator_ = self._fitted_already() if self.prefit else clone(self.estimator)
        if not self.prefit:
            self.estimator_.partial_fit(X, y, **fit_params)
        return self

    @property
    def _passes_gaps(self) -> bool:
        return self._tags().allow_nan

    def _limit(self, X: Any) -> None:
        if self.max_features is None:
            return
        self.max_features_ = self._whole(
            self.max_features(X) if callable(self.max_features) else self.max_features
        )

    def _whole(self, limit: Any) -> int:
        """A number of features, checked."""
        if not is_number(limit) or int(limit) != limit or limit < 0:
            raise InvalidParameterError(
                f"{type(self).__name__}: max_features must be (or give) an integer in [0, inf), "
                f"got {limit!r}."
            )
        return int(limit)

    def _fitted_already(self) -> Any:
        if not is_fitted(self.estimator):
            raise joined(NotFittedError)(
                f"{type(self).__name__}: When `prefit=True`, `estimator` is expected to be a "
                f"fitted estimator; {type(self.estimator).__name__} is not fitted. Fit it, or "
                "leave prefit out."
            )
        return deepcopy(self.estimator)

    def _model(self) -> Any:
        """The fitted model."""
        model = vars(self).get("estimator_")
        return self._fitted_already() if model is None else model

    def _importances(self) -> NDArray[np.float64]:
        found = importances_of(self._model(), self.importance_getter, type(self).__name__)
        return norms(found, self.norm_order)

    @property
    def threshold_(self) -> float:
        """The threshold in use."""
        return _threshold(self.threshold, self._importances(), self._model(), type(self).__name__)

    def _get_support_mask(self) -> Mask:
        self._check_fitted()
        importances = self._importances()
        limit = vars(self).get("max_features_", self.max_features)
        if callable(limit):
            raise joined(NotFittedError)(
                f"{type(self).__name__}: When `prefit=True` and `max_features` is a callable, call "
                "`fit` before calling `transform`."
            )
        mask = np.ones(len(importances), dtype=bool)
        if limit is not None:
            mask[np.argsort(-importances, kind="stable")[self._whole(limit) :]] = False
        owner = type(self).__name__
        return mask & (importances >= _threshold(self.threshold, importances, self._model(), owner))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the selected columns; a model fitted before knows them itself.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        ndarray of str objects
        """
        self._check_fitted()
        knows = self if "n_features_in_" in vars(self) else self.estimator
        return input_names(knows, input_features)[self._get_support_mask()]

    @property
    def support_(self) -> Mask:  # type: ignore[override]  # computed: parameters may change
        """Mask of the features selected."""
        return self._get_support_mask()

    @property
    def history_(self) -> SelectionHistory:
        """The importances of all features, as one step."""
        return ranking(self._importances(), self._get_support_mask(), "importance")


def _threshold(
    threshold: float | str | None, importances: NDArray[np.float64], estimator: Any, owner: str
) -> float:
    if threshold is None:
        return _SPARSE if _is_sparse_model(estimator) else float(np.mean(importances))
    if not isinstance(threshold, str):
        return float(threshold)
    factor, star, name = threshold.rpartition("*")
    try:
        scale = float(factor) if star else 1.0
    except ValueError:
        scale = np.nan
    reference: Any = {"mean": np.mean, "median": np.median}.get(name.strip())
    if reference is None or not np.isfinite(scale):
        raise InvalidParameterError(
            f"{owner}: threshold must be a number, 'mean', 'median' or a multiple of those such as "
            f"'1.25*mean', got {threshold!r}. Expected threshold='mean' or threshold='median'."
        )
    return scale * float(reference(importances))


def _is_sparse_model(estimator: Any) -> bool:
    """Whether a penalty of the model sets coefficients to zero: names as in scikit-learn."""
    name = type(estimator).__name__
    if getattr(estimator, "penalty", None) == "l1" or "Lasso" in name:
        return True
    ratio = {
        "ElasticNet": "l1_ratio",
        "LogisticRegression": "l1_ratio",
        "ElasticNetCV": "l1_ratio_",
        "LogisticRegressionCV": "l1_ratio_",
    }.get(name)
    value = getattr(estimator, ratio, None) if ratio else None
    return value is not None and bool(np.all(np.isclose(value, 1.0)))
