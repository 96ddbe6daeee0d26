"""Columns as a careful script would prepare them for scikit-learn, LightGBM and XGBoost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from race.study_quality.catalogue import Rows

_FEW = 25  # values of a category that becomes zeros and ones
_SENTENCE = 4.0  # words on average, from which on strings are text
_DATES = 0.95  # share of strings that can be read as dates
_UNIQUE = 0.9  # different values per row, of columns that name the row
_TEXT_DIRECTIONS = 60


@dataclass
class Columns:
    """Names of columns by what becomes of them; learnt from the training rows."""

    numbers: list[str] = field(default_factory=list)
    few: list[str] = field(default_factory=list)
    many: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, frame: Rows) -> Columns:
        found = cls()
        for name in frame.columns:
            values = frame[name].dropna()
            if values.nunique() < 2:
                continue
            held = found._place(values, len(frame))
            if held is not None:
                held.append(name)
        return found

    def _place(self, values: Any, n_rows: int) -> list[str] | None:
        if values.dtype.kind in "iufb":
            return self.numbers
        if values.dtype.kind == "M":
            return self.dates
        strings = values.astype(str)
        if _as_dates(strings).notna().mean() >= _DATES:
            return self.dates
        if strings.str.split().str.len().mean() >= _SENTENCE and values.nunique() > n_rows / 3:
            return self.texts
        if values.nunique() <= _FEW:
            return self.few
        return self.many if values.nunique() < _UNIQUE * n_rows else None

    def table(self, frame: Rows) -> Rows:
        """The columns in use, with dates as numbers."""
        import pandas as pd

        made: dict[str, Any] = {n: frame[n].astype(float).to_numpy() for n in self.numbers}
        for name in self.dates:
            moment = frame[name]
            moment = moment if moment.dtype.kind == "M" else _as_dates(moment.astype(str))
            moment = moment.dt.tz_localize(None) if moment.dt.tz is not None else moment
            made[f"{name} day"] = moment.astype("datetime64[s]").astype("int64").to_numpy() / 86400
            for part in ("year", "month", "dayofweek", "hour", "dayofyear"):
                made[f"{name} {part}"] = getattr(moment.dt, part).astype(float).to_numpy()
        for name in (*self.few, *self.many, *self.texts):
            made[name] = frame[name].astype(object).where(frame[name].notna(), "none").astype(str)
            made[name] = made[name].to_numpy()
        return pd.DataFrame(made)

    def encoder(self, *, linear: bool) -> Any:
        """A transformer of `table`, for a linear model or for trees."""
        from sklearn.compose import ColumnTransformer, make_column_selector
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

        numbers = make_column_selector(dtype_include=np.number)
        parts: list[Any] = []
        if linear:
            scaled = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
            parts.append(("numbers", scaled, numbers))
            coded: Any = OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=5)
        else:
            parts.append(("numbers", "passthrough", numbers))
            coded = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        if self.few:
            parts.append(("few", coded, self.few))
        parts += self._many(linear)
        for name in self.texts:
            words: Any = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2)
            words = words if linear else make_pipeline(words, TruncatedSVD(_TEXT_DIRECTIONS))
            parts.append((f"text {name}", words, name))
        return ColumnTransformer(parts, sparse_threshold=0.9 if linear else 0.0)

    def _many(self, linear: bool) -> list[Any]:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler, TargetEncoder

        if not self.many:
            return []
        means: Any = TargetEncoder(random_state=0)
        return [("many", make_pipeline(means, StandardScaler()) if linear else means, self.many)]


def _as_dates(strings: Any) -> Any:
    import warnings

    import pandas as pd

    if strings.str.fullmatch(r"[\d.,\s-]*").mean() > 0.9 and strings.str.len().mean() < 7:
        return pd.Series(pd.NaT, index=strings.index)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pd.to_datetime(strings, errors="coerce")
