"""`IsotonicRegression`: an increasing function of one column."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, RegressorMixin, Tags, TransformerMixin
from stylobate.data import read_weights, wrap_output
from stylobate.data.columns import read_columns
from stylobate.data.origin import NUMPY
from stylobate.data.target import refuse_missing_target
from stylobate.data.words import Input, refuse_length
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ModelFileError
from stylobate.isotonic.certificate import isotonic_certificate
from stylobate.isotonic.direction import check_increasing
from stylobate.isotonic.least_squares import nearest_increasing, read_column
from stylobate.isotonic.thresholds import pooled_rows, without_middles
from stylobate.optimize.certificate import Certificate


class IsotonicRegression(RegressorMixin, TransformerMixin, BaseEstimator):
    r"""The increasing (or decreasing) function of one column that is nearest to the target.

    .. math:: \min_f \sum_i w_i (y_i - f(x_i))^2 \quad\text{over increasing } f,
              \; y_{min} \le f \le y_{max}

    by pooling adjacent violators; between the points of the fit it is linear.

    Parameters
    ----------
    y_min, y_max : float or None, default=None
        Bounds of the predictions.
    increasing : bool or "auto", default=True
        Whether the function increases or decreases; "auto" goes by Spearman's correlation.
    out_of_bounds : {"nan", "clip", "raise"}, default="nan"
        What is predicted below and above all x of the fit: NaN, the nearest prediction, or an
        error.

    Attributes
    ----------
    X_thresholds_, y_thresholds_ : arrays of shape (n_thresholds,)
        The points between which the function is linear.
    X_min_, X_max_ : float
        The smallest and largest x of the fit.
    increasing_ : bool
        Which way it goes.
    f_ : callable
        The function itself, of an array of x.
    certificate_ : Certificate
        How far the fit is from the best one: the optimality conditions of the cone of increasing
        sequences, which are partial sums of residuals.

    Examples
    --------
    >>> from stylobate.isotonic import IsotonicRegression
    >>> model = IsotonicRegression(out_of_bounds="clip").fit([1, 2, 3, 4], [1, 3, 2, 4])
    >>> model.predict([0, 2, 3.5])
    array([1.  , 2.5 , 3.25])
    >>> model.certificate_.optimal
    True

    References
    ----------
    Barlow, Bartholomew, Bremner & Brunk (1972), Statistical inference under order restrictions.
    """

    if TYPE_CHECKING:
        X_thresholds_: NDArray[Any]
        y_thresholds_: NDArray[Any]
        certificate_: Certificate

    _answers_may_be_missing = True  # out_of_bounds="nan" asks for it

    def __init__(
        self,
        *,
        y_min: float | None = None,
        y_max: float | None = None,
        increasing: bool | Literal["auto"] = True,
        out_of_bounds: Literal["nan", "clip", "raise"] = "nan",
    ) -> None:
        self.y_min = y_min
        self.y_max = y_max
        self.increasing = increasing
        self.out_of_bounds = out_of_bounds

    def _tags(self) -> Tags:
        kept = ("float64", "float32")
        return super()._tags().but(two_d=False, one_d=True, preserves_dtype=kept)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the function.

        Parameters
        ----------
        X : array-like of shape (n,) or (n, 1)
            The column.
        y : array-like of shape (n,)
            Target.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights; rows of weight 0 do not count at all.

        Returns
        -------
        self
        """
        self._check_parameters()
        owner = type(self).__name__
        if y is None:
            refuse_missing_target(owner)
        x, target = read_column(X, owner, "X"), read_column(y, owner, "y").astype(np.float64)
        if len(target) != len(x):
            refuse_length(Input(owner, "y"), len(x), len(target))
        weights = read_weights(sample_weight, len(x), owner=owner)
        if self.y_min is not None and self.y_max is not None and self.y_min > self.y_max:
            raise InvalidParameterError(
                f"{owner}: y_min={self.y_min} is above y_max={self.y_max}, which leaves no values."
            )
        rising = check_increasing(x, target) if self.increasing == "auto" else self.increasing
        if weights is not None and not weights.all():
            counts = weights > 0
            x, target, weights = x[counts], target[counts], weights[counts]
        rows = pooled_rows(x, target, weights)
        fitted = nearest_increasing(
            rows.y, rows.weights, self.y_min, self.y_max, increasing=bool(rising)
        )
        order = slice(None) if rising else slice(None, None, -1)
        proof = (rows.y[order], rows.weights[order], fitted[order], self.y_min, self.y_max)
        self.certificate_ = isotonic_certificate(*proof)
        self.increasing_ = bool(rising)
        self.X_min_, self.X_max_ = rows.x[0], rows.x[-1]
        self.X_thresholds_, self.y_thresholds_ = without_middles(
            rows.x, fitted.astype(x.dtype, copy=False)
        )
        return self

    @property
    def f_(self) -> Callable[[Any], NDArray[Any]]:
        """The function itself."""
        if "X_thresholds_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no f_ before it is fitted.")
        return self._at

    def _at(self, x: Any) -> NDArray[Any]:
        found = np.asarray(np.interp(x, self.X_thresholds_, self.y_thresholds_))
        if len(self.X_thresholds_) == 1:  # a constant, known everywhere
            return found
        first, last = self.X_thresholds_[0], self.X_thresholds_[-1]
        outside = (x < first) | (x > last)
        if self.out_of_bounds != "clip" and outside.any():
            if self.out_of_bounds == "raise":
                side = "below" if (x < first).any() else "above"
                raise InvalidDataError(
                    f"{type(self).__name__}: a value in x_new is {side} the interpolation range "
                    f"[{first:g}, {last:g}] of the fit, as {np.sum(outside)} are "
                    "outside of it; out_of_bounds='clip' predicts the nearest value there."
                )
            found[outside] = np.nan
        return found

    def predict(self, T: Any) -> NDArray[Any]:
        """The function's values.

        Parameters
        ----------
        T : array-like of shape (n,) or (n, 1)
            Where.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        dtype = self.X_thresholds_.dtype
        x = read_column(T, type(self).__name__, "X").astype(dtype, copy=False)
        return self._at(x).astype(dtype, copy=False)

    def transform(self, T: Any) -> Any:
        """The function's values, as `predict` gives them.

        Parameters
        ----------
        T : array-like of shape (n,) or (n, 1)
            Where.

        Returns
        -------
        array of shape (n,), or a frame of one column
            A frame if T is one, or where `set_output` asks for one.
        """
        found = self.predict(T)
        style, is_frame = self._style(), hasattr(T, "columns")
        if not is_frame and style in (None, "default"):
            return found
        origin = read_columns(T, owner=type(self).__name__).origin if is_frame else NUMPY
        columns = list(self.get_feature_names_out())
        return wrap_output(found[:, np.newaxis], origin=origin, columns=columns, style=style)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The name of the one column.

        Parameters
        ----------
        input_features : object, optional
            Ignored.

        Returns
        -------
        array of one str object
        """
        self._check_fitted()
        return np.array([f"{type(self).__name__.lower()}0"], dtype=object)

    def _check_loaded(self) -> None:
        """Refuse thresholds of a file that are no function."""
        learnt = ("X_min_", "X_max_", "X_thresholds_", "y_thresholds_")
        there = [name in vars(self) for name in learnt]
        if not all(there):
            if any(there):
                raise ModelFileError(f"The {type(self).__name__} of the file lost what it learnt.")
            return
        x, y = self.X_thresholds_, self.y_thresholds_
        arrays = all(isinstance(each, np.ndarray) and each.ndim == 1 for each in (x, y))
        if (
            not arrays
            or not 0 < len(x) == len(y)
            or any(each.dtype.kind != "f" or not np.isfinite(each).all() for each in (x, y))
            or not (np.diff(x) > 0).all()
        ):
            raise ModelFileError(
                f"The {type(self).__name__} of the file has thresholds that are no function."
            )
