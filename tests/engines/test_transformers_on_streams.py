"""Transformers, filters, baselines and compositions: a stream gives what memory gives."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import stylobate
from stylobate.base import BaseEstimator, clone, is_classifier
from stylobate.compose import ColumnTransformer, TransformedTargetRegressor
from stylobate.data.streams import Batch, Stream
from stylobate.dummy import DummyRegressor
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError
from stylobate.feature_extraction.text import CountVectorizer, TfidfVectorizer
from stylobate.feature_selection import SelectFpr, SelectKBest, chi2, f_classif, r_regression
from stylobate.impute import MissingIndicator, SimpleImputer
from stylobate.kernel_approximation import RBFSampler
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.neighbors import NearestCentroid
from stylobate.pipeline import FeatureUnion, Pipeline, make_pipeline
from stylobate.preprocessing import (
    KBinsDiscretizer,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    SplineTransformer,
    StandardScaler,
    TableEncoder,
    TargetEncoder,
)
from stylobate.preprocessing.encoding.categories import ColumnEncoder
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of

PACKAGES = (
    "preprocessing",
    "impute",
    "feature_extraction",
    "compose",
    "pipeline",
    "dummy",
    "kernel_approximation",
)
N = 400
CUTS = [0, 1, 1, 40, 41, 41, 300, N]  # a batch of one row, and some of none
TEXT = "note"

VARIANTS = [
    OneHotEncoder(min_frequency=20, drop="first", sparse_output=False),
    OneHotEncoder(max_categories=3, handle_unknown="infrequent_if_exist"),
    OrdinalEncoder(max_categories=3),
    TargetEncoder(smooth=3.0),
    SimpleImputer(strategy="median", add_indicator=True),
    SimpleImputer(strategy="most_frequent"),
    SimpleImputer(strategy="constant", fill_value=-1.0),
    SimpleImputer(missing_values=0.0),
    KBinsDiscretizer(subsample=None, encode="ordinal"),
    KBinsDiscretizer(subsample=50, random_state=0, encode="onehot-dense"),
    KBinsDiscretizer(subsample=None, n_bins=[3, 4, 5], quantile_method="linear"),
    KBinsDiscretizer(strategy="uniform", subsample=None),
    KBinsDiscretizer(strategy="kmeans"),
    KBinsDiscretizer(strategy="edges", edges=[0.0, 1.0, 2.0]),
    SplineTransformer(knots="quantile"),
    SplineTransformer(knots=[[0.0] * 3, [1.0] * 3, [9.0] * 3]),
    RobustScaler(quantile_range=(10.0, 90.0), unit_variance=True),
    QuantileTransformer(n_quantiles=30),
    RBFSampler(gamma="scale", n_components=4, random_state=0),
    CountVectorizer(min_df=3, max_features=5),
    TfidfVectorizer(vocabulary=["cat", "dog"]),
    DummyRegressor(strategy="median"),
    DummyRegressor(strategy="quantile", quantile=0.3),
    NearestCentroid(shrink_threshold=0.1),
    SelectKBest(r_regression, k=2),
    SelectKBest(f_classif, k=2),
    SelectFpr(chi2),
    TableEncoder(scale=True, text="hash"),
    TableEncoder(categories="codes"),
    make_pipeline(StandardScaler(), PolynomialFeatures(), Ridge()),
    make_pipeline(Normalizer(), Ridge()),
    make_pipeline(RobustScaler(), LogisticRegression()),
    make_pipeline("passthrough", StandardScaler()),
    FeatureUnion([("a", StandardScaler()), ("b", "passthrough"), ("c", "drop")]),
    ColumnTransformer(
        [("a", StandardScaler(), ["a"]), ("b", "drop", ["b"])], remainder="passthrough"
    ),
    TransformedTargetRegressor(Ridge(), transformer=StandardScaler()),
    TransformedTargetRegressor(Ridge(), func=np.log1p, inverse_func=np.expm1),
]


def found():
    """Every estimator of these packages, as it comes, that does not need all rows."""
    for kind in all_estimators():
        package = kind.__module__.split(".")[1]
        if package in PACKAGES or kind.__name__.startswith(("Select", "Variance", "GenericUni")):
            model = example_of(kind)
            if kind.__name__ == "HashingVectorizer":
                model.set_params(n_features=64)  # to be compared densely
            if "random_state" in model.get_params():
                model.set_params(random_state=0)
            if model._tags().tier != "all rows":
                yield model


MODELS = [*found(), *VARIANTS]
EACH = pytest.mark.parametrize("model", MODELS, ids=lambda model: repr(model)[:70])


def numbers():
    rng = np.random.default_rng(5)
    X = rng.exponential(size=(N, 3)).round(2)
    X[:, 1] = rng.integers(0, 4, N)
    return pd.DataFrame(X, columns=["a", "b", "c"])


def mixed():
    rng = np.random.default_rng(6)
    return pd.DataFrame(
        {
            "colour": rng.choice(["red", "blue", "green", "rare"], N, p=[0.5, 0.3, 0.19, 0.01]),
            "size": rng.choice([1.0, 2.0, 7.0], N),
        }
    )


def data_for(model):
    """X, y and the names of the columns a model learns from."""
    rng = np.random.default_rng(7)
    X = numbers()
    y = X["a"].to_numpy() + rng.normal(size=N) ** 2
    kind, name = type(model), type(model).__name__
    if model._tags().text:
        words = np.array(["cat", "dog", "sat", "the", "bird", "sang"])
        X = pd.DataFrame({TEXT: [" ".join(rng.choice(words, 4)) for _ in range(N)]})
    elif name == "DatetimeEncoder":
        days = pd.to_timedelta(rng.integers(0, 10**6, N), unit="min")
        X = pd.DataFrame({"day": pd.Timestamp("2020-01-01") + days})
    elif name == "GeoEncoder":
        X = pd.DataFrame({"north": rng.uniform(-80, 80, N), "east": rng.uniform(-170, 170, N)})
    elif issubclass(kind, ColumnEncoder):
        X = mixed()
        if name == "TableEncoder":
            X = pd.concat([X, numbers()], axis=1)
            X["price"] = rng.choice(["$1,200", "n/a", "$80"], N)
    elif name in ("SimpleImputer", "MissingIndicator") and model.missing_values != 0:
        X = X.mask(rng.random(X.shape) < 0.2)
    if learns_classes(model):
        y = np.where(y > 2, "high", np.where(y > 1, "low", "mid"))
    if isinstance(model, Pipeline) and learns_classes(model):
        y = np.where(y == "high", "high", "low")  # logistic regressions of batches know two
    return X, y


def learns_classes(model):
    last = model.steps[-1][1] if isinstance(model, Pipeline) else model
    return is_classifier(last) or getattr(model, "score_func", None) in (f_classif, chi2)


def given(model, X):
    """X as a fit in memory takes it: documents are a column."""
    return X.get(TEXT, X)


def batches_of(model, X, y, cuts=CUTS):
    return [Batch(given(model, X.iloc[a:b]), y[a:b]) for a, b in pairwise(cuts)]


def plain(value):
    if sparse.issparse(value):
        return value.toarray()
    return np.asarray(value)


def same(one, other, tolerance=1e-10):
    left, right = plain(one), plain(other)
    assert left.shape == right.shape
    if left.dtype.kind in "fiub" and right.dtype.kind in "fiub":
        assert right.astype(float) == pytest.approx(
            left.astype(float), rel=tolerance, abs=tolerance, nan_ok=True
        )
    else:
        assert [str(each) for each in left.flat] == [str(each) for each in right.flat]


def same_learnt(one, other, tolerance=1e-10):
    """Attributes that are arrays, numbers, texts and lists of these."""
    learnt = {name for name in vars(one) if name.endswith("_") and not name.startswith("__")}
    assert learnt == {n for n in vars(other) if n.endswith("_") and not n.startswith("__")}
    for name in sorted(learnt):
        left, right = getattr(one, name), getattr(other, name)
        if isinstance(left, np.ndarray | float | int | str) and np.asarray(left).dtype != object:
            same(left, right, tolerance)
        elif isinstance(left, list) and all(isinstance(each, np.ndarray) for each in left):
            for pair in zip(left, right, strict=True):
                same(*pair)
        elif isinstance(left, dict):
            assert left.keys() == right.keys(), name


def answer(model, X):
    ask = model.transform if hasattr(model, "transform") else model.predict
    return ask(X)


def agree(whole, parts, model, X):
    # a minimum has half of the digits of its function
    tolerance = 1e-6 if isinstance(model, PowerTransformer) else 1e-10
    same_learnt(whole, parts, tolerance)
    same(answer(whole, given(model, X)), answer(parts, given(model, X)), tolerance)


@pytest.fixture(autouse=True)
def quietly():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_the_estimators_of_these_packages_are_found():
    names = {type(model).__name__ for model in MODELS}
    assert names >= {
        "Binarizer",
        "ColumnTransformer",
        "CountVectorizer",
        "DummyClassifier",
        "FunctionTransformer",
        "HashingVectorizer",
        "MissingIndicator",
        "OneHotEncoder",
        "Pipeline",
        "PolynomialCountSketch",
        "SelectFdr",
        "TableEncoder",
        "TargetEncoder",
        "VarianceThreshold",
    }
    assert len(list(found())) >= 40


@EACH
def test_batches_give_what_memory_gives(model):
    X, y = data_for(model)
    whole = clone(model).fit(given(model, X), y)
    stream = Stream(lambda: iter(batches_of(model, X, y)))
    parts = clone(model)._fit_stream(stream)
    agree(whole, parts, model, X)
    # least squares of few rows, which can be read again, are: in 32-digit arithmetic
    most = 2 if "Ridge" in repr(model) or isinstance(model, TransformedTargetRegressor) else 1
    assert model._tags().tier != "one pass" or stream.passes <= most, stream.passes


@EACH
def test_one_pass_is_enough_for_rows_that_can_be_read_once(model):
    if model._tags().tier != "one pass":
        pytest.skip("needs several passes")
    X, y = data_for(model)
    once = iter(batches_of(model, X, y))
    parts = clone(model)._fit_stream(Stream(lambda: once, repeatable=False))
    agree(clone(model).fit(given(model, X), y), parts, model, X)


@pytest.mark.sampled(4)
@EACH
def test_files_give_what_memory_gives(model, tmp_path):
    X, y = data_for(model)
    path = tmp_path / "rows.parquet"
    X.assign(y=y).to_parquet(path, row_group_size=70)
    parts = clone(model).fit(stylobate.read(path), target="y")
    agree(clone(model).fit(given(model, X), y), parts, model, X)


@pytest.mark.sampled(4)
@EACH
def test_database_tables_give_what_memory_gives(model):
    import duckdb

    X, y = data_for(model)
    connection = duckdb.connect()
    connection.register("frame", X.assign(y=y))
    connection.execute("create table rows as select * from frame")
    parts = clone(model).fit(connection.table("rows"), target="y")
    agree(clone(model).fit(given(model, X), y), parts, model, X)


@EACH
def test_streams_are_transformed_by_batches(model):
    X, y = data_for(model)
    fitted = clone(model).fit(given(model, X), y)
    stream = Stream(lambda: iter(batches_of(model, X, y)))
    whole = plain(answer(fitted, given(model, X)))
    made = answer(fitted, stream)
    parts = made if not isinstance(made, Stream) else np.vstack([plain(b.x) for b in made])
    same(whole, parts)


@EACH
def test_a_stream_without_rows_is_refused(model):
    X, y = data_for(model)
    empty = batches_of(model, X, y, [0, 0, 0])
    if type(model).__name__ == "HashingVectorizer":
        pytest.skip("learns nothing at all")
    with pytest.raises(InvalidDataError, match=r"no rows|no batch|empty vocabulary"):
        clone(model)._fit_stream(Stream(lambda: iter(empty)))


@EACH
def test_a_batch_with_other_columns_is_refused(model):
    X, y = data_for(model)
    if model._tags().text or model._tags().no_validation:
        pytest.skip("has no columns to compare")
    head, other = batches_of(model, X, y, [0, 200, N])
    narrow = other._replace(x=other.x.iloc[:, 1:].assign(zz=1.0))
    stream = Stream(lambda: iter([head, narrow]))
    with pytest.raises(InvalidDataError, match=r"feature|columns are missing|no column"):
        # where the first batch is enough to learn from, the next is told when transformed
        list(clone(model)._fit_stream(stream).transform(stream))


# --- single estimators --------------------------------------------------------------------------


def stream_of(X, y=None, cuts=CUTS):
    parts = [Batch(X[a:b], None if y is None else y[a:b]) for a, b in pairwise(cuts)]
    return Stream(lambda: iter(parts))


def test_a_category_of_a_later_batch_is_a_category():
    X = np.array([["a"]] * 300 + [["late"]] * 100, dtype=object)
    encoder = OneHotEncoder().fit(stream_of(X))
    assert encoder.categories_[0].tolist() == ["a", "late"]


def test_a_category_that_was_not_listed_is_named():
    X = np.array([["a"]] * 300 + [["late"]] * 100, dtype=object)
    with pytest.raises(InvalidDataError, match=r"unknown categories \['late'\] in column 0"):
        OneHotEncoder(categories=[["a", "b"]]).fit(stream_of(X))
    fitted = OneHotEncoder().fit(stream_of(X))
    with pytest.raises(InvalidDataError, match=r"unknown categories \['new'\]"):
        list(fitted.transform(stream_of(np.array([["new"]] * N, dtype=object))))


def test_a_batch_that_is_text_where_the_others_are_numbers_is_refused_by_name():
    X = numbers().to_numpy()
    wrong = [Batch(X[:100]), Batch(np.array([["x", "y", "z"]], dtype=object))]
    with pytest.raises(stylobate.exceptions.StylobateError, match="RobustScaler"):
        RobustScaler().fit(Stream(lambda: iter(wrong)))


def test_infinity_in_a_later_batch_is_refused():
    X = numbers().to_numpy(copy=True)
    X[350, 2] = np.inf
    for model in (RobustScaler(), SimpleImputer(strategy="median"), KBinsDiscretizer()):
        with pytest.raises(InvalidDataError, match="infinity"):
            clone(model).fit(stream_of(X))


def test_drop_rank_collects_rows_and_says_so():
    X = mixed().to_numpy()
    model = OneHotEncoder(drop="rank", sparse_output=False)
    assert model._tags().tier == "all rows"
    same(model.fit_transform(X), clone(model).fit(stream_of(X)).transform(X))


def test_streams_longer_than_the_subsample_are_drawn_from():
    X = numbers().to_numpy()
    model = QuantileTransformer(n_quantiles=10, subsample=100, random_state=0)
    first, again = (clone(model).fit(stream_of(X)) for _ in range(2))
    assert np.array_equal(first.quantiles_, again.quantiles_)
    whole = QuantileTransformer(n_quantiles=10, subsample=None).fit(X)
    share = (X[:, 0, None] <= first.quantiles_[:, 0]).mean(axis=0)
    assert np.abs(share - whole.references_)[1:-1].max() < 0.2  # of 100 rows: 4 deviations


def test_a_column_of_many_values_is_judged_from_some(monkeypatch):
    import stylobate.statistics.columns.column_values as streams

    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "x": rng.normal(size=N),
            "key_id": rng.permutation(N),
            "word": rng.choice([f"w{k}" for k in range(150)], N),
            "size": rng.choice([1.0, 2.0, 7.0], N),
        }
    )
    whole = TableEncoder().fit(X)
    monkeypatch.setattr(streams, "MOST_VALUES", 60)
    parts = TableEncoder().fit(Stream(lambda: iter(batches_of(TableEncoder(), X, np.zeros(N)))))
    assert [c.kind for c in parts.schema_] == [c.kind for c in whole.schema_]
    same(whole.transform(X)["x"], parts.transform(X)["x"])


# --- means of the target ------------------------------------------------------------------------


def test_rows_are_encoded_by_means_of_other_folds():
    rng = np.random.default_rng(1)
    X = rng.choice(list("abc"), (N, 1)).astype(object)
    y = rng.normal(size=N)
    encoder = TargetEncoder(cv=3, smooth=0.0)
    output = encoder._train_on_stream(stream_of(X, y))
    made = np.vstack([output(X[a:b], a) for a, b in pairwise([0, 170, N])])
    fold = encoder._fold(0, N, 3)
    assert np.bincount(fold).min() > N / 5
    for row in range(0, N, 37):
        others = (fold != fold[row]) & (X[:, 0] == X[row, 0])
        assert made[row, 0] == pytest.approx(y[others].mean(), rel=1e-12)


def test_a_model_behind_an_encoder_cannot_learn_the_target_back():
    rng = np.random.default_rng(2)
    X = np.array([[f"k{i}"] for i in rng.integers(0, N // 2, N)], dtype=object)
    y = rng.normal(size=N)  # nothing to learn, and a category for every second row
    columns = ColumnTransformer([("means", TargetEncoder(smooth=0.0), [0])])
    model = make_pipeline(columns, Ridge(alpha=0.0)).fit(stream_of(X, y))
    naive = Ridge(alpha=0.0).fit(TargetEncoder(smooth=0.0).fit(X, y).transform(X), y)
    assert abs(model[-1].coef_[0]) < 0.3 < 0.9 < naive.coef_[0]


# --- compositions -------------------------------------------------------------------------------


def test_tiers_follow_from_the_steps():
    def tier(*steps):
        return make_pipeline(*steps)._tags().tier

    assert tier(Normalizer(), PolynomialFeatures(), Ridge()) == "one pass"
    assert tier(StandardScaler(), Ridge()) == "several passes"
    assert tier(Normalizer(), RobustScaler()) == "several passes"
    assert tier(StandardScaler(), LogisticRegression()) == "one pass per iteration"
    assert tier(QuantileTransformer(subsample=None), Ridge()) == "all rows"
    assert hasattr(make_pipeline(StandardScaler(), Ridge()), "fit_batches")
    assert not hasattr(make_pipeline(QuantileTransformer(subsample=None)), "fit_batches")


def columns_by_kind(**options):
    return ColumnTransformer(
        [
            ("ones", OneHotEncoder(**options), ["colour"]),
            ("scaled", StandardScaler(), lambda frame: ["a", "c"]),
        ],
        remainder="passthrough",
    )


@pytest.mark.parametrize("style", ["default", "pandas"])
@pytest.mark.parametrize("dense", [True, False])
def test_columns_by_name_of_frames_and_files(style, dense, tmp_path):
    X = pd.concat([mixed(), numbers()], axis=1)
    y = X["a"].to_numpy()
    if not dense and style == "pandas":
        pytest.skip("a frame is not sparse")
    model = columns_by_kind(sparse_output=not dense).set_output(transform=style)
    whole = clone(model).fit(X, y)
    path = tmp_path / "rows.parquet"
    X.assign(y=y).to_parquet(path)
    for rows in (path, Stream(lambda: iter(batches_of(model, X, y)))):
        target = None if isinstance(rows, Stream) else "y"
        parts = clone(model).fit(rows, target=target)
        assert parts.sparse_output_ == whole.sparse_output_
        assert parts.output_indices_ == whole.output_indices_
        assert list(parts.get_feature_names_out()) == list(whole.get_feature_names_out())
        same(whole.transform(X), parts.transform(X))


def test_whether_a_result_is_sparse_is_measured_on_all_rows():
    X = np.zeros((N, 1), dtype=object)
    X[:300, 0], X[300:, 0] = "a", [f"k{i}" for i in range(100)]
    for threshold in (0.0, 0.005, 0.3):
        model = ColumnTransformer([("ones", OneHotEncoder(), [0])], sparse_threshold=threshold)
        parts = clone(model).fit(stream_of(X))
        assert parts.sparse_output_ == clone(model).fit(X).sparse_output_


def test_a_pipeline_of_files_predicts(tmp_path):
    X = pd.concat([mixed(), numbers()], axis=1)
    y = X["a"].to_numpy() * 2 + (X["colour"] == "red")
    path = tmp_path / "rows.parquet"
    X.assign(y=y).to_parquet(path)
    model = make_pipeline(columns_by_kind(handle_unknown="ignore"), Ridge())
    whole = clone(model).fit(X, y)
    parts = clone(model).fit(path, target="y")
    same(whole.predict(X), parts.predict(stylobate.read(path)))
    assert parts.score(stylobate.read(path), target="y") == pytest.approx(whole.score(X, y))


def test_steps_of_others_learn_by_partial_fit_or_are_refused_by_name(tmp_path):
    from sklearn.linear_model import SGDClassifier
    from sklearn.preprocessing import PowerTransformer
    from sklearn.preprocessing import StandardScaler as Theirs

    X = numbers()
    y = np.where(X["a"] > X["a"].median(), "b", "a")
    path = tmp_path / "rows.parquet"
    X.assign(y=y).to_parquet(path)
    rows = stylobate.read(path)
    model = make_pipeline(Theirs(), Ridge())
    parts = clone(model).fit(stylobate.read(path), target="b", features=["a", "c"])
    both = X[["a", "c"]].to_numpy()
    same(clone(model).fit(both, X["b"]).predict(both), parts.predict(both))
    classifier = make_pipeline(StandardScaler(), SGDClassifier(random_state=0))
    late = Stream(lambda: iter(batches_of(classifier, X, np.sort(y), [0, 100, N])))
    assert classifier.fit(late).classes_.tolist() == ["a", "b"]
    with pytest.raises(UnsupportedDataError, match=r"step 'powertransformer'.*`fit` alone"):
        make_pipeline(PowerTransformer(), Ridge()).fit(rows, target="b")
    assert make_pipeline(PowerTransformer(), Ridge())._tags().tier == "all rows"


def test_weights_have_no_step_to_go_to():
    X = numbers().to_numpy()
    stream = Stream(lambda: iter([Batch(X, X[:, 0], np.ones(N))]))
    with pytest.raises(InvalidParameterError, match="takes no weights"):
        make_pipeline(StandardScaler(), Ridge()).fit(stream)


def test_rows_that_can_be_read_once_are_not_enough_for_two_steps():
    X = numbers().to_numpy()
    once = iter([Batch(X, X[:, 0])])
    with pytest.raises(InvalidDataError, match="only once"):
        make_pipeline(StandardScaler(), Ridge()).fit(Stream(lambda: once, repeatable=False))


def test_an_error_of_a_batch_names_the_step():
    X = numbers().to_numpy(copy=True)
    X[350, 0] = np.inf
    with pytest.raises(InvalidDataError, match="step 'robustscaler'"):
        make_pipeline(RobustScaler(), Ridge()).fit(stream_of(X, X[:, 1]))


def test_indicator_of_text_in_files(tmp_path):
    frame = pd.DataFrame({"word": ["a", None, "b", "a"], "more": ["x", "y", None, "y"]})
    path = tmp_path / "rows.parquet"
    frame.to_parquet(path)
    filled = SimpleImputer(strategy="most_frequent").fit(stylobate.read(path))
    assert filled.statistics_.tolist() == ["a", "y"]
    assert MissingIndicator().fit(stylobate.read(path)).features_.tolist() == [0, 1]


def test_learning_by_the_first_batch_is_no_pass():
    X = numbers().to_numpy()
    stream = stream_of(X)
    model: BaseEstimator = Normalizer().fit(stream)
    assert model.n_features_in_ == 3
    assert sum(batch.n_rows for batch in stream) == N
    assert stream.passes == 1
