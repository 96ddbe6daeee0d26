"""What all forests have in common: drawing, growing, predicting, out-of-bag rows."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Self
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base.randomness import stream_of
from stylobate.base.validation import input_names
from stylobate.data.words import user_stacklevel
from stylobate.ensemble.draws import rows_to_draw
from stylobate.ensemble.forest_growth import ForestRows, cumulative_chances, drawn
from stylobate.ensemble.forest_importances import (
    ForestImportances,
    impurity_importances,
    permutation_importances,
)
from stylobate.ensemble.members import LARGEST_SEED
from stylobate.exceptions import InvalidParameterError, StylobateWarning, UnsupportedDataError
from stylobate.model_selection.fits.progress import progress_of
from stylobate.tree.flat import FlatForest, Tree, dense_blocks
from stylobate.tree.growing import resolve_growth
from stylobate.tree.loaded import check_trees
from stylobate.tree.parameters import CORE_NAMES
from stylobate.tree.pruning import prune
from stylobate.tree.reading import ReadsColumns
from stylobate.tree.shap import ExplainsRows, TreeSum

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from stylobate.data import Table
    from stylobate.data.streams import Stream


_TREE_PARAMETERS = (
    "criterion", "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf",
    "max_features", "max_leaf_nodes", "min_impurity_decrease", "ccp_alpha", "monotonic_cst",
    "categorical_features",
)  # fmt: skip
_BATCH = 16  # trees grown between two steps of the progress bar

_members: WeakKeyDictionary[Any, tuple[list[Tree], list[Any]]] = WeakKeyDictionary()


class ForestBase(ReadsColumns):
    """Trees grown from the same columns; subclasses read the target and say what it means."""

    _random_splits: ClassVar[bool] = False
    _learns_in_shares = True  # of rows that stay on a cluster
    _drawn_by_weight = False  # and the weights are not here

    if TYPE_CHECKING:
        n_estimators: int
        bootstrap: bool
        oob_score: Any
        random_state: Any
        verbose: int
        warm_start: bool
        max_samples: Any
        max_depth: Any
        ccp_alpha: float
        _trees: list[Tree]
        _seeds: NDArray[np.int64]

    @abstractmethod
    def _score_left_out(self, x: Any, target: NDArray[Any]) -> None:
        """Predict each row by the trees that have not seen it."""

    @abstractmethod
    def _as_member(self, model: Any) -> None:
        """Give one tree's estimator what it knows of the target."""

    @abstractmethod
    def _member_kind(self) -> type:
        """The class of one tree's estimator."""

    def _check_loaded(self) -> None:
        """Refuse trees out of a file that are not of these columns and targets."""
        if "_trees" in vars(self):
            check_trees(self, self._trees)

    # --- growing --------------------------------------------------------------------------------

    @abstractmethod
    def _learnt_rows(self, table: Table, y: Any, sample_weight: Any) -> ForestRows:
        """Read the target and remember what it is; the rows that trees are grown from."""

    def _fit_stream(self, stream: Stream) -> Self:
        if stream.here or not self._tags().requires_y:
            return super()._fit_stream(stream)
        from stylobate.ensemble.forest_shares import grow_shares

        grow_shares(self, stream)
        return self

    def _rows_to_grow(
        self,
        table: Table,
        target: NDArray[Any],
        n_classes: tuple[int, ...],
        weights: Array | None,
        *,
        balanced: bool = False,
    ) -> ForestRows:
        """The rows, and how many of them each tree draws."""
        self._check_draws()
        n = table.n_rows
        name = type(self).__name__
        draws = rows_to_draw(n, self.max_samples, weights, name) if self.bootstrap else 0
        counts = self.column_categories_.counts
        self._n_samples, self._n_samples_bootstrap = n, draws
        self._sample_weight = weights
        vars(self).pop("_drawn_by_weight", None)
        return ForestRows(table.x, target, n_classes, counts, draws, weights, balanced)

    def _grow(self, rows: ForestRows) -> None:
        """Grow the trees that are missing, and what follows from them."""
        seeds = self._new_seeds()
        if len(seeds):
            self._trees = [*self._trees, *self._grown(rows, seeds)]
            self._seeds = np.concatenate([self._seeds, seeds])
        if self.oob_score and not hasattr(self, "oob_score_"):
            self._score_left_out(rows.x, rows.target)

    def _check_draws(self) -> None:
        name = type(self).__name__
        if not self.bootstrap and self.max_samples is not None:
            raise InvalidParameterError(
                f"{name}: `max_sample` cannot be set if `bootstrap=False`. Either switch to "
                "`bootstrap=True` or set `max_sample=None`."
            )
        if not self.bootstrap and self.oob_score:
            raise InvalidParameterError(
                f"{name}: Out of bag estimation only available if bootstrap=True"
            )

    def _new_seeds(self) -> NDArray[np.int64]:
        """A seed for each tree to be grown; after a warm start, those of the ones to come."""
        grown = vars(self).get("_trees", []) if self.warm_start else []
        if len(grown) > self.n_estimators:
            raise InvalidParameterError(
                f"{type(self).__name__}: n_estimators={self.n_estimators} must be larger or equal "
                f"to len(estimators_)={len(grown)} when warm_start==True"
            )
        if not grown:
            self._trees = []
            self._seeds = np.zeros(0, dtype=np.int64)
        elif len(grown) == self.n_estimators:
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        if len(grown) < self.n_estimators:
            for each in ("oob_score_", "oob_decision_function_", "oob_prediction_"):
                vars(self).pop(each, None)
        seeds = stream_of(self.random_state).randint(LARGEST_SEED, size=self.n_estimators)
        return np.asarray(seeds[len(grown) :], dtype=np.int64)

    def _grown(self, rows: ForestRows, seeds: NDArray[np.int64]) -> Iterator[Tree]:
        n, p = rows.x.shape
        signs = self._signs(p)
        criterion = CORE_NAMES.get(self.criterion, self.criterion)
        growth = resolve_growth(_Splitting(self), criterion, n, p, rows.total_weight, signs)
        self._max_features = growth.max_features
        grow = rows.grower(growth)
        title = f"{type(self).__name__}: trees"
        shown = {"verbose": int(self.verbose), "progress": None}
        size = _BATCH if self.verbose else len(seeds)
        with progress_of(title, len(seeds), **shown) as progress:  # type: ignore[arg-type]
            for start in range(0, len(seeds), size):
                batch = seeds[start : start + size].tolist()
                yield from (prune(tree, self.ccp_alpha) for tree in grow(batch))
                progress.advance(len(batch))

    # --- members --------------------------------------------------------------------------------

    @property
    def estimator(self) -> Any:
        """What the members are, not fitted; no parameter."""
        return self._member_kind()()

    @property
    def estimator_(self) -> Any:
        """What the members are, not fitted."""
        return self._member_kind()()

    @property
    def estimators_(self) -> list[Any]:
        """The trees as estimators, fitted to class numbers 0, 1, … or numbers; made when asked."""
        self._check_fitted()
        known = _members.get(self)
        if known is None or known[0] is not self._trees:
            seeds = self._seeds.tolist()
            made = [self._member(tree, s) for tree, s in zip(self._trees, seeds, strict=True)]
            known = _members[self] = (self._trees, made)
        return known[1]

    def _member(self, tree: Tree, seed: int) -> Any:
        parameters = {name: getattr(self, name) for name in _TREE_PARAMETERS}
        model = self._member_kind()(**parameters, random_state=seed)
        model.n_features_in_ = self.n_features_in_
        model.n_outputs_ = self.n_outputs_
        model.column_categories_ = self.column_categories_
        if self.column_categories_.any and hasattr(self, "feature_names_in_"):
            model.feature_names_in_ = self.feature_names_in_
        model.max_features_ = self._max_features
        model.tree_ = tree
        self._as_member(model)
        return model

    @property
    def estimators_samples_(self) -> list[Indices]:
        """The rows of each tree, those drawn several times repeated."""
        self._check_fitted()
        numbers = np.arange(self._n_samples, dtype=np.int32)  # as scikit-learn's
        return [np.repeat(numbers, counts) for counts in self._counts()]

    def _counts(self) -> Iterator[NDArray[np.uint32]]:
        if self._drawn_by_weight:
            raise UnsupportedDataError(
                f"{type(self).__name__}: rows were drawn by weights that stayed on a cluster, so "
                "which of them each tree saw is not known here."
            )
        chances = cumulative_chances(self._sample_weight)
        for seed in self._seeds.tolist():
            yield drawn(self._n_samples, self._n_samples_bootstrap, seed, chances)

    def __len__(self) -> int:
        return len(vars(self).get("_trees", []))

    def __getitem__(self, place: Any) -> Any:
        return self.estimators_[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    # --- using ----------------------------------------------------------------------------------

    def _packed(self) -> FlatForest:
        return FlatForest.of(self._trees, self.n_features_in_)

    def _means(self, X: Any) -> Array:
        """The mean of the trees' values, of shape (n, n_outputs, n_classes or 1)."""
        self._check_fitted()
        table = self._read_rows(X, reset=False)
        forest = self._packed()
        sums = [forest.add(block) for block in self._blocks(table)]
        stacked = sums[0] if len(sums) == 1 else np.concatenate(sums)
        stacked /= len(self._trees)
        return stacked.reshape(table.n_rows, *self._trees[0].value.shape[1:])

    def _left_out_means(self, x: Any) -> tuple[Array, NDArray[np.int64]]:
        """Means over the trees that have not seen a row, and how many those are."""
        forest = self._packed()
        shape = self._trees[0].value.shape[1:]
        n = x.shape[0]
        sums = np.zeros((n, int(np.prod(shape))))
        seen = np.zeros(n, dtype=np.int64)
        x = x if isinstance(x, np.ndarray) else x.tocsr()
        for number, counts in enumerate(self._counts()):
            rows = np.flatnonzero(counts == 0)
            if len(rows):
                part = x[rows]
                blocks = [part] if isinstance(part, np.ndarray) else dense_blocks(part)
                found = [forest.add(each, first=number, last=number + 1) for each in blocks]
                sums[rows] += found[0] if len(found) == 1 else np.concatenate(found)
                seen[rows] += 1
        if (seen == 0).any():
            warnings.warn(
                "Some inputs do not have OOB scores. This probably means too few trees were used "
                "to compute any reliable OOB estimates.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        sums /= np.maximum(seen, 1)[:, np.newaxis]
        return sums.reshape(n, *shape), seen

    def apply(self, X: Any) -> NDArray[np.int64]:
        """The number of each row's leaf in each tree.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        int64 array of shape (n, n_estimators)
        """
        self._check_fitted()
        table = self._read_rows(X, reset=False)
        return np.concatenate([self._packed().apply(block) for block in self._blocks(table)])

    def decision_path(self, X: Any) -> tuple[csr_array[Any], NDArray[np.int64]]:
        """Ones for the nodes each row passes, all trees' nodes side by side.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        indicator : csr_array of shape (n, n_nodes)
        n_nodes_ptr : array of shape (n_estimators + 1,)
            Where the nodes of each tree start.
        """
        from scipy.sparse import vstack

        self._check_fitted()
        table = self._read_rows(X, reset=False)
        forest = self._packed()
        parts = [forest.decision_path(block) for block in self._blocks(table)]
        paths = parts[0] if len(parts) == 1 else vstack(parts, format="csr")
        return paths, forest.node_offsets

    # --- importances ----------------------------------------------------------------------------

    @property
    def feature_importances_(self) -> Array:
        """The share of the decrease of impurity that each column brought, on average."""
        self._check_fitted()
        return impurity_importances(self._trees, self.n_features_in_).normalised

    def importances(
        self,
        X: Any = None,
        y: Any = None,
        *,
        confidence: float = 0.95,
        random_state: Any = 0,
    ) -> ForestImportances:
        """How much each column matters, with an interval.

        With the rows of `fit` (needs ``bootstrap=True``): by how much the score of each tree on the
        rows it has not seen falls when a column's values are shuffled among them (accuracy, or
        negative squared error), averaged over the trees. Without rows: the decrease of impurity.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), optional
            The rows of `fit`, in their order.
        y : array-like of shape (n,) or (n, n_outputs), optional
            Their target.
        confidence : float in (0, 1), default=0.95
            Of the intervals, which tell how far another forest of as many trees grown from the
            same rows may differ.
        random_state : int, RandomState, Generator or None, default=0
            Of the shuffling.

        Returns
        -------
        ForestImportances
        """
        self._check_fitted()
        names = tuple(str(name) for name in input_names(self))
        if X is None:
            found = impurity_importances(self._trees, self.n_features_in_)
        else:
            found = self._permuted(X, y, random_state)
        return found.named(names, confidence)

    def _permuted(self, X: Any, y: Any, random_state: Any) -> ForestImportances:
        name = type(self).__name__
        if not self.bootstrap:
            raise InvalidParameterError(
                f"{name}.importances: every tree has seen all rows; set bootstrap=True, or leave X "
                "and y out for the decrease of impurity."
            )
        table = self._read_rows(X, reset=False)
        if table.n_rows != self._n_samples:
            raise InvalidParameterError(
                f"{name}.importances: X has {table.n_rows} rows, but the forest was fitted to "
                f"{self._n_samples}; pass the rows of fit, of which each tree knows which it saw."
            )
        losses = self._losses(y, table.n_rows)
        stream = stream_of(random_state)
        return permutation_importances(
            self._packed(), self._trees, self._dense(table), self._counts(), losses, stream
        )

    @abstractmethod
    def _losses(self, y: Any, n_rows: int) -> Any:
        """A function from values of leaves and numbers of rows to the loss of each row."""


class ExplainsForest(ExplainsRows, ForestBase):
    """A forest that predicts the mean of its trees: `shap_values` say what adds up to it."""

    def _tree_sum(self) -> TreeSum:
        width = int(np.prod(self._trees[0].value.shape[1:]))
        return TreeSum(self._trees, None, width, 1.0 / len(self._trees), np.zeros(width))

    def _tree_rows(self, X: Any) -> NDArray[Any]:
        return self._dense(self._read_rows(X, reset=False))


class _Splitting:
    """A forest's parameters as those of one tree."""

    def __init__(self, forest: ForestBase) -> None:
        self._forest = forest
        self.splitter = "random" if forest._random_splits else "best"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._forest, name)
