"""What `HistGradientBoostingClassifier` and `HistGradientBoostingRegressor` share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Numbers, Options, Tags
from stylobate.base.constraints import CallableObject, Instance, Text
from stylobate.base.randomness import seed_of
from stylobate.base.study_role import StudyRole
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data.weights import read_weights
from stylobate.ensemble.boosting.objective import BoostingLoss
from stylobate.ensemble.boosting.stopping import KnownScores
from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.tree.loaded import check_trees
from stylobate.tree.shap import ExplainsRows, TreeSum

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Stream
    from stylobate.formula.expressions import Expression
    from stylobate.tree import Tree
    from stylobate.tree.columns import ColumnCategories

BOOSTING_ROLE = StudyRole(
    "boosting",
    "Gradient boosting",
    80,
    space={"learning_rate": (0.1, 0.03), "max_leaf_nodes": (31, 8)},
    # ten rounds without a gain, the default, end many a fit at a third of the rounds that it takes
    fixed={"early_stopping": True, "max_iter": 800, "n_iter_no_change": 30, "random_state": 0},
    encoding="codes",
    for_counts={"loss": "poisson"},
)

Rate = Annotated[float, Interval(0, inf, closed="neither")]
Count = Annotated[int, Interval(1, inf)]
Leaves = Annotated[int, Interval(2, 65536)] | None
Depth = Annotated[int, Interval(1, inf)] | None
Penalty = Annotated[float, Interval(0, inf)]
Share = Annotated[float, Interval(0, 1, closed="right")]
BinCount = Annotated[int, Interval(2, 256)]
Columns = Annotated[Any, Options("from_dtype")] | Annotated[Any, Instance(object)] | None
Directions = Annotated[Any, Instance(dict)] | Annotated[Any, Numbers(-1, 1, closed="both")] | None
Interactions = (
    Literal["pairwise", "no_interactions"]
    | Annotated[Any, Instance(list)]
    | Annotated[Any, Instance(tuple)]
    | Annotated[Any, Instance(set)]
    | None
)
Stopping = Literal["auto"] | bool
Scoring = Annotated[Any, Text()] | Annotated[Any, CallableObject()] | None
Validation = (
    Annotated[float, Interval(0, 1, closed="neither")] | Annotated[int, Interval(1, inf)] | None
)
Growth = Literal["leaf", "depth"]
Level = Annotated[int, Interval(0, inf)]
Callback = Annotated[Any, CallableObject()] | None


class HistGradientBoostingBase(ExplainsRows, BaseEstimator):
    """Trees grown from histograms, each on the gradient of the loss of those before."""

    if TYPE_CHECKING:
        learning_rate: float
        max_iter: int
        max_leaf_nodes: int | None
        max_depth: int | None
        min_samples_leaf: int
        l2_regularization: float
        max_features: float
        max_bins: int
        categorical_features: Any
        monotonic_cst: Any
        interaction_cst: Any
        warm_start: bool
        early_stopping: Any
        scoring: Any
        validation_fraction: Any
        n_iter_no_change: int
        tol: float
        verbose: int
        random_state: Any
        growth: str
        callback: Any
        classes_: NDArray[Any]
        trees_: list[list[Tree]]
        baseline_: Array
        train_score_: Array
        do_early_stopping_: bool
        l2_regularization_: float
        validation_score_: Array
        is_categorical_: NDArray[np.bool_] | None
        _columns: ColumnCategories

    def _tags(self) -> Tags:
        return super()._tags().but(allow_nan=True, categorical=True, tier="several passes")

    # --- what the two kinds differ in -----------------------------------------------------------

    @abstractmethod
    def _read_y(self, y: Any, n_rows: int, *, reset: bool) -> Array:
        """The target as numbers of the core; `reset` learns the classes."""

    @abstractmethod
    def _labels(self, y: Array) -> NDArray[Any]:
        """The same as the user gave it."""

    @abstractmethod
    def _loss_value(self) -> BoostingLoss:
        """The loss; classes are known."""

    _huber_share = 0.9

    @property
    def _boosts_by_sums(self) -> bool:
        """Whether steps follow from sums of gradients, not from quantiles of a leaf's rows."""
        return self._loss_value().name not in ("absolute", "huber", "quantile")

    def _row_weights(self, y: Array, weights: Array | None) -> Array | None:
        return weights

    # --- fitting --------------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Grow trees one after the other.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows; NaN and None are missing. Columns of text or of a categorical type are categories.
        y : array-like of shape (n,)
            What to predict.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.
        X_val, y_val, sample_weight_val : optional
            Rows that early stopping judges by, instead of some set aside from X.

        Returns
        -------
        self
        """
        from stylobate.ensemble.boosting.fitting import Data, boost

        self._check_parameters()
        if (X_val is None) != (y_val is None):
            raise InvalidParameterError(
                f"{type(self).__name__}: X_val and y_val belong together; give both or neither."
            )
        resumes = bool(self.warm_start and self.__sklearn_is_fitted__())
        table = self._features(X, reset=not resumes)
        target = self._read_y(y, table.n_rows, reset=not resumes)
        weights = read_weights(sample_weight, table.n_rows, owner=type(self).__name__)
        data = Data(table.x, target, self._row_weights(target, weights))
        validation = None
        if X_val is not None:
            rows = self._features(X_val, reset=False)
            others = self._read_y(y_val, rows.n_rows, reset=False)
            theirs = read_weights(sample_weight_val, rows.n_rows, owner=type(self).__name__)
            validation = Data(rows.x, others, self._row_weights(others, theirs))
        if not resumes:
            self._random_seed = seed_of(self.random_state) % 2**63
        boost(self, data, validation, resumes=resumes)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        from stylobate.ensemble.boosting.partitioned_fit import boost_partitions
        from stylobate.ensemble.boosting.stream_fit import boost_stream

        self._check_parameters()
        if self.warm_start and self.__sklearn_is_fitted__():
            raise InvalidParameterError(
                f"{type(self).__name__}: warm_start goes on from rows in memory; set it to False "
                "to fit to a stream."
            )
        self._random_seed = seed_of(self.random_state) % 2**63
        if stream.here:
            boost_stream(self, stream)
        else:
            boost_partitions(self, stream)
        return self

    def _features(self, X: Any, *, reset: bool) -> Table:
        from stylobate.tree.columns import read_features

        if not reset:
            compare_frame_names(self, X)
        table, columns = read_features(
            X,
            owner=type(self).__name__,
            known=None if reset else self._columns,
            categorical=self.categorical_features,
            accept_sparse=False,
        )
        if not reset:
            compare_features(self, table)
            return table
        remember_features(self, table)
        self._columns = columns
        named = columns.counts > 0
        self.is_categorical_ = named if named.any() else None
        return table

    def _check_loaded(self) -> None:
        """Refuse iterations out of a file that are not as many trees of numbers as outputs."""
        if "trees_" not in vars(self):
            return
        outputs = np.asarray(self.baseline_).shape
        for trees in self.trees_:
            check_trees(self, trees, (1, 1))
            if (len(trees),) != outputs:
                raise ModelFileError(
                    f"The {type(self).__name__} of the file has an iteration of {len(trees)} trees "
                    f"for a baseline of shape {outputs}."
                )

    # --- predicting -----------------------------------------------------------------------------

    @property
    def n_iter_(self) -> int:
        """Iterations done."""
        return len(self.trees_)

    @property
    def n_trees_per_iteration_(self) -> int:
        """Trees of one iteration: one, or as many as classes where there are more than two."""
        return len(self.baseline_)

    def _raw(self, X: Any) -> Array:
        """Scores of the rows, of shape (n, outputs)."""
        from stylobate.ensemble.boosting.fitting import scores_of

        if isinstance(X, KnownScores):
            return X.scores.T
        self._check_fitted()
        return scores_of(self, self._features(X, reset=False).x)

    def _score_formulas(self, columns: list[Expression]) -> list[Expression]:
        """Scores of a row as formulas, one for each output."""
        from stylobate.formula.trees import TreeInputs, sum_of_trees

        inputs = TreeInputs(columns, self._columns.of)
        return [
            sum_of_trees([trees[k] for trees in self.trees_], inputs, float(start))
            for k, start in enumerate(self.baseline_)
        ]

    def _staged_raw(self, X: Any) -> Iterator[Array]:
        from stylobate.ensemble.boosting.fitting import staged_scores

        self._check_fitted()
        return staged_scores(self, self._features(X, reset=False).x)

    # --- explaining -----------------------------------------------------------------------------

    def _tree_sum(self) -> TreeSum:
        """The scores (log-odds, logarithms of means): they are what the trees add up to."""
        trees = [tree for iteration in self.trees_ for tree in iteration]
        outputs = self.n_trees_per_iteration_
        columns = np.tile(np.arange(outputs, dtype=np.int32), self.n_iter_)
        return TreeSum(trees, columns, outputs, 1.0, self.baseline_)

    def _tree_rows(self, X: Any) -> NDArray[Any]:
        rows: NDArray[Any] = self._features(X, reset=False).x
        return rows
