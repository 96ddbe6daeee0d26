"""Probabilities of support vector classifiers: Platt's sigmoids on decisions of held-out rows."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base.availability import available_if
from stylobate.base.tags import Tagged
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import NotFittedError, joined
from stylobate.splits.splitter import generator
from stylobate.svm.kernel_matrix.kernel_points import KernelPoints
from stylobate.svm.machines.machine import Machine
from stylobate.svm.machines.one_vs_one import class_pairs
from stylobate.svm.machines.platt import (
    coupled,
    pair_probabilities,
    platt_sigmoid,
    stratified_folds,
)

_FOLDS = 5
_DEPRECATED = (
    "Attribute `{}` was deprecated in version 1.9 and will be removed in 1.11 as the "
    "`probability=True` option for SVC and NuSVC was deprecated and will be removed in 1.11."
)


def _without_probability(model: Any) -> str:
    return "since predict_proba is not available when probability=False"


class PlattProbabilities(Tagged):
    """`predict_proba` of classifiers that decide between pairs of classes."""

    probability: Any
    random_state: Any
    classes_: NDArray[Any]
    _probA: Array
    _probB: Array

    if TYPE_CHECKING:

        def _check_fitted(self) -> None: ...
        def _pair_decisions(self, X: Any) -> Array: ...
        def _signs(self, pair: tuple[int, int], codes: NDArray[np.int64]) -> Array: ...
        def _pair_machine(
            self,
            points: KernelPoints,
            pair: tuple[int, int],
            rows: Indices,
            codes: NDArray[np.int64],
            weights: Array,
        ) -> Machine: ...

    def _warn_probability(self) -> None:
        if self.probability != "deprecated":
            name = type(self).__name__
            warnings.warn(
                f"The `probability` parameter was deprecated in 1.9 and will be removed in version "
                f"1.11. Use `CalibratedClassifierCV({name}(), ensemble=False)` instead of "
                f"`{name}(probability=True)`",
                FutureWarning,
                stacklevel=user_stacklevel(),
            )

    def _learn_sigmoids(
        self, points: KernelPoints, rows: list[Indices], codes: NDArray[np.int64], weights: Array
    ) -> None:
        """A sigmoid for each pair, from decisions of rows that were held out."""
        draws = generator(self.random_state)
        found = []
        for pair, own in zip(class_pairs(len(self.classes_)), rows, strict=True):
            sign = self._signs(pair, codes[own])
            decisions = np.zeros(len(sign))
            for kept, held in stratified_folds(sign > 0.0, _FOLDS, draws):
                part = own[kept]
                machine = self._pair_machine(points, pair, part, codes, weights)
                decisions[held] = machine.intercept
                if machine.beta.any():
                    decisions[held] += _held_out(points, own[held], part, machine.beta)
            found.append(platt_sigmoid(decisions, sign > 0.0, weights[own]))
        self._probA, self._probB = np.array(found).T

    @property
    def probA_(self) -> Array:
        """Slopes of Platt's sigmoids, one for each pair of classes; deprecated in scikit-learn."""
        warnings.warn(_DEPRECATED.format("probA_"), FutureWarning, stacklevel=2)
        return self._probA

    @property
    def probB_(self) -> Array:
        """Offsets of Platt's sigmoids; deprecated in scikit-learn."""
        warnings.warn(_DEPRECATED.format("probB_"), FutureWarning, stacklevel=2)
        return self._probB

    @available_if(lambda self: self.probability is True, _without_probability)
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, by Platt's sigmoid on decisions of held-out rows.

        They may contradict `predict` near the boundary, for the sigmoid's middle need not be at 0:
        `predict` asks the sign of the decision. A model calibrated as a whole does not.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` their kernel with the points of the fit.

        Returns
        -------
        array of shape (n, n_classes)
        """
        self._check_fitted()
        if not self._probA.size:
            self._refuse_proba()
        positive = pair_probabilities(self._pair_decisions(X), self._probA, self._probB)
        k = len(self.classes_)
        if k == 2:
            return np.hstack([1.0 - positive, positive])
        return coupled(positive, k)

    @available_if(lambda self: self.probability is True, _without_probability)
    def predict_log_proba(self, X: Any) -> Array:
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        return np.asarray(np.log(self.predict_proba(X)))

    def _refuse_proba(self) -> NoReturn:
        raise joined(NotFittedError)(
            "predict_proba is not available when fitted with probability=False; fit again."
        )


def _held_out(points: KernelPoints, held: Indices, kept: Indices, beta: Array) -> Array:
    """Sums of kernels of held-out rows with those of a fold's fit."""
    used = np.flatnonzero(beta)
    rows = points.points[held]
    if is_sparse(rows):
        rows = rows.tocsr()
    return points.product(rows, kept[used], beta[used, None])[:, 0]
