"""What linear and quadratic discriminant analysis share: parameters, priors, decisions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.class_learning import LearnsFromClasses
from stylobate.base.class_scores import Answer
from stylobate.base.gaussian_classes import MarginalizesMissing
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning


class GaussianDiscriminant(MarginalizesMissing, LearnsFromClasses):
    """Classifiers with a normal density for each class."""

    _least_classes = 2

    solver: str
    shrinkage: Any
    priors: Any
    covariance_estimator: Any
    priors_: Array

    @property
    def _needs_rows(self) -> bool:
        # fourth moments are no part of the statistic
        return self.covariance_estimator is not None or (
            isinstance(self.shrinkage, str) and self.shrinkage == "auto"
        )

    def decision_function(self, X: Any) -> NDArray[Any]:
        """Log posteriors of the classes up to a constant; of two classes their difference.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_classes)
        """
        scores = self._answer(X, Answer.SCORES)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict_joint_log_proba(self, X: Any) -> NDArray[Any]:
        r""":math:`\log p(x, c) = \log \pi_c + \log \mathcal N(x; \mu_c, \Sigma_c)`.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows; with ``missing="marginalize"`` of the features that are there.

        Returns
        -------
        array of shape (n, n_classes)
            In the order of ``classes_``; `predict_log_proba` is this less the log of its sum.
        """
        self._check_fitted()
        check = "allow-nan" if self.missing == "marginalize" else "now"
        table = self._read(X, reset=False, check_finite=check)
        rows = np.asarray(table.x, dtype=np.float64)
        return self._gaussian_classes().joint_log_density(rows)

    def _log_priors(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.priors_))

    def _refuse_unsuitable(self) -> None:
        name = type(self).__name__
        if self.covariance_estimator is not None and self.shrinkage not in (None, 0):
            raise InvalidParameterError(
                f"{name}: covariance_estimator and shrinkage parameters are not None. Only one of "
                "the two can be set."
            )
        if self.solver != "svd":
            return
        if self.shrinkage is not None:
            raise InvalidParameterError(
                f"{name}: shrinkage not supported with 'svd' solver; use solver='eigen'."
            )
        if self.covariance_estimator is not None:
            raise InvalidParameterError(
                f"{name}: covariance_estimator is not supported with solver='svd'. Try "
                "solver='eigen' instead."
            )

    def _set_priors(self, weight: Array) -> None:
        name = type(self).__name__
        if self.priors is None:
            self.priors_ = weight / weight.sum()
            return
        priors = np.asarray(self.priors, dtype=np.float64)
        if priors.shape != weight.shape:
            raise InvalidParameterError(
                f"{name}: priors has shape {priors.shape}, and there are {len(weight)} classes; "
                "give one probability for each."
            )
        if (priors < 0).any():
            raise InvalidParameterError(
                f"{name}: priors must be non-negative, got {priors.min():g}."
            )
        if abs(priors.sum() - 1.0) > 1e-5:
            if priors.sum() == 0:
                raise InvalidParameterError(f"{name}: priors must not all be 0.")
            warnings.warn("The priors do not sum to 1. Renormalizing", StylobateWarning, 4)
            priors = priors / priors.sum()
        self.priors_ = priors

    def _refuse_empty(self, n_rows: Array) -> None:
        if not n_rows.all():
            label = self.classes_.tolist()[int(np.argmin(n_rows))]
            raise InvalidDataError(
                f"{type(self).__name__}: there are no rows of class {label!r} yet, and nothing is "
                "known of its mean; pass some of every class in the first call."
            )


def digits_left(condition: Any) -> Any:
    """Decimal digits that rounding leaves of the solution of a system of that condition."""
    with np.errstate(divide="ignore"):
        return np.maximum(0.0, -np.log10(np.finfo(np.float64).eps * np.asarray(condition)))
