"""A scikit-learn script that searches families of models as a study does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from race.workloads._processes import one_thread_each


def families(regression: bool) -> list[Any]:
    """The families of a study that scikit-learn has under the same name, with their roles."""
    from sklearn.utils import all_estimators as theirs

    from stylobate.base import ClassifierMixin, RegressorMixin
    from stylobate.base.study_role import role_of
    from stylobate.testing import all_estimators

    mixin: type = RegressorMixin if regression else ClassifierMixin
    known = {name: kind for name, kind in theirs() if not name.startswith("Dummy")}
    return [
        (known[kind.__name__], role)
        for kind in all_estimators()
        if (role := role_of(kind)) is not None
        and kind.__name__ in known
        and issubclass(kind, mixin)
        and role.target == "any"
    ]


@dataclass
class Split:
    """Rows to learn from and locked ones."""

    x: Any
    y: Any
    x_test: Any
    y_test: Any
    regression: bool

    def baseline(self) -> float:
        """The score of the mean, or of the commonest class, on the locked rows."""
        from sklearn.dummy import DummyClassifier, DummyRegressor

        plain = DummyRegressor() if self.regression else DummyClassifier()
        return float(plain.fit(self.x, self.y).score(self.x_test, self.y_test))


def split_of(table: dict[str, Any], target: str, regression: bool, seed: int) -> Split:
    """The same rows are set aside as in our study."""
    import pandas as pd
    from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

    frame = pd.DataFrame(table)
    frame = frame[frame[target].notna()]
    x, y = frame.drop(columns=[target]), frame[target].to_numpy()
    if not regression:
        y = np.unique(y.astype(str), return_inverse=True)[1]
    kind: Any = ShuffleSplit if regression else StratifiedShuffleSplit
    splitter = kind(1, test_size=round(0.2 * len(y)), random_state=seed)
    train, test = (np.sort(rows) for rows in next(splitter.split(x, y)))
    return Split(x.iloc[train], y[train], x.iloc[test], y[test], regression)


def search(kind: Any, role: Any, split: Split, folds: int, seed: int) -> Any:
    """The grid of one family, fitted with two processes of one thread each."""
    from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
    from sklearn.pipeline import make_pipeline

    model = kind(**role.fixed)
    if "random_state" in model.get_params():
        model.set_params(random_state=seed)
    prepared = make_pipeline(_prepared(split.x, role.encoding), model)
    name = prepared.steps[-1][0]
    scale = float(np.std(np.concatenate([split.y, split.y_test]))) if role.target_units else 1.0
    grid = [{f"{name}__{k}": [v] for k, v in each.items()} for each in role.settings(scale)]
    splitter: Any = KFold if split.regression else StratifiedKFold
    cv = splitter(folds, shuffle=True, random_state=seed)
    scoring = "r2" if split.regression else "accuracy"
    searched = GridSearchCV(prepared, grid, cv=cv, scoring=scoring, n_jobs=2)
    with one_thread_each():
        return searched.fit(split.x, split.y)


def _prepared(x: Any, encoding: str) -> Any:
    """What `TableEncoder` does, by hand."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

    numbers = [name for name in x.columns if x[name].dtype.kind == "f"]
    words = [name for name in x.columns if name not in numbers]
    if encoding in ("codes", "ordinal"):
        codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
        return make_column_transformer((codes, words), remainder="passthrough")
    filled = SimpleImputer(strategy="median", add_indicator=True)
    ones = OneHotEncoder(
        max_categories=20, handle_unknown="infrequent_if_exist", sparse_output=False
    )
    scaled = make_pipeline(filled, StandardScaler()) if encoding == "scaled" else filled
    return make_column_transformer((scaled, numbers), (ones, words))
