"""Scores of rows that come in batches: added up where a metric merges, else from what was kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from stylobate.base.tallies import LabelTally, Tally
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.regression.errors import ErrorSums
from stylobate.metrics.scoring.scorers import BuiltInScore, ManyScorers, Scorer, takes_weights
from stylobate.metrics.scoring.scoring_argument import check_scoring

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream

# metrics of pairs of labels: functions of how often each pair occurs
_OF_PAIRS = (
    "accuracy_score", "balanced_accuracy_score", "cohen_kappa_score", "f1_score", "fbeta_score",
    "jaccard_score", "matthews_corrcoef", "precision_score", "recall_score", "zero_one_loss",
)  # fmt: skip
# metrics that are means over the rows
_MEANS = (
    "brier_score_loss", "log_loss", "mean_absolute_percentage_error", "mean_gamma_deviance",
    "mean_pinball_loss", "mean_poisson_deviance", "mean_squared_log_error",
    "mean_tweedie_deviance",
)  # fmt: skip
# metrics of sums of errors
_OF_ERRORS = (
    "explained_variance_score", "mean_absolute_error", "mean_squared_error", "r2_score",
    "root_mean_squared_error",
)  # fmt: skip
ONE = "score"  # the name of a score that has none


def score_stream(
    model: Any, rows: Any, scoring: Any = None, *, target: Any = None, weight: str | None = None
) -> Any:
    """The score of a fitted model on rows that come in batches.

    Metrics that are counts, means or sums of squares are added up, so that one batch is in memory
    at a time. Others (ranking metrics, medians) keep the targets and the model's answers: a few
    numbers for each row, never the rows.

    Parameters
    ----------
    model : fitted estimator
    rows : Stream, Relation, path … as `fit` takes them
    scoring : str, callable, list, tuple, dict or None, default=None
        As of `cross_validate`; None is the model's own `score`.
    target : str or sequence of str, optional
        The column or columns with the truth.
    weight : str, optional
        The column of weights; for scores that take some.

    Returns
    -------
    float, or dict of float by name where there are several scorings

    Examples
    --------
    >>> import polars
    >>> from stylobate.linear_model import LinearRegression
    >>> frame = polars.DataFrame({"x": [1.0, 2.0, 3.0], "y": [1.0, 2.0, 4.0]})
    >>> model = LinearRegression().fit(frame.select("x"), frame["y"])
    >>> score_stream(model, frame.lazy(), "neg_mean_absolute_error", target="y").__round__(3)
    -0.222
    """
    from stylobate.data.streams import Stream, open_rows

    owner = "score_stream"
    names = getattr(model, "feature_names_in_", None)
    named = target is not None or weight is not None
    features = list(names) if named and names is not None else None
    opened = open_rows(rows, owner, target=target, features=features, weight=weight)
    stream = opened.stream
    if opened.memory is not None:
        batch = opened.memory
        stream = Stream(lambda: iter([batch]), f"{owner}: the rows")
    scorer = check_scoring(model, scoring)
    judged = Judged(model, scorer, lambda: stream)
    (scores,) = score_parts([judged], stream, lambda first, batch: [batch], weighted=True)
    return scores if isinstance(scorer, ManyScorers) else scores[ONE]


class Judged(NamedTuple):
    """A model to be scored, how, and its rows as a stream (for scorers that ask for them all)."""

    model: Any
    scorer: Any
    rows: Callable[[], Stream]


def score_parts(
    judged: Sequence[Judged],
    stream: Stream,
    parts_of: Callable[[int, Batch], Sequence[Batch | None]],
    *,
    weighted: bool,
) -> list[dict[str, float]]:
    """The scores of several models, each on its own part of the rows, in one pass.

    Parameters
    ----------
    judged : sequence of Judged
    stream : Stream
    parts_of : callable
        From the number of a batch's first row and the batch to the part of it that each model is
        to be scored on; None: nothing of it.
    weighted : bool
        Whether the stream's weights count in the scores that take some.

    Returns
    -------
    list of dict
        Of each model, its scores by name.
    """
    tallies = [_ModelScores(each, weighted=weighted) for each in judged]
    if any(tally.scores for tally in tallies):
        told = [each._replace(rows=_no_rows) for each in judged]  # what a cluster's workers get

        def added(batch: Batch, first: int) -> tuple[Any, ...]:
            """The scores of the models, of a batch alone."""
            parts = parts_of(first, batch)
            own = [_ModelScores(each, weighted=weighted) for each in told]
            for tally, part in zip(own, parts, strict=True):
                if part is not None and part.n_rows:
                    tally.add(part)
            return tuple(tally.state() for tally in own)

        found = stream.reduced(added, _joined, numbered=True)
        for tally, state in zip(tallies, found or [None] * len(tallies), strict=True):
            tally.set_state(state)
    return [tally.values(stream.name) for tally in tallies]


def _no_rows() -> Stream:
    raise InvalidDataError("Scores that ask for all rows are made where these are.")


def _joined(one: Any, other: Any) -> Any:
    """Sums and lists of some rows and of those that follow; None stands for nothing."""
    if one is None or other is None:
        return other if one is None else one
    if hasattr(one, "merge"):
        return one.merge(other)
    if isinstance(one, dict):
        return {name: _joined(each, other[name]) for name, each in one.items()}
    if isinstance(one, tuple):
        return tuple(_joined(*both) for both in zip(one, other, strict=True))
    return one + other


class _ModelScores:
    """All scores of one model: those that add up, and those that ask for the rows."""

    def __init__(self, judged: Judged, *, weighted: bool) -> None:
        self.judged, self.weighted = judged, weighted
        scorer, model = judged.scorer, judged.model
        self.named = scorer.scorers if isinstance(scorer, ManyScorers) else {ONE: scorer}
        found = {name: _score_of(each, model) for name, each in self.named.items()}
        self.scores = {name: each for name, each in found.items() if each is not None}
        self.seen = False

    def add(self, batch: Batch) -> None:
        model = self.judged.model
        if batch.y is None:
            raise InvalidDataError(
                f"{type(model).__name__}: name the target= that its answers are compared with."
            )
        self.seen = True
        known: dict[Any, Any] = {}  # answers that several scores share
        for name, score in self.scores.items():
            key = score.asks
            if key not in known:
                known[key] = score.answers(model, batch.x)
            score.add(batch.y, known[key], batch.weights if self._weighted(name) else None)

    def state(self) -> Any:
        """What has been added, without the model: it is merged by `_joined`."""
        return ({name: each.state for name, each in self.scores.items()},) if self.seen else None

    def set_state(self, state: Any) -> None:
        """Take over what has been added elsewhere."""
        self.seen = state is not None
        for name, each in self.scores.items() if self.seen else ():
            each.state = state[0][name]

    def _weighted(self, name: str) -> bool:
        scorer = self.named[name]
        judge = self.judged.model.score if isinstance(scorer, BuiltInScore) else scorer
        return self.weighted and takes_weights(judge)

    def values(self, where: str) -> dict[str, float]:
        model, scorer, rows = self.judged
        if self.scores and not self.seen:
            raise InvalidDataError(f"{where} has no rows to score {type(model).__name__} on.")
        found: dict[str, float] = {}
        for name, each in self.named.items():
            if name in self.scores:
                found[name] = self.scores[name].value()
                continue
            value = _of_rows(each, model, rows(), weighted=self._weighted(name))
            if isinstance(value, dict) and not isinstance(scorer, ManyScorers):
                return value
            found[name] = value
        return found


def _of_rows(scorer: Any, model: Any, stream: Stream, *, weighted: bool) -> Any:
    """A scorer of the caller's own, which asks the model about the stream as it would about X."""
    if isinstance(scorer, BuiltInScore):
        return model.score(stream)
    batches = stream.without_features().reduced(
        lambda batch, first: [(batch.y, batch.weights)], lambda one, other: one + other
    )
    if not batches or batches[0][0] is None:
        raise InvalidDataError(f"{stream.name} has no target to score {type(model).__name__} with.")
    options: dict[str, Any] = {}
    if weighted and batches[0][1] is not None:
        options["sample_weight"] = np.concatenate([weights for _, weights in batches])
    return scorer(model, stream, np.concatenate([y for y, _ in batches]), **options)


class _BatchScore(Protocol):
    """A score that batches are added to; its state is what `_joined` merges."""

    state: Any

    @property
    def asks(self) -> Any: ...

    def answers(self, model: Any, x: Any) -> Any: ...

    def add(self, y: Any, answers: Any, weights: Any) -> None: ...

    def value(self) -> float: ...


def _score_of(scorer: Any, model: Any) -> _BatchScore | None:
    """How a score adds up; None where the scorer has to be given the rows."""
    if isinstance(scorer, BuiltInScore):
        tally = getattr(type(model).score, "tally", None)
        return None if tally is None else _OwnScore(tally(type(model).__name__))
    if not isinstance(scorer, Scorer):
        return None
    function, options = scorer._score_func, set(scorer._kwargs)
    ours = getattr(function, "__module__", "").startswith("stylobate.metrics.")
    name = function.__name__ if ours else ""
    if name in _OF_PAIRS and scorer._response_method == "predict":
        return _OfPairs(scorer, model)
    if name in _OF_ERRORS and options <= {"multioutput"} and scorer._response_method == "predict":
        return _OfErrors(scorer)
    if name in _MEANS and "normalize" not in options:
        return _Mean(scorer, model)
    return _Kept(scorer, model)


class _Parts(NamedTuple):
    """Targets, answers and weights, batch by batch."""

    parts: list[tuple[Any, Any, Any]]

    def merge(self, other: _Parts) -> _Parts:
        """Of both parts' rows."""
        return _Parts(self.parts + other.parts)


class _OwnScore:
    """The model's own score, of a tally of its predictions."""

    asks = ("predict", None)

    def __init__(self, tally: Tally) -> None:
        self.tally = tally

    @property
    def state(self) -> Any:
        return self.tally

    @state.setter
    def state(self, state: Any) -> None:
        self.tally = state

    def answers(self, model: Any, x: Any) -> Any:
        return model.predict(x)

    def add(self, y: Any, answers: Any, weights: Any) -> None:
        self.tally.add(y, answers, weights)

    def value(self) -> float:
        return self.tally.score()


class _OfScorer:
    """What scores made of a `Scorer` share."""

    def __init__(self, scorer: Scorer, model: Any) -> None:
        self.scorer = scorer
        self.classes = getattr(model, "classes_", None)

    @property
    def asks(self) -> Any:
        method = self.scorer._response_method
        return method, None if method == "predict" else self.scorer._positive

    def answers(self, model: Any, x: Any) -> Any:
        return self.scorer.answers(model, x)

    def _score(self, y: Any, answers: Any, weights: Any) -> float:
        return self.scorer.compared(y, answers, self.classes, sample_weight=weights)  # type: ignore[no-any-return]


class _OfPairs(_OfScorer):
    """A function of how often each label was predicted for each true one; tables are kept."""

    def __init__(self, scorer: Scorer, model: Any) -> None:
        super().__init__(scorer, model)
        self.tally = LabelTally(type(model).__name__)
        self.kept = _Kept(scorer, model)

    @property
    def state(self) -> Any:
        return self.tally, _Parts(self.kept.parts)

    @state.setter
    def state(self, state: Any) -> None:
        self.tally, self.kept.parts = state[0], state[1].parts

    def add(self, y: Any, answers: Any, weights: Any) -> None:
        where = self.kept if np.ndim(y) > 1 or np.ndim(answers) > 1 else self.tally
        where.add(y, answers, weights)

    def value(self) -> float:
        return self._score(*self.tally.pairs()) if self.tally.weight else self.kept.value()


class _OfErrors:
    """A function of sums of errors and of their squares."""

    asks = ("predict", None)

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self.sums: ErrorSums | None = None

    @property
    def state(self) -> Any:
        return self.sums

    @state.setter
    def state(self, state: Any) -> None:
        self.sums = state

    def answers(self, model: Any, x: Any) -> Any:
        return self.scorer.answers(model, x)

    def add(self, y: Any, answers: Any, weights: Any) -> None:
        part = ErrorSums.of(y, answers, weights)
        self.sums = part if self.sums is None else self.sums.merge(part)

    def value(self) -> float:
        assert self.sums is not None
        name = self.scorer._score_func.__name__
        return float(self.scorer._sign * self.sums.score(name, **self.scorer._kwargs))


class _Mean(_OfScorer):
    """The mean over all rows, from those of the batches."""

    total = weight = 0.0

    @property
    def state(self) -> Any:
        return self.total, self.weight

    @state.setter
    def state(self, state: Any) -> None:
        self.total, self.weight = state

    def add(self, y: Any, answers: Any, weights: Any) -> None:
        weight = float(len(y) if weights is None else np.sum(weights))
        if weight:
            self.total += weight * float(self._score(y, answers, weights))
            self.weight += weight

    def value(self) -> float:
        return self.total / self.weight if self.weight else float("nan")


class _Kept(_OfScorer):
    """A metric of all targets and answers at once: rankings, medians, shares of a deviance."""

    def __init__(self, scorer: Scorer, model: Any) -> None:
        super().__init__(scorer, model)
        self.parts: list[tuple[Any, Any, Any]] = []

    @property
    def state(self) -> Any:
        return _Parts(self.parts)

    @state.setter
    def state(self, state: Any) -> None:
        self.parts = state.parts

    def add(self, y: Any, answers: Any, weights: Any) -> None:
        self.parts.append((np.asarray(y), np.asarray(answers), weights))

    def value(self) -> float:
        y, answers, weights = zip(*self.parts, strict=True)
        together = None if weights[0] is None else np.concatenate(weights)
        return self._score(np.concatenate(y), np.concatenate(answers), together)
