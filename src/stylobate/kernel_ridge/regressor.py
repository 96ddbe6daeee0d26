"""What both kernel ridge regressors share: their kernel, and predictions from coefficients."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, RegressorMixin, Tags
from stylobate.base.constraints import CallableObject, Instance
from stylobate.exceptions import ModelFileError
from stylobate.kernels import Kernel
from stylobate.kernels.request import ALL_KERNEL_NAMES, KernelRequest

KernelParameter = (
    Annotated[str, Options(*ALL_KERNEL_NAMES)]
    | Annotated[Any, Instance(Kernel)]
    | Annotated[Any, CallableObject()]
)
Width = Annotated[float, Interval(0, inf)] | None
Degree = Annotated[float, Interval(0, inf)]
Constant = Annotated[float, Interval(-inf, inf, closed="neither")]
FunctionParameters = Annotated[Any, Instance(dict)] | None


class KernelRegressor(RegressorMixin, BaseEstimator):
    """f(x) = Σᵢ aᵢ κ(x, xᵢ) with the rows of the fit and their coefficients."""

    kernel: Any
    degree: float
    coef0: float
    kernel_params: Any
    dual_coef_: Array
    X_fit_: Any

    def _tags(self) -> Tags:
        given = isinstance(self.kernel, str) and self.kernel == "precomputed"
        positive = isinstance(self.kernel, str) and "chi2" in self.kernel
        return (
            super()
            ._tags()
            .but(sparse=not positive, multi_output=True, pairwise=given, positive_only=positive)
        )

    def _request_with(self, gamma: float | None) -> KernelRequest:
        return KernelRequest(self.kernel, gamma, self.degree, self.coef0, self.kernel_params)

    @property
    def _request(self) -> KernelRequest:
        raise NotImplementedError

    def _check_loaded(self) -> None:
        """Refuse rows of a file that are of other columns, or have no coefficient each."""
        if "dual_coef_" not in vars(self):
            return
        rows, count = getattr(self.X_fit_, "shape", ()), np.shape(self.dual_coef_)[:1]
        if rows[:1] != count or (not self._tags().pairwise and rows[1:] != (self.n_features_in_,)):
            raise ModelFileError(
                f"The {type(self).__name__} of the file has rows of shape {rows} for {count} "
                "coefficients."
            )

    def predict(self, X: Any) -> Array:
        r"""Predicted targets :math:`\sum_i a_i\,\kappa(x, x_i)`, by tiles of the kernel.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (m, n_features)
            Rows; for "precomputed" their kernel with the n rows of the fit.

        Returns
        -------
        array of shape (m,) or (m, n_targets)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        rows = table.x.tocsr() if table.is_sparse else table.x
        known = None if self._tags().pairwise else self.X_fit_
        flat = self.dual_coef_.reshape(len(self.dual_coef_), -1)
        predicted = np.asarray(self._request.product(rows, known, flat))
        return predicted[:, 0] if self.dual_coef_.ndim == 1 else predicted
