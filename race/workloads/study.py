"""From a table to a chosen model: the same families, folds and grids as a scikit-learn script.

The table is Adult if ``STYLOBATE_RACE_ADULT`` names its CSV file, else one made up in its likeness.
Our time holds all of a study (exploring, comparing, hold-out, explaining), the scripts' only the
searches.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

TARGET = "income"
FOLDS, SEED = 5, 0
_WORDS = {
    "workclass": 8, "education": 16, "marital_status": 7, "occupation": 14, "relationship": 6,
    "race": 5, "sex": 2, "native_country": 41,
}  # fmt: skip


def make(size: Size, seed: int) -> Data:
    """Columns as arrays; texts are empty where missing."""
    rng = np.random.default_rng(seed)
    path = os.environ.get("STYLOBATE_RACE_ADULT")
    if path is None:
        return _alike(size["rows"], rng)
    import pandas as pd

    frame = pd.read_csv(path, na_values=["?"]).drop(columns=["split"], errors="ignore")
    chosen = np.sort(rng.permutation(len(frame))[: size["rows"]])
    return {name: _column(frame[name].to_numpy()[chosen]) for name in frame.columns}


def _column(values: Any) -> Any:
    values = np.asarray(values)
    if values.dtype.kind in "iuf":
        return values.astype(np.float64)
    return np.array(["" if v is None or v != v else str(v) for v in values])


def table_of(data: Data) -> dict[str, Any]:
    """The columns as tables have them: texts as objects, None where missing."""
    texts = {name: values.astype(object) for name, values in data.items() if _is_text(values)}
    for values in texts.values():
        values[values == ""] = None
    return {name: texts.get(name, values) for name, values in data.items()}


def _is_text(values: Any) -> bool:
    return bool(values.dtype.kind == "U")


def _alike(rows: int, rng: np.random.Generator) -> Data:
    """Six numbers and eight texts with gaps, and a target that depends on some of them."""
    found: dict[str, Any] = {
        "age": rng.integers(17, 90, rows).astype(float),
        "fnlwgt": rng.lognormal(12, 0.5, rows).round(),
        "education_num": rng.integers(1, 17, rows).astype(float),
        "capital_gain": np.where(rng.random(rows) < 0.08, rng.lognormal(8, 1, rows), 0).round(),
        "capital_loss": np.where(rng.random(rows) < 0.05, rng.lognormal(7, 0.3, rows), 0).round(),
        "hours_per_week": np.clip(rng.normal(40, 12, rows), 1, 99).round(),
    }
    score = 0.04 * (found["age"] - 40) + 0.3 * (found["education_num"] - 10)
    score += 0.03 * (found["hours_per_week"] - 40) + 2.0 * (found["capital_gain"] > 5000)
    for name, count in _WORDS.items():
        codes = rng.integers(0, count, rows)
        score += rng.normal(0, 0.6, count)[codes]
        words = np.array([f"{name} {k}" for k in range(count)])[codes]
        words[rng.random(rows) < 0.03] = ""
        found[name] = words
    noise = rng.logistic(size=rows)
    found[TARGET] = np.where(score + noise > np.quantile(score + noise, 0.76), ">50K", "<=50K")
    return found


def families() -> list[Any]:
    """The families of classifiers that scikit-learn has under the same name."""
    from sklearn.utils import all_estimators as theirs

    from stylobate.base import ClassifierMixin
    from stylobate.base.study_role import role_of
    from stylobate.testing import all_estimators

    known = {name: kind for name, kind in theirs() if not name.startswith("Dummy")}
    return [
        (known[kind.__name__], role)
        for kind in all_estimators()
        if (role := role_of(kind)) is not None
        and kind.__name__ in known
        and issubclass(kind, ClassifierMixin)
    ]


def ours(data: Data) -> dict[str, float]:
    """A whole study."""
    from stylobate import Study

    names = [role.family for _, role in families()]
    found = Study(table_of(data), TARGET, models=names, time=1e6, cv=FOLDS, random_state=SEED).run()
    return {row.family: row.mean for row in found.leaderboard if not row.is_baseline}


def sklearn(data: Data) -> dict[str, float]:
    """The script people write: a column transformer and a grid search for each family."""
    import pandas as pd
    from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit
    from sklearn.pipeline import make_pipeline

    frame = pd.DataFrame(table_of(data))
    X, y = frame.drop(columns=[TARGET]), (frame[TARGET] == ">50K").to_numpy()
    locked = round(0.2 * len(y))  # the same rows as ours are set aside
    train, _ = next(StratifiedShuffleSplit(1, test_size=locked, random_state=SEED).split(X, y))
    X, y = X.iloc[np.sort(train)], y[np.sort(train)]
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    found = {}
    for kind, role in families():
        model = kind(**role.fixed)
        if "random_state" in model.get_params():
            model.set_params(random_state=SEED)
        prepared = make_pipeline(_prepared(X, role.encoding), model)
        name = prepared.steps[-1][0]
        grid = {f"{name}__{key}": list(values) for key, values in role.space.items()}
        search = GridSearchCV(prepared, grid, cv=folds, scoring="accuracy", n_jobs=2)
        found[role.family] = float(search.fit(X, y).best_score_)
    return found


def _prepared(X: Any, encoding: str) -> Any:
    """What `TableEncoder` does, by hand."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

    numbers = [name for name in X.columns if X[name].dtype.kind == "f"]
    words = [name for name in X.columns if name not in numbers]
    if encoding == "codes":
        codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
        return make_column_transformer((codes, words), remainder="passthrough")
    filled = SimpleImputer(strategy="median", add_indicator=True)
    ones = OneHotEncoder(
        max_categories=20, handle_unknown="infrequent_if_exist", sparse_output=False
    )
    scaled = make_pipeline(filled, StandardScaler()) if encoding == "scaled" else filled
    return make_column_transformer((scaled, numbers), (ones, words))


def quality(found: dict[str, float], data: Data) -> float:
    """The error of the best family."""
    return 1.0 - max(found.values())


def notes(found: dict[str, float], data: Data) -> str:
    """The cross-validated accuracy of each family."""
    return ", ".join(f"{name} {score:.4f}" for name, score in sorted(found.items()))


WORKLOAD = Workload(
    name="study",
    title="every family of classifiers, searched, compared and explained",
    sizes={"small": {"rows": 2_000}, "standard": {"rows": 48_842}},
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn n_jobs=2", "sklearn", sklearn),
    ),
    quality=quality,
    tolerance=0.03,
    notes=notes,
    goals=(Faster("peers", 5.0),),
)
