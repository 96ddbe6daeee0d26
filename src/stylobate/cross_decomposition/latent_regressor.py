"""Models of two blocks with loadings: rows back from scores, predictions, cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import RegressorMixin
from stylobate.base.residuals import ResidualSums
from stylobate.cross_decomposition.blocks import Blocks, blocks_of_moments
from stylobate.cross_decomposition.scores import read_columns, scores_of
from stylobate.cross_decomposition.two_block_model import LOST, TwoBlockModel
from stylobate.data import wrap_output
from stylobate.statistics import Moments


class LatentRegressor(RegressorMixin, TwoBlockModel):
    """Two-block models with loadings: rows come back from scores, and targets are predicted."""

    if TYPE_CHECKING:
        coef_: Any
        intercept_: Any

    @property
    def _rotations(self) -> tuple[Any, Any]:
        return self.x_rotations_, self.y_rotations_

    def _store_pairs(self, pairs: Any, blocks: Blocks) -> None:
        self.x_weights_, self.y_weights_ = pairs.x_weights, pairs.y_weights
        self.x_loadings_, self.y_loadings_ = pairs.x_loadings, pairs.y_loadings
        self.x_rotations_, self.y_rotations_ = pairs.x_rotations, pairs.y_rotations
        self.n_iter_ = pairs.n_iter
        self.coef_ = (pairs.x_rotations @ pairs.y_loadings.T * self._y_std).T / self._x_std
        self.intercept_ = self._y_mean
        self.x_explained_variance_ratio_ = _shares(
            pairs.x_squares, pairs.x_loadings, blocks.x_squares
        )
        along = pairs.x_squares if self._deflates_by_x else pairs.y_squares
        self.y_explained_variance_ratio_ = _shares(along, pairs.y_loadings, blocks.y_squares)
        self._warn(pairs.ended)

    _deflates_by_x = False

    def predict(self, X: Any, copy: bool = True) -> Any:
        """Predicted targets, (X − m) Bᵀ + b.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        copy : bool, default=True
            Accepted for compatibility; X is never written to.

        Returns
        -------
        array of shape (n,) or (n, n_targets)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        ones = np.ones(len(self._x_mean))
        found = scores_of(table.x, self._x_mean, ones, self.coef_.T) + self.intercept_
        return found[:, 0] if self._predict_1d else found

    def inverse_transform(self, X: Any, y: Any = None) -> Any:
        """The rows that scores stand for: exact where all components are kept.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_components)
            Scores of X.
        y : array-like of shape (n, n_components), optional
            Scores of y.

        Returns
        -------
        array or frame of shape (n, n_features), and array of shape (n, n_targets) if y is given
        """
        self._check_fitted()
        k = self.x_loadings_.shape[1]
        scores, origin = read_columns(self, X, k, "X", with_origin=True)
        rows = scores @ self.x_loadings_.T * self._x_std + self._x_mean
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{j}" for j in range(self.n_features_in_)]
        rows = wrap_output(rows, origin=origin, columns=list(names))
        if y is None:
            return rows
        scores = read_columns(self, y, k, "y")
        return rows, scores @ self.y_loadings_.T * self._y_std + self._y_mean

    # --- cross-validation from the products of parts --------------------------------------------

    def _part_recipe(self, table: Any) -> Any:
        return None if table.n_rows <= 2 * (table.n_features + table.y.shape[1]) else Moments

    def _learnt_from(self, statistic: Any, table: Any) -> Self | None:
        _, scaling = blocks_of_moments(statistic, scale=self.scale)
        if scaling.n_rows <= len(statistic.mean):
            return None
        twin = super()._learnt_from(statistic, table)
        return twin if twin is not None and twin._lost <= LOST else None

    def _residual_sums(self, statistic: Any) -> ResidualSums | None:
        from stylobate.linear_model.ridge.fold_fits import RidgeFoldFits

        intercept = self.intercept_ - self.coef_ @ self._x_mean
        told, sums = RidgeFoldFits.of_one(self.coef_.T, intercept).residual_sums([[statistic]])
        return sums if told.all() else None


def _shares(squares: Array, loadings: Array, total: float) -> Array:
    return np.asarray(squares * (loadings**2).sum(axis=0) / (total if total > 0.0 else 1.0))
