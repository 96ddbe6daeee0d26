"""What a study may choose can be written as SQL and ONNX, or says in a sentence why not."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stylobate.base.parameters import defaults_of
from stylobate.study.search.encoding import extra_of, make_encoder
from stylobate.study.search.families import _known

sys.path.append(str(Path(__file__).parents[1] / "formula"))
from formula_runs import check

SMALL = {"n_estimators": 4, "max_depth": 4, "random_state": 0}
FAMILIES = [
    pytest.param(kind, role, id=f"{role.family}-{kind.__name__}") for kind, role in _known()
]


def table(n=150):
    draw = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": draw.integers(18, 80, n).astype(float),
            "town": np.array(["it's", 'b"', "c", "d"])[draw.integers(0, 4, n)].astype(object),
            "since": pd.Timestamp("2019-11-03 08:30")
            + pd.to_timedelta(draw.integers(0, 900 * 1440, n), "min"),
            "member": np.where(draw.random(n) < 0.4, "yes", "no").astype(object),
        }
    )  # fmt: skip
    y = frame["age"] / 20 + (frame["town"] == "c") + draw.gamma(1.0, size=n)
    frame.loc[::9, "age"] = np.nan
    frame.loc[::11, "town"] = None
    frame.loc[::13, "since"] = pd.NaT
    return frame, y.to_numpy()


@pytest.mark.parametrize(("kind", "role"), FAMILIES)
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")
def test_every_family_has_a_formula_or_a_reason(kind, role):
    from stylobate.base import is_classifier
    from stylobate.exceptions import FormulaError
    from stylobate.pipeline import Pipeline

    frame, y = table()
    small = {name: value for name, value in SMALL.items() if name in defaults_of(kind)}
    classes = is_classifier(kind())
    target = np.where(y > np.median(y), "high", "low") if classes else np.ceil(y)
    if role.family == "qda":  # which wants columns that do not follow from each other
        frame = frame[["age", "member"]].fillna({"age": 40.0})
    encoder = make_encoder(role.encoding, None, "binary" if classes else "regression")
    steps = [] if encoder is None else [("table", encoder)]
    model = kind(**small)
    if encoder is not None:
        encoder.fit(frame, target)
        model.set_params(
            **{k: v for k, v in extra_of(encoder, role.encoding).items() if k in defaults_of(kind)}
        )
    if role.family == "boosting":
        model.set_params(max_iter=5)
    whole = Pipeline([*steps, ("model", model)]).fit(frame, target)
    if role.family in ("neighbours", "svm", "tabular_net"):
        with pytest.raises(AttributeError, match=rf"its part {kind.__name__} has no formula"):
            whole.to_sql()
        return
    try:
        check(whole, frame, onnx=role.family != "baseline")
    except FormulaError as reason:
        assert role.encoding == "table", reason  # naive Bayes of dates  # noqa: PT017
        assert "since" in str(reason)  # noqa: PT017
        plain = frame.drop(columns="since")
        check(Pipeline([("model", kind(**small))]).fit(plain, target), plain)
