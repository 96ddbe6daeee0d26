"""Who takes part: each learns from the training rows, and is then asked about the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from race.study_quality.catalogue import Asked, Rows
from race.study_quality.columns import Columns

Answers = Callable[[Rows], Any]  # probabilities of the sorted classes, or numbers
_SETTINGS = {
    "learning_rate": (0.02, 0.3),
    "l2_regularization": (1e-6, 10.0),
    "alpha": (1e-2, 1e3),
    "C": (1e-2, 1e2),
}
_ROUNDS, _WAIT = 600, 30  # of boosting, and without a gain before it stops


@dataclass(frozen=True)
class Task:
    """What every contender is told.

    `metric` is what they are judged by: "auc", "accuracy" or "rmse"; `seconds` what they may take.
    """

    asked: Asked
    metric: str
    seconds: float

    @property
    def classes(self) -> bool:
        return self.metric != "rmse"

    @property
    def scoring(self) -> str:
        names = {"auc": "roc_auc", "accuracy": "accuracy"}
        return names.get(self.metric, "neg_root_mean_squared_error")


def metric_of(values: Any) -> str:
    """The measure: of two classes the area under the ROC curve, of more accuracy."""
    numbers = values.dtype.kind in "iuf" and values.nunique() > 2
    if numbers and values.nunique() > 10:
        return "rmse"
    return "auc" if values.nunique() == 2 else "accuracy"


def study(train: Rows, task: Task) -> tuple[Answers, dict[str, Any]]:
    """`stylobate.Study`, told the target and the metric; how rows belong together it must see."""
    from stylobate import Study

    asked = task.asked
    made = Study(
        {name: plain(train[name]) for name in train.columns}, asked.target, metric=task.metric,
        task="classification" if task.classes else "regression", time=task.seconds,
    ).run()  # fmt: skip

    def answers(rows: Rows) -> Any:
        held = {name: plain(rows[name]) for name in rows.columns}
        if not task.classes:
            return made.predict(held)
        return _probabilities(made, held)

    assert made.verdict is not None
    assert made.choice is not None
    return answers, {
        "verdict": made.verdict.answer, "chosen": made.choice.title, "split": made.split.kind,
    }  # fmt: skip


def _probabilities(made: Any, held: dict[str, Any]) -> Any:
    """Of the classes in the order of their names; scores or decisions where there are none."""
    model = made.pipeline
    names = np.array([str(each) for each in model.classes_])
    order = np.argsort(names)
    if hasattr(model, "predict_proba"):
        return made.predict_proba(held)[:, order]
    if hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(_held_by(model, held)))
        scores = np.column_stack([-scores, scores]) if scores.ndim == 1 else scores
        return scores[:, order]
    given = np.array([str(each) for each in made.predict(held)])
    return (given[:, None] == names[order]) * 1.0


def _held_by(model: Any, held: dict[str, Any]) -> Any:
    from stylobate.data.column_table import ColumnTable

    return ColumnTable({name: held[name] for name in model.feature_names_in_})


def plain(values: Any) -> Any:
    if values.dtype.kind in "iufb":
        return values.to_numpy()
    if values.dtype.kind == "M":
        values = values.dt.tz_localize(None) if values.dt.tz is not None else values
        return values.to_numpy().astype("datetime64[us]")
    return values.astype(object).where(values.notna(), None).to_numpy(dtype=object)


def tuned(train: Rows, task: Task) -> tuple[Answers, dict[str, Any]]:
    """scikit-learn: linear and boosted pipelines, settings drawn at random as time lasts."""
    from sklearn.base import clone

    started = perf_counter()
    x, y, columns = _parts(train, task)
    folds = list(_folds(train, x, y, task))
    best, kept = -np.inf, None
    draw = np.random.default_rng(0)
    tried = 0
    while tried < 2 or perf_counter() - started < task.seconds:
        model = _candidate(columns, task, draw, tried)
        tried += 1
        score = _cross_validated(model, x, y, folds, task, started, must=tried <= 2)
        if score is not None and score > best:
            best, kept = score, model
    assert kept is not None
    fitted = clone(kept).fit(x, y)
    return _answering(fitted, columns, task), {"chosen": type(fitted[-1]).__name__, "tried": tried}


def _cross_validated(
    model: Any, x: Rows, y: Any, folds: Any, task: Task, started: float, *, must: bool
) -> float | None:
    from sklearn.base import clone
    from sklearn.metrics import get_scorer

    scores = []
    for learn, test in folds:
        if not must and perf_counter() - started > task.seconds:
            return None
        fitted = clone(model).fit(x.iloc[learn], y[learn])
        scores.append(get_scorer(task.scoring)(fitted, x.iloc[test], y[test]))
    return float(np.mean(scores))


def _candidate(columns: Columns, task: Task, draw: Any, tried: int) -> Any:
    """The two kinds of model with their defaults first, then settings drawn at random."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline

    def drawn(name: str) -> float:
        return float(np.exp(draw.uniform(*np.log(_SETTINGS[name]))))

    linear = tried == 0 or (tried > 1 and draw.random() < 0.4)
    if linear:
        model: Any = LogisticRegression(max_iter=1000) if task.classes else Ridge()
        name = "C" if task.classes else "alpha"
        settings = {name: drawn(name)}
    else:
        kind = HistGradientBoostingClassifier if task.classes else HistGradientBoostingRegressor
        model = kind(random_state=0)
        settings = {
            "learning_rate": drawn("learning_rate"),
            "l2_regularization": drawn("l2_regularization"),
            "max_leaf_nodes": int(draw.choice([7, 15, 31, 63])),
            "min_samples_leaf": int(draw.choice([5, 10, 20, 50])),
            "max_iter": int(draw.choice([100, 200, 400])),
        }
    model = model.set_params(**settings) if tried > 1 else model
    return make_pipeline(columns.encoder(linear=linear), model)


def boosted(package: str) -> Callable[[Rows, Task], tuple[Answers, dict[str, Any]]]:
    """LightGBM or XGBoost as one would start: small steps, stopped early on a sixth of the rows."""

    def fit(train: Rows, task: Task) -> tuple[Answers, dict[str, Any]]:
        x, y, columns = _parts(train, task)
        learn, test = next(iter(_folds(train, x, y, task, count=6, last=True)))
        encoder = columns.encoder(linear=False)
        known = np.asarray(encoder.fit_transform(x.iloc[learn], y[learn]), dtype=float)
        other = np.asarray(encoder.transform(x.iloc[test]), dtype=float)
        model = _boosting(package, task, known, y[learn], other, y[test])
        return lambda rows: _of(model, encoder.transform(columns.table(rows)), task), {}

    return fit


def _boosting(package: str, task: Task, x: Any, y: Any, other: Any, y_other: Any) -> Any:
    pair = [(other, y_other)]
    if package == "lightgbm":
        import lightgbm as lgb

        kind: Any = lgb.LGBMClassifier if task.classes else lgb.LGBMRegressor
        made = kind(n_estimators=_ROUNDS, learning_rate=0.05, verbose=-1, n_jobs=1)
        return made.fit(x, y, eval_set=pair, callbacks=[lgb.early_stopping(_WAIT, verbose=False)])
    import xgboost as xgb

    kind = xgb.XGBClassifier if task.classes else xgb.XGBRegressor
    made = kind(n_estimators=_ROUNDS, learning_rate=0.05, early_stopping_rounds=_WAIT, n_jobs=1)
    return made.fit(x, y, eval_set=pair, verbose=False)


def _parts(train: Rows, task: Task) -> tuple[Rows, Any, Columns]:
    features = train.drop(columns=[task.asked.target, *_names_of_groups(task)])
    columns = Columns.of(features)
    y = train[task.asked.target]
    return columns.table(features), codes(y) if task.classes else y.to_numpy(float), columns


def _names_of_groups(task: Task) -> list[str]:
    return [task.asked.by] if task.asked.by else []


def codes(y: Any) -> Any:
    """Numbers of the classes, in the order of their names."""
    return np.unique(y.astype(str).to_numpy(), return_inverse=True)[1]


def _answering(model: Any, columns: Columns, task: Task) -> Answers:
    return lambda rows: _of(model, columns.table(rows), task)


def _of(model: Any, x: Any, task: Task) -> Any:
    return model.predict_proba(x) if task.classes else model.predict(x)


def _folds(
    train: Rows, x: Rows, y: Any, task: Task, count: int = 3, *, last: bool = False
) -> Iterator[tuple[Any, Any]]:
    """Folds that go by time or groups where the rows do: these contenders are told."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, TimeSeriesSplit

    groups = train[task.asked.by] if task.asked.by else None
    if task.asked.split == "time":
        pairs = list(TimeSeriesSplit(count).split(x))
        return iter(pairs[::-1] if last else pairs)
    if groups is not None:
        return iter(GroupKFold(count).split(x, y, groups))
    kind: Any = StratifiedKFold if task.classes else KFold
    return iter(kind(count, shuffle=True, random_state=0).split(x, y))


CONTENDERS: dict[str, Callable[[Rows, Task], tuple[Answers, dict[str, Any]]]] = {
    "study": study,
    "tuned scikit-learn": tuned,
    "lightgbm": boosted("lightgbm"),
    "xgboost": boosted("xgboost"),
}
