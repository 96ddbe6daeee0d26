"""Combinations of columns: found where they are and not elsewhere, and safe in a validation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import stylobate
from stylobate.exceptions import InvalidParameterError
from stylobate.feature_selection import PairFeatures
from stylobate.linear_model import LinearRegression, LogisticRegression
from stylobate.model_selection import cross_val_score
from stylobate.pipeline import make_pipeline


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "price": rng.uniform(1, 9, 400),
            "area": rng.uniform(2, 5, 400),
            "income": rng.normal(0, 1, 400),
            "spent": rng.normal(0, 1, 400),
            "noise": rng.normal(0, 1, 400),
        }
    )


def noise(seed=1):
    return np.random.default_rng(seed).normal(0, 0.3, 400)


@pytest.mark.parametrize(
    ("target", "name"),
    [
        (lambda t: t.price / t.area, "price / area"),
        (lambda t: -3 * t.area / t.price, "area / price"),
        (lambda t: t.income * t.noise, "income * noise"),
        (lambda t: 2 * (t.income - t.spent) + t.noise, "income - spent"),
    ],
)
def test_what_is_there_is_found_first(table, target, name):
    y = target(table) + noise()
    found = PairFeatures().fit(table, y)
    assert found.get_feature_names_out()[5] == name
    assert name in found.words()
    labels = np.where(y > y.median(), "yes", "no")
    again = PairFeatures(found.operations_[0]).fit(table, labels)
    assert set(again.pairs_[0]) == set(found.pairs_[0])


def test_gain_and_p_value_are_the_partial_f_test(table):
    y = table.price / table.area + noise()
    found = PairFeatures("ratio").fit(table, y)
    base = sm.add_constant(table[["price", "area"]].to_numpy())
    made = (table.price / table.area).to_numpy()
    small, large = sm.OLS(y, base).fit(), sm.OLS(y, np.column_stack([base, made])).fit()
    assert found.operations_[0] == "ratio"
    assert found.gains_[0] == pytest.approx(large.rsquared - small.rsquared, rel=1e-8)
    want = large.compare_f_test(small)[1] * found.n_candidates_
    assert found.pvalues_[0] == pytest.approx(want, rel=1e-6, abs=1e-300)


def test_nothing_is_found_in_noise(table):
    """At a level of 1 % for all candidates together, next to never anything."""
    found = [
        len(PairFeatures().fit(table, np.random.default_rng(seed).normal(size=400)).operations_)
        for seed in range(40)
    ]
    assert np.count_nonzero(found) <= 2
    assert "None of" in PairFeatures().fit(table, noise(5)).words()


def test_a_line_needs_no_pairs(table):
    y = 2 * table.price - table.area + 0.5 * table.income + noise()
    assert PairFeatures(["ratio", "product"]).fit(table, y).operations_ == []


def test_validated_anew_in_each_part():
    """Many columns of noise: combinations chosen on all rows look good, in a pipeline not."""
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(60, 30)), rng.normal(size=60)
    greedy = PairFeatures("product", alpha=0.999999, max_features=8)
    outside = cross_val_score(LinearRegression(), greedy.fit_transform(x, y)[:, 30:], y)
    inside = cross_val_score(make_pipeline(greedy, LinearRegression()), x, y)
    assert len(greedy.operations_) > 0
    assert inside.mean() < outside.mean()


def test_it_helps_a_linear_model(table):
    y = table.price / table.area + noise()
    plain = cross_val_score(LinearRegression(), table, y).mean()
    with_pairs = cross_val_score(make_pipeline(PairFeatures(), LinearRegression()), table, y).mean()
    assert with_pairs > plain + 0.01
    x = table[["income", "noise"]]
    sides = np.where(x.income * x.noise > 0, 1, 0)
    pairs = make_pipeline(PairFeatures(), LogisticRegression())
    assert cross_val_score(LogisticRegression(), x, sides).mean() < 0.6
    assert cross_val_score(pairs, x, sides).mean() > 0.85


def test_denominators_stay_away_from_zero(table):
    y = table.price / table.area + noise()
    model = PairFeatures("ratio").fit(table, y)
    new = table.head(2).assign(area=[0.0, -4.0])
    least = table.area.min()
    assert model.floors_[0] == least
    np.testing.assert_allclose(model.transform(new)["price / area"], new.price / least)
    crossing = PairFeatures("ratio").fit(table.assign(area=table.area - 3), y)
    assert all(crossing.pairs_[:, 1] != 1)


def test_files_and_sql(table, tmp_path):
    import duckdb

    y = table.price / table.area + table.income * table.spent + noise()
    model = make_pipeline(PairFeatures(max_features=2), LinearRegression()).fit(table, y)
    assert set(model[0].operations_) == {"ratio", "product"}
    stylobate.save(model, tmp_path / "pairs.stylobate")
    again = stylobate.load(tmp_path / "pairs.stylobate")
    np.testing.assert_array_equal(again.predict(table), model.predict(table))
    connection = duckdb.connect()
    connection.register("data", table)
    answer = connection.sql(model.to_sql("duckdb", table="data")).df()["prediction"]
    np.testing.assert_allclose(answer, model.predict(table), rtol=1e-9)


def test_refusals(table):
    with pytest.raises(InvalidParameterError, match="operations"):
        PairFeatures(["sum"]).fit(table, noise())
    one = PairFeatures().fit(table[["price"]], noise())
    assert one.transform(table[["price"]]).shape == (400, 1)
