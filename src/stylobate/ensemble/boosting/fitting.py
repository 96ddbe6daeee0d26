"""The course of boosting: bins, start, iterations, early stopping."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.ensemble.boosting.binning import Binning
from stylobate.ensemble.boosting.limits import interaction_masks, monotone_directions
from stylobate.ensemble.boosting.objective import BoostingLoss, baseline, require_target
from stylobate.ensemble.boosting.stopping import BoostingProgress, History, Judge, Validation
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.losses import Huber, Logistic, Multinomial
from stylobate.tree.flat import FlatForest, Tree

if TYPE_CHECKING:
    from stylobate.ensemble.boosting.model import HistGradientBoostingBase


SLACK = 1e-3  # by which the training loss of classes may rise in an iteration
FLOOR = 1.0  # added to the curvature of leaves where it rose by more
_MANY_ROWS = 10_000  # beyond, early_stopping="auto" stops early
_JUDGED_ROWS = 10_000  # of the training rows, where a scorer judges them


@dataclass(frozen=True, eq=False)
class Data:
    """Rows, their target as the core knows it, and weights.

    `x` is None where the rows are known as bins alone (`binned`); `folder` is where their scores
    and gradients are spilled, if at all.
    """

    x: NDArray[Any] | None
    y: Array
    weights: Array | None
    binned: _core.BinnedRows | None = None
    folder: str = ""

    def take(self, rows: NDArray[Any]) -> Data:
        """Some of the rows, by their numbers or a mask."""
        x = None if self.x is None else self.x[rows]
        return Data(x, self.y[rows], None if self.weights is None else self.weights[rows])

    def bins(self, binning: Binning) -> _core.BinnedRows:
        """The rows as bins."""
        if self.binned is not None:
            return self.binned
        assert self.x is not None
        return binning.rows(self.x)


def boost(
    model: HistGradientBoostingBase, data: Data, validation: Data | None, *, resumes: bool
) -> None:
    """Fit `model`, or go on where it stopped."""
    loss = model._loss_value()
    require_target(loss, data.y, type(model).__name__)
    model.do_early_stopping_ = stops_early(model, len(data.y), validation)
    if sets_aside(model) and validation is None:
        held = rows_set_aside(model, data.y)
        data, validation = data.take(~held), data.take(held)
    assert data.x is not None
    binning = Binning.of(
        data.x,
        categories=model._columns.counts.tolist(),
        weights=data.weights,
        max_bins=model.max_bins,
        seed=model._random_seed,
    )
    iterate(model, loss, data, validation, binning, resumes=resumes)


def iterate(
    model: HistGradientBoostingBase,
    loss: BoostingLoss,
    data: Data,
    validation: Data | None,
    binning: Binning,
    *,
    resumes: bool = False,
) -> None:
    """Grow the trees from rows in bins."""
    history = History()
    if resumes:
        if model.max_iter < model.n_iter_:
            raise InvalidParameterError(
                f"{type(model).__name__}: max_iter={model.max_iter} must be larger than or equal "
                f"to n_iter_={model.n_iter_} when warm_start==True."
            )
        history = History(list(model.train_score_), list(model.validation_score_))
    else:
        outputs = len(model.classes_) if isinstance(loss, Multinomial) else 1
        model.baseline_ = baseline(loss, data.y, data.weights, outputs)
        model.trees_ = []
    model.l2_regularization_ = float(model.l2_regularization)
    course = _Course(model, loss, data, validation, binning, history)
    watched = not resumes and model.l2_regularization == 0
    rise = course.run(watched and isinstance(loss, Logistic | Multinomial))
    if rise is not None:
        _warn_of_rise(model, data, rise)
        model.l2_regularization_, model.trees_, history = FLOOR, [], History()
        _Course(model, loss, data, validation, binning, history).run()
    model.train_score_ = np.array(history.train)
    model.validation_score_ = np.array(history.validation)


def sets_aside(model: HistGradientBoostingBase) -> bool:
    """Whether early stopping judges by rows of the training data."""
    return bool(model.do_early_stopping_ and model.validation_fraction is not None)


def stops_early(model: HistGradientBoostingBase, n_rows: int, validation: Data | None) -> bool:
    if model.early_stopping == "auto":
        return n_rows > _MANY_ROWS
    if validation is not None and not model.early_stopping:
        raise InvalidParameterError(
            f"{type(model).__name__}: X_val and y_val are for early stopping, which is off; set "
            "early_stopping=True."
        )
    return bool(model.early_stopping)


def rows_set_aside(model: HistGradientBoostingBase, y: Array) -> NDArray[np.bool_]:
    """Which rows are not learnt from but judged by: those of `train_test_split`.

    Of each class both have their share; the only row of a class is learnt from.
    """
    from stylobate.base import is_classifier
    from stylobate.splits import ShuffleSplit, StratifiedShuffleSplit
    from stylobate.splits.sizes import row_counts

    held = np.zeros(len(y), dtype=bool)
    rows: Any = slice(None)
    codes: NDArray[Any] | None = None
    n_rows = len(y)
    if is_classifier(model):
        codes = labels = y.astype(np.int32)
        counts = np.bincount(labels)
        if (counts == 1).any():
            rows = np.flatnonzero(counts[labels] > 1)
            codes = np.unique(labels[rows], return_inverse=True)[1]
            n_rows = len(rows)
    train, test = row_counts(
        n_rows, model.validation_fraction, None, default=0.25, owner=type(model).__name__
    )
    seed = model._random_seed % 2**32
    sizes: Any = {"train_size": train, "test_size": test, "random_state": seed}
    if codes is not None:
        held[rows] = StratifiedShuffleSplit(1, **sizes).drawn_for_test(codes)
    else:
        ((_, drawn),) = ShuffleSplit(1, **sizes).split(np.empty((n_rows, 0)))
        held[drawn] = True
    return held


@dataclass(frozen=True, slots=True)
class Rise:
    """A training loss that rose: Newton's steps went too far."""

    iteration: int
    before: float
    after: float


def _warn_of_rise(model: HistGradientBoostingBase, data: Data, rise: Rise) -> None:
    counts = np.bincount(data.y.astype(np.intp))
    rarest = int(counts.argmin())
    label = model._labels(np.array([float(rarest)])).tolist()[0]
    warnings.warn(
        f"{type(model).__name__}: the training loss rose from {rise.before:.4g} to "
        f"{rise.after:.4g} in iteration {rise.iteration}: curvature of a class as rare as "
        f"{label!r} ({counts[rarest]} of {len(data.y)} rows) is so small that Newton's steps go "
        f"too far. The fit was repeated with l2_regularization={FLOOR:g}.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )


class _Course:
    """One call of `fit`."""

    def __init__(
        self,
        model: HistGradientBoostingBase,
        loss: BoostingLoss,
        data: Data,
        validation: Data | None,
        binning: Binning,
        history: History,
    ) -> None:
        self.model, self.loss, self.history = model, loss, history
        if isinstance(loss, Huber):  # judged by one loss from the first iteration to the last
            slope = _core.weighted_quantile(
                np.abs(data.y - model.baseline_[0]), data.weights, model._huber_share
            )
            self.loss = Huber(max(slope, float(np.finfo(np.float64).tiny)))
        self.booster = _core.HistogramBooster(
            data.bins(binning),
            data.y,
            data.weights,
            self.loss.core,
            _start(model, data),
            self._rules(),
            data.folder,
        )
        self.scorer = self._scorer() if model.do_early_stopping_ else None
        self.judged = self._judged_rows(data)
        self.judge = self._judge(data.take(self.judged) if self.scorer is not None else data)
        self.validation = None
        if model.do_early_stopping_ and validation is not None:
            rows = validation.bins(binning)
            start = _start(model, validation)
            scores = np.array(np.broadcast_to(start, (len(start), len(validation.y))))
            self.validation = Validation(rows, scores, self._judge(validation))

    def run(self, watched: bool = False) -> Rise | None:
        """Grow the trees; if `watched`, only up to a rise of the training loss, which is told."""
        model = self.model
        before = self.booster.loss
        if not self.history.train:
            self._record()
        while model.n_iter_ < model.max_iter:
            trees = [_tree(arrays, model.n_features_in_) for arrays in self.booster.step()]
            model.trees_.append(trees)
            if self.validation is not None:
                self.booster.add_last(self.validation.rows, self.validation.scores)
            after = self.booster.loss
            if watched and after > before * (1.0 + SLACK):
                return Rise(model.n_iter_, before, after)
            before = after
            self._record()
            if self._told_to_stop() or (
                model.do_early_stopping_ and self.history.ends(model.n_iter_no_change, model.tol)
            ):
                break
        return None

    def _record(self) -> None:
        if not self.model.do_early_stopping_:
            return
        if self.scorer is None and not isinstance(self.loss, Huber):
            self.history.train.append(-self.booster.loss)
        else:
            scores = self.booster.scores
            if self.scorer is not None:
                scores = np.ascontiguousarray(scores[:, self.judged])
            self.history.train.append(self.judge(self.model, scores))
        if self.validation is not None:
            score = self.validation.judge(self.model, self.validation.scores)
            self.history.validation.append(score)

    def _told_to_stop(self) -> bool:
        model, history = self.model, self.history
        progress = BoostingProgress(
            model.n_iter_,
            self.booster.loss,
            history.train[-1] if history.train else None,
            history.validation[-1] if history.validation else None,
        )
        if model.verbose:
            held = progress.validation_score
            print(
                f"[{progress.iteration}/{model.max_iter}] training loss {progress.train_loss:.5f}"
                + ("" if held is None else f", validation score {held:.5f}")
            )
        return model.callback is not None and model.callback(progress) is True

    def _scorer(self) -> Any:
        if self.model.scoring == "loss":
            return None
        from stylobate.metrics import check_scoring

        return check_scoring(self.model, self.model.scoring)

    def _judged_rows(self, data: Data) -> NDArray[np.intp]:
        n = len(data.y)
        if n <= _JUDGED_ROWS:
            return np.arange(n)
        draw = np.random.default_rng(self.model._random_seed)
        return np.sort(draw.choice(n, _JUDGED_ROWS, replace=False))

    def _judge(self, data: Data) -> Judge:
        labels = None if self.scorer is None else self.model._labels(data.y)
        return Judge(self.loss, data.y, data.weights, labels, self.scorer)

    def _rules(self) -> dict[str, Any]:
        model, owner = self.model, type(self.model).__name__
        n_features = model.n_features_in_
        names = getattr(model, "feature_names_in_", None)
        named = [count > 0 for count in model._columns.counts]
        return {
            "learning_rate": float(model.learning_rate),
            "huber_share": float(model._huber_share),
            "first_tree": model.n_iter_ * model.n_trees_per_iteration_,
            "max_leaves": model.max_leaf_nodes or 0,
            "max_depth": model.max_depth or 0,
            "min_samples_leaf": int(model.min_samples_leaf),
            "l2": model.l2_regularization_,
            "feature_share": float(model.max_features),
            "depth_wise": model.growth == "depth",
            "seed": model._random_seed,
            "monotone": monotone_directions(model.monotonic_cst, n_features, names, named, owner),
            "together": interaction_masks(model.interaction_cst, n_features, owner),
            "packing": -1,
        }


def _start(model: HistGradientBoostingBase, data: Data) -> Array:
    """Scores so far: (outputs, 1) at first, then (outputs, n), added up as boosting adds them."""
    if not model.trees_:
        return model.baseline_[:, np.newaxis].copy()
    assert data.x is not None
    scores = model.baseline_[np.newaxis]
    for scores in staged_scores(model, data.x):  # noqa: B007  # the last ones are kept
        pass
    return np.ascontiguousarray(scores.T)


def _tree(arrays: dict[str, Any], n_features: int) -> Tree:
    return Tree(**arrays, n_features=n_features)


def _forest(model: HistGradientBoostingBase) -> tuple[FlatForest, NDArray[np.int32]]:
    terms = model._tree_sum()
    assert terms.columns is not None
    return FlatForest.of(terms.trees, model.n_features_in_), terms.columns


def scores_of(model: HistGradientBoostingBase, x: NDArray[Any]) -> Array:
    """Scores of rows after all iterations, of shape (n, outputs)."""
    forest, columns = _forest(model)
    scores = forest.add(x, columns=columns, n_columns=model.n_trees_per_iteration_)
    scores += model.baseline_
    return scores


def staged_scores(model: HistGradientBoostingBase, x: NDArray[Any]) -> Iterator[Array]:
    """The same after each iteration."""
    forest, columns = _forest(model)
    width = model.n_trees_per_iteration_
    scores = np.repeat(model.baseline_[np.newaxis, :], len(x), axis=0)
    for first in range(0, len(columns), width):
        scores = scores + forest.add(
            x, first=first, last=first + width, columns=columns, n_columns=width
        )
        yield scores
