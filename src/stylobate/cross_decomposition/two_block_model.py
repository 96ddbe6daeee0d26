"""What models of two blocks share: learning from products of columns, scores, predictions."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Self

from stylobate.base import Tags, TransformerMixin
from stylobate.base.learning import LearnsFromStatistic
from stylobate.cross_decomposition.blocks import (
    Blocks,
    Scaling,
    blocks_of_factor,
    blocks_of_moments,
    blocks_of_table,
    few_rows,
)
from stylobate.cross_decomposition.scores import read_columns, scores_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.statistics import Moments, Source, TriangularFactor

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

LOST = 1e-11  # share that rounding of products may have moved directions by; beyond, rows are read


class TwoBlockModel(TransformerMixin, LearnsFromStatistic):
    """Learns from the products of the columns of X and y; ``transform`` gives scores of either."""

    if TYPE_CHECKING:
        n_components: int
        scale: bool
        _x_mean: Any
        _x_std: Any
        _y_mean: Any
        _y_std: Any

    def _tags(self) -> Tags:
        return super()._tags().but(requires_y=True, multi_output=True, sparse=True, tier="one pass")

    @abstractmethod
    def _solve(self, blocks: Blocks) -> tuple[Any, float]:
        """The solution, and the share that rounding may have moved it by."""

    @abstractmethod
    def _store(self, solution: Any, blocks: Blocks, scaling: Scaling) -> None:
        """Keep the answer."""

    @property
    @abstractmethod
    def _rotations(self) -> tuple[Any, Any]:
        """What the centred and scaled blocks are multiplied by."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,) or (n, n_targets)
            The other block.
        sample_weight : array-like of shape (n,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        self._start_afresh()
        table = self._read(X, y, sample_weight, reset=True, check_finite="deferred", min_rows=2)
        self._learn(self._source(table))
        self._keep_scores(table)
        return self

    def _keep_scores(self, table: Any) -> None:
        """For models that keep the scores of the rows they were fitted to."""

    # --- learning -------------------------------------------------------------------------------

    def _most_components(self, n: int, p: int, q: int) -> int:
        return min(n, p, q)

    def _learn(self, source: Source) -> None:
        blocks, scaling, statistic = self._blocks(source)
        growing = source.capabilities.growing
        self._refuse(scaling, growing=growing)
        solution, lost = self._solve(blocks)
        self.solver_reason_ = (
            "rows: they are fewer than the columns"
            if statistic is None
            else "products of columns: one pass over the rows"
        )
        if lost > LOST and not blocks.exact and source.capabilities.repeatable:
            factor = source.compute(TriangularFactor)
            blocks, scaling = blocks_of_factor(factor, scale=self.scale)
            solution, _ = self._solve(blocks)
            self.solver_reason_ = (
                f"triangular factor: products of columns might have lost {lost:.0e} of the answer"
            )
        self._lost = lost
        self._x_mean, self._x_std = scaling.x_mean, scaling.x_std
        self._y_mean, self._y_std = scaling.y_mean, scaling.y_std
        self._predict_1d = source.y_is_vector
        if statistic is not None:
            self.statistic_ = statistic
        with warnings.catch_warnings():
            if growing and scaling.n_rows <= self.n_components:
                warnings.simplefilter("ignore", StylobateWarning)
            self._store(solution, blocks, scaling)

    def _blocks(self, source: Source) -> tuple[Blocks, Scaling, Moments | None]:
        if few_rows(source):
            blocks, scaling = blocks_of_table(source.rows(), scale=self.scale)
            return blocks, scaling, None
        moments = source.compute(Moments)
        if not moments.n_targets:
            raise InvalidDataError(
                f"{type(self).__name__} relates two blocks, and these Moments hold no targets."
            )
        blocks, scaling = blocks_of_moments(moments, scale=self.scale)
        return blocks, scaling, moments

    def _refuse(self, scaling: Scaling, *, growing: bool) -> None:
        n, p, q = scaling.n_rows, len(scaling.x_mean), len(scaling.y_mean)
        owner = type(self).__name__
        if growing:
            n = max(n, p)
        elif n < 2:
            raise InvalidDataError(
                f"{owner}: there is {n} sample of positive weight; a minimum of 2 is required."
            )
        most = self._most_components(n, p, q)
        if self.n_components > most:
            raise InvalidParameterError(
                f"`n_components` upper bound is {most}. Got {self.n_components} instead. Reduce "
                f"`n_components`. ({owner}: {n} rows, {p} features, {q} targets)"
            )

    def _warn(self, reason: str) -> None:
        if reason:
            warnings.warn(f"{type(self).__name__}: {reason}.", StylobateWarning, stacklevel=5)

    # --- scores ---------------------------------------------------------------------------------

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components)

    def transform(self, X: Any, y: Any = None, copy: bool = True) -> Any:
        """The scores of rows: centred, scaled, and in the coordinates of the components.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,) or (n, n_targets), optional
            Targets, whose scores are wanted as well.
        copy : bool, default=True
            Accepted for compatibility; X and y are never written to.

        Returns
        -------
        array or frame of shape (n, n_components), or two of them
            Scores of X, and of y if given.
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        rotations = self._rotations
        x_scores = self._wrap(scores_of(table.x, self._x_mean, self._x_std, rotations[0]), table)
        if y is None:
            return x_scores
        targets = read_columns(self, y, len(self._y_mean), "y")
        return x_scores, scores_of(targets, self._y_mean, self._y_std, rotations[1])

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit to both blocks, then give the scores of both.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,) or (n, n_targets)
            The other block.
        **fit_params : object
            More arguments for `fit`, such as ``sample_weight``.

        Returns
        -------
        two arrays of shape (n, n_components)
        """
        return self.fit(X, y, **fit_params).transform(X, y)

    def _formula(self, columns: list[Expression]) -> Any:
        """The scores as expressions of the columns."""
        from stylobate.formula.pieces import weighted

        rows = (self._rotations[0] / self._x_std[:, None]).T
        return [weighted(columns, row, -float(row @ self._x_mean)) for row in rows]
