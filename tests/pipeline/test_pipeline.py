"""Pipelines: scikit-learn's, with steps of ours and theirs in any mixture."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.pipeline as theirs
from sklearn.base import clone as their_clone
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.model_selection import GridSearchCV as TheirSearch
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.validation import check_is_fitted

from stylobate import clone, set_config
from stylobate.config import config_context
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NotFittedError
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.model_selection import GridSearchCV, cross_validate
from stylobate.pipeline import FeatureUnion, Pipeline, make_pipeline, make_union
from stylobate.preprocessing import PolynomialFeatures

random = np.random.default_rng(0)
X = random.normal(size=(40, 3))
y = X @ [1.0, -2.0, 0.5] + 0.1 * random.normal(size=40)
labels = np.where(y > 0, "yes", "no")
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


def both(*steps, **options):
    """Our pipeline and theirs of the same kinds of steps."""
    return [
        kind([(name, their_clone(step)) for name, step in steps], **options)
        for kind in (Pipeline, theirs.Pipeline)
    ]


@pytest.mark.parametrize(
    "last", [TheirRidge(), TheirLogistic(), PCA(2), Ridge(), LogisticRegression()]
)
def test_same_answers_and_methods(last):
    ours, other = both(("scale", StandardScaler()), ("last", last))
    target = labels if "Logistic" in type(last).__name__ else y
    ours.fit(X, target)
    other.fit(X, target)
    methods = ["predict", "predict_proba", "predict_log_proba", "decision_function", "transform"]
    methods += ["score_samples", "score", "inverse_transform", "fit_predict", "fit_transform"]
    for method in methods:
        assert hasattr(ours, method) == hasattr(other, method), method
    for method in methods[:6]:
        if hasattr(ours, method):
            expected = getattr(other, method)(X)
            np.testing.assert_array_equal(getattr(ours, method)(X), expected)
    if hasattr(ours, "score"):
        assert ours.score(X, target) == other.score(X, target)
    if hasattr(ours, "inverse_transform"):
        reduced = ours.transform(X)
        np.testing.assert_array_equal(
            ours.inverse_transform(reduced), other.inverse_transform(reduced)
        )
        np.testing.assert_array_equal(ours.fit_transform(X), other.fit_transform(X))
    assert ours.n_features_in_ == other.n_features_in_ == 3
    assert repr(ours) == repr(other)


def test_steps_are_fitted_themselves_and_found():
    scale, model = StandardScaler(), Ridge()
    pipeline = Pipeline([("scale", scale), ("model", model)])
    steps = pipeline.steps
    pipeline.fit(FRAME, y)
    assert pipeline.steps is steps
    assert pipeline["scale"] is pipeline[0] is pipeline.named_steps.scale is scale
    assert hasattr(scale, "mean_")
    assert len(pipeline) == 2
    assert list(pipeline.feature_names_in_) == ["a", "b", "c"]
    head = pipeline[:-1]
    assert isinstance(head, Pipeline)
    np.testing.assert_array_equal(head.transform(FRAME), scale.transform(FRAME))
    assert list(head.get_feature_names_out()) == ["a", "b", "c"]
    with pytest.raises(AttributeError, match=r"Did you mean to call pipeline\[:-1\]"):
        pipeline.get_feature_names_out()
    with pytest.raises(ValueError, match="step of 1"):
        pipeline[::2]
    with pytest.raises(KeyError):
        pipeline["nobody"]


def test_parameters_reach_into_steps():
    ours, other = both(("scale", StandardScaler()), ("model", TheirRidge()))
    assert ours.get_params().keys() == other.get_params().keys()
    for each in (ours, other):
        each.set_params(model__alpha=3.0, scale=PCA(1), scale__whiten=True)
        assert each.named_steps["scale"].whiten
    assert repr(ours) == repr(other)
    ours.set_params(steps=[("only", TheirRidge())], only__alpha=2.0)
    assert ours["only"].alpha == 2.0
    for bad in ({"nobody": 1}, {"nobody__alpha": 1}, {"only__nothing": 1}):
        with pytest.raises(ValueError, match="Invalid parameter"):
            ours.set_params(**bad)
    with pytest.raises(InvalidParameterError, match="step 'only' is 'passthrough'"):
        ours.set_params(only="passthrough").set_params(only__alpha=1)


@pytest.mark.parametrize("nothing", ["passthrough", None])
def test_passthrough(nothing):
    pipeline = Pipeline([("no", nothing), ("scale", StandardScaler()), ("end", nothing)])
    assert pipeline.fit_transform(X).shape == X.shape
    np.testing.assert_array_equal(pipeline.transform(X), StandardScaler().fit_transform(X))
    np.testing.assert_allclose(pipeline.inverse_transform(pipeline.transform(X)), X)
    assert pipeline.n_features_in_ == 3
    assert Pipeline([("no", nothing)]).fit(X).transform(X) is X


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([], "pipeline is empty"),
        ([("s", StandardScaler()), ("s", Ridge())], "not unique"),
        ([("steps", StandardScaler())], "conflict with constructor arguments"),
        ([("a__b", StandardScaler())], "must not contain __"),
        ([("m", Ridge()), ("n", Ridge())], "step 'm': All intermediate steps should be transf"),
        ([("m", 3)], "step 'm': Last step of Pipeline should implement fit"),
        ([("s", StandardScaler), ("m", Ridge())], "step 's': Expected an estimator instance"),
        ([StandardScaler()], r"entry 0 is StandardScaler\(\)"),
        ([("s", StandardScaler(), [0])], "tuples"),
        ([(1, StandardScaler())], "must be strings"),
        ("scale", "steps must be"),
    ],
)
def test_bad_steps_are_refused(steps, text):
    with pytest.raises(InvalidParameterError, match=text):
        Pipeline(steps).fit(X, y)


def test_errors_name_the_step():
    holes = X.copy()
    holes[3, 1] = np.nan
    inner = Pipeline([("curves", PolynomialFeatures())])
    model = Pipeline([("prepare", inner), ("ridge", Ridge())])
    expected = r"step 'prepare' \(Pipeline\): step 'curves' \(PolynomialFeatures\): .*NaN"
    with pytest.raises(InvalidDataError, match=expected):
        model.fit(holes, y)
    model.fit(X, y)
    with pytest.raises(InvalidDataError, match=expected):
        model.predict(holes)
    with pytest.raises(ValueError, match=r"^step 'model' \(Ridge\): "):
        Pipeline([("model", TheirRidge())]).fit(holes, y)

    def lookup(table):
        return {}["nothing"]

    with pytest.raises(KeyError) as caught:
        Pipeline([("look", FunctionTransformer(lookup)), ("m", Ridge())]).fit(X, y)
    assert caught.value.__notes__ == ["in step 'look' (FunctionTransformer)"]


def test_unfitted_is_refused():
    pipeline = Pipeline([("scale", StandardScaler()), ("model", Ridge())])
    with pytest.raises(NotFittedError, match="This Pipeline instance is not fitted yet"):
        pipeline.predict(X)
    check_is_fitted(pipeline.fit(X, y))
    assert Pipeline([]).__sklearn_is_fitted__()


def test_arguments_of_steps():
    weights = random.uniform(size=40)
    ours, other = both(("scale", StandardScaler()), ("model", TheirRidge()))
    for each in (ours, other):
        each.fit(X, y, scale__sample_weight=weights, model__sample_weight=weights)
    np.testing.assert_array_equal(ours.predict(X), other.predict(X))
    assert ours.score(X, y, sample_weight=weights) == other.score(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match=r"Pipeline\.fit does not accept the sample_weight param"):
        ours.fit(X, y, sample_weight=weights)
    with pytest.raises(InvalidParameterError, match="meant for a step 'nobody'"):
        ours.fit(X, y, nobody__sample_weight=weights)


class Watching(Ridge):
    """Keeps the validation rows it is given."""

    def fit(self, X, y, X_val=None, pair=None):
        super().fit(X, y)
        self.seen_, self.pair_ = X_val, pair
        return self


def test_rows_among_the_arguments_are_transformed_too():
    pipeline = Pipeline(
        [("scale", StandardScaler()), ("rotate", PCA()), ("model", Watching())],
        transform_input=["X_val", "pair"],
    )
    pipeline.fit(X[:30], y[:30], model__X_val=X[30:], model__pair=(X[30:], X[:5]))
    expected = pipeline[:-1].transform(X[30:])
    np.testing.assert_array_equal(pipeline["model"].seen_, expected)
    np.testing.assert_array_equal(pipeline["model"].pair_[1], pipeline[:-1].transform(X[:5]))


class Counting(StandardScaler):
    fits = 0

    def fit(self, X, y=None, sample_weight=None):
        type(self).fits += 1
        return super().fit(X, y, sample_weight)


def test_memory(tmp_path):
    Counting.fits = 0
    scale = Counting()
    pipeline = Pipeline([("scale", scale), ("model", Ridge())], memory=str(tmp_path))
    expected = Pipeline([("scale", StandardScaler()), ("model", Ridge())]).fit(X, y).predict(X)
    np.testing.assert_array_equal(pipeline.fit(X, y).predict(X), expected)
    assert not hasattr(scale, "mean_"), "the step itself was fitted, not a clone"
    np.testing.assert_array_equal(clone(pipeline).fit(X, y).predict(X), expected)
    assert Counting.fits == 1
    with pytest.raises(InvalidParameterError, match="memory must be"):
        pipeline.set_params(memory=3).fit(X, y)


def test_messages_are_those_of_scikit_learn(capsys):
    printed = []
    for pipeline in both(("scale", StandardScaler()), ("m", TheirRidge()), verbose=True):
        pipeline.fit(X, y)
        printed.append(capsys.readouterr().out)
    assert [line[:-6] for line in printed[0].splitlines()] == [
        line[:-6] for line in printed[1].splitlines()
    ]
    assert printed[0].count("Processing") == 2


@pytest.mark.parametrize("search", [GridSearchCV, TheirSearch])
@pytest.mark.parametrize("kind", [Pipeline, theirs.Pipeline])
def test_searches(search, kind):
    pipeline = kind([("curves", PolynomialFeatures()), ("model", Ridge())])
    grid = {"model__alpha": [0.1, 10.0], "curves": [PolynomialFeatures(1), "passthrough"]}
    found = search(pipeline, grid, cv=3).fit(X, y)
    expected = TheirSearch(
        theirs.Pipeline([("curves", "passthrough"), ("model", TheirRidge())]),
        {"model__alpha": [0.1, 10.0]},
        cv=3,
    ).fit(X, y)
    assert found.best_params_["model__alpha"] == expected.best_params_["model__alpha"]
    assert found.best_score_ == pytest.approx(expected.best_score_, rel=1e-9)


def test_cross_validation_and_weights():
    pipeline = make_pipeline(StandardScaler(), Ridge())
    weights = np.ones(40)
    result = cross_validate(pipeline, X, y, cv=3, params={"ridge__sample_weight": weights})
    expected = cross_validate(make_pipeline(StandardScaler(), TheirRidge()), X, y, cv=3)
    np.testing.assert_allclose(result["test_score"], expected["test_score"], rtol=1e-9)


@pytest.mark.parametrize("frame", [FRAME, pl.DataFrame(FRAME), pa.Table.from_pandas(FRAME)])
def test_frames_go_in_and_out(frame):
    curves = Pipeline([("a", PolynomialFeatures(2, include_bias=False)), ("b", "passthrough")])
    made = curves.fit_transform(frame)
    assert type(made) is type(frame)
    np.testing.assert_array_equal(
        np.asarray(made), PolynomialFeatures(2, include_bias=False).fit_transform(X)
    )
    assert isinstance(curves.set_output(transform="default").transform(frame), np.ndarray)
    assert isinstance(curves.set_output(transform="polars").transform(frame), pl.DataFrame)


def test_ours_in_theirs():
    inner = Pipeline(
        [("curves", PolynomialFeatures(include_bias=False)), ("scale", StandardScaler())]
    )
    outer = theirs.make_pipeline(inner, TheirRidge()).set_output(transform="pandas")
    outer.fit(FRAME, y)
    assert "a^2" in list(outer[:-1].get_feature_names_out())
    assert isinstance(outer[:-1].transform(FRAME), pd.DataFrame)
    assert their_clone(outer).get_params()["pipeline__curves__degree"] == 2


def test_tags_follow_the_steps():
    from sklearn.base import is_classifier, is_regressor
    from sklearn.utils import get_tags

    assert is_regressor(make_pipeline(StandardScaler(), Ridge()))
    assert is_classifier(make_pipeline(StandardScaler(), LogisticRegression()))
    assert get_tags(make_pipeline(StandardScaler())).transformer_tags is not None
    assert get_tags(make_pipeline(Ridge())).input_tags.sparse
    assert not get_tags(make_pipeline(StandardScaler(), Ridge())).input_tags.sparse
    assert list(make_pipeline(LogisticRegression()).fit(X, labels).classes_) == ["no", "yes"]


def test_clone_pickle_and_html():
    pipeline = make_pipeline(PolynomialFeatures(), StandardScaler(), StandardScaler(), Ridge())
    names = [name for name, _ in pipeline.steps]
    assert names == ["polynomialfeatures", "standardscaler-1", "standardscaler-2", "ridge"]
    pipeline.fit(X, y)
    stored = pickle.loads(pickle.dumps(pipeline))
    np.testing.assert_array_equal(stored.predict(X), pipeline.predict(X))
    assert not clone(pipeline).__sklearn_is_fitted__()
    html = pipeline._repr_html_()
    assert "standardscaler-2" in html
    assert "Ridge" in html


# --- unions -------------------------------------------------------------------------------------


def unions(*parts, **options):
    return [
        kind([(n, p if isinstance(p, str) else their_clone(p)) for n, p in parts], **options)
        for kind in (FeatureUnion, theirs.FeatureUnion)
    ]


@pytest.mark.parametrize("weights", [None, {"keep": 2.0}])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_union_gives_the_same(weights, n_jobs):
    parts = [("scale", StandardScaler()), ("no", "drop"), ("keep", "passthrough")]
    ours, other = unions(*parts, transformer_weights=weights, n_jobs=n_jobs)
    np.testing.assert_array_equal(ours.fit_transform(X, y), other.fit_transform(X, y))
    np.testing.assert_array_equal(ours.transform(X), other.transform(X))
    np.testing.assert_array_equal(ours.fit(X).transform(X), other.transform(X))
    assert list(ours.get_feature_names_out()) == list(other.get_feature_names_out())
    assert ours.n_features_in_ == 3
    assert ours["scale"] is ours.named_transformers.scale


def test_union_of_sparse_and_texts():
    from scipy import sparse
    from sklearn.feature_extraction.text import CountVectorizer

    texts = ["red apple", "green apple", "green tea"]
    parts = [("words", CountVectorizer()), ("letters", CountVectorizer(analyzer="char"))]
    ours, other = unions(*parts)
    made = ours.fit_transform(texts)
    assert sparse.issparse(made)
    assert made.format == "csr"
    np.testing.assert_array_equal(made.toarray(), other.fit_transform(texts).toarray())


@pytest.mark.parametrize("frame", [FRAME, pl.DataFrame(FRAME), pa.Table.from_pandas(FRAME)])
def test_union_of_frames(frame):
    union = FeatureUnion([("curves", PolynomialFeatures()), ("scale", StandardScaler())])
    made = union.fit_transform(frame) if not isinstance(frame, pa.Table) else None
    if made is None:  # scikit-learn's scaler reads no pyarrow
        union = FeatureUnion([("curves", PolynomialFeatures()), ("keep", "passthrough")])
        made = union.fit_transform(frame)
    assert type(made) is type(frame)
    names = made.column_names if isinstance(made, pa.Table) else list(made.columns)
    assert names == list(union.get_feature_names_out())
    assert isinstance(union.set_output(transform="pandas").transform(FRAME), pd.DataFrame)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"transformer_list": [("m", TheirRidge())]}, "transformer 'm': All estimators should imp"),
        ({"transformer_weights": {"z": 1}}, 'weight transformer "z", but it is not present'),
        ({"transformer_list": 3}, "transformer_list must be"),
    ],
)
def test_bad_unions_are_refused(options, text):
    given = {"transformer_list": [("s", StandardScaler())]} | options
    with pytest.raises(InvalidParameterError, match=text):
        FeatureUnion(**given).fit(X)


def test_union_refuses_repeated_names_and_vectors():
    union = make_union(StandardScaler(), StandardScaler(), verbose_feature_names_out=False)
    with pytest.raises(ValueError, match=r"Output feature names: \['x0', 'x1', 'x2'\] are not uni"):
        union.fit(X).get_feature_names_out()
    flat = FeatureUnion([("flat", FunctionTransformer(lambda table: table[:, 0]))])
    with pytest.raises(ValueError, match="'flat' transformer should be 2D"):
        flat.fit_transform(X)


def test_nothing_but_dropped():
    assert FeatureUnion([("a", "drop")]).fit_transform(X).shape == (40, 0)


def test_global_style():
    with config_context(transform_output="pandas"):
        made = make_union(StandardScaler(), "passthrough").fit_transform(X)
    assert next(iter(made.columns)) == "standardscaler__x0"
    set_config(transform_output="input")
