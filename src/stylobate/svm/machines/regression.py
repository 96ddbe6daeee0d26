"""What `SVR` and `NuSVR` share."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import RegressorMixin
from stylobate.svm.machines.single import SingleMachine


class SupportVectorRegressor(RegressorMixin, SingleMachine):
    """Regression with a tube in which errors are free; subclasses say its dual."""

    C: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the support vectors.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` the kernel matrix (n, n); for a function, whatever it
            takes.
        y : array-like of shape (n,)
            Targets.
        sample_weight : array-like of shape (n,), default=None
            Factors of C; rows whose weight is not positive are left out.

        Returns
        -------
        self
        """
        self._check_parameters()
        points = self._points_of_fit(X)
        target = self._target_of(y, self.shape_fit_[0])
        weights = self._weights_of(sample_weight, self.shape_fit_[0])
        self._learn(points, weights, target)
        return self

    def predict(self, X: Any) -> Array:
        """Predicted targets: Σ β_i κ(x_i, x) + b.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` their kernel with the points of the fit.

        Returns
        -------
        array of shape (n,)
        """
        return np.ascontiguousarray(self._sums(X)[:, 0])
