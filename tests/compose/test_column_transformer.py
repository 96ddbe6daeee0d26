"""Column transformers: scikit-learn's, on every container, with ways to say which columns."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.compose as theirs
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone as their_clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.pipeline import make_pipeline as their_make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, OneHotEncoder, StandardScaler

from stylobate import clone
from stylobate.compose import ColumnTransformer, make_column_selector, make_column_transformer
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NotFittedError
from stylobate.linear_model import Ridge
from stylobate.model_selection import GridSearchCV
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import PolynomialFeatures

random = np.random.default_rng(0)
X = random.normal(size=(20, 4))
y = X @ [1.0, 2.0, 3.0, 4.0]
NAMES = list("abcd")
FRAME = pd.DataFrame(X, columns=NAMES)
MIXED = pd.DataFrame({"kind": list("abcde") * 4, "size": X[:, 0], "text": ["a b", "b c"] * 10})
FRAMES = {
    "pandas": FRAME,
    "polars": pl.DataFrame(FRAME),
    "pyarrow": pa.Table.from_pandas(FRAME, preserve_index=False),
}


def both(*transformers, **options):
    return [
        kind(
            [(n, t if isinstance(t, str) else their_clone(t), c) for n, t, c in transformers],
            **options,
        )
        for kind in (ColumnTransformer, theirs.ColumnTransformer)
    ]


def names_of(frame):
    return frame.column_names if isinstance(frame, pa.Table) else list(frame.columns)


SPECIFICATIONS = [
    [0, -1],
    ["a"],
    ["c", "a"],
    slice(0, 2),
    slice("a", "c"),
    slice(None, "b"),
    slice("b", None),
    [True, False, True, False],
    np.array([1, 2]),
    np.array(["a"]),
    np.array([True, False, False, False]),
    pd.Index(["b"]),
    pd.Series([True, False, False, True]),
    ("a", "b"),
    slice(None),
    lambda table: [0],
    lambda table: np.array(NAMES) > "b",
]


@pytest.mark.parametrize("spec", SPECIFICATIONS)
@pytest.mark.parametrize("remainder", ["drop", "passthrough"])
def test_columns_are_those_of_scikit_learn(spec, remainder):
    ours, other = both(("p", MinMaxScaler(), spec), remainder=remainder)
    made, expected = ours.fit_transform(FRAME), other.fit_transform(FRAME)
    np.testing.assert_array_equal(np.asarray(made), expected)
    assert list(ours.get_feature_names_out()) == list(other.get_feature_names_out())
    assert list(made.columns) == list(other.get_feature_names_out())
    assert ours.output_indices_ == other.output_indices_
    assert ours.n_features_in_ == other.n_features_in_
    assert [(n, str(c)) for n, _, c in ours.transformers_] == [
        (n, str(c)) for n, _, c in other.transformers_
    ]
    np.testing.assert_array_equal(np.asarray(ours.transform(FRAME)), other.transform(FRAME))


@pytest.mark.parametrize(
    "spec",
    [[9], -9, ["z"], "z", 3.5, [1.5], [True, False], None, [None], [0, "a"], True, slice("z", "a"),
     slice("a", 2), {"a"}, np.array([[0, 1]]), "a", 0, ["a", "a"]],
)  # fmt: skip
def test_bad_columns_are_refused_as_scikit_learn_does(spec):
    ours, other = both(("p", MinMaxScaler(), spec))
    with pytest.raises(ValueError, match="transformer 'p' "):
        ours.fit(FRAME)
    with pytest.raises((ValueError, TypeError)):
        other.fit_transform(FRAME)


@given(
    width=st.integers(1, 6),
    data=st.data(),
    frame=st.sampled_from(["numpy", "pandas", "polars", "pyarrow", "csr"]),
)
def test_every_way_to_say_it_means_the_same(width, data, frame):
    table = np.arange(2.0 * width).reshape(2, width)
    names = [f"c{i}" for i in range(width)]
    positions = data.draw(st.lists(st.integers(0, width - 1), unique=True, min_size=1))
    container = {
        "numpy": lambda: table,
        "csr": lambda: sparse.csr_array(table),
        "pandas": lambda: pd.DataFrame(table, columns=names),
        "polars": lambda: pl.DataFrame(table, schema=names),
        "pyarrow": lambda: pa.table(dict(zip(names, table.T, strict=True))),
    }[frame]()
    ways = [positions, [i - width for i in positions], np.array(positions), lambda _: positions]
    if frame not in ("numpy", "csr"):
        ways += [[names[i] for i in positions], np.array(names)[positions]]
    if positions == sorted(positions):
        ways.append([i in positions for i in range(width)])
    if positions == list(range(positions[0], positions[-1] + 1)):
        ways.append(slice(positions[0], positions[-1] + 1))
        if frame not in ("numpy", "csr"):
            ways.append(slice(names[positions[0]], names[positions[-1]]))
    rest = [i for i in range(width) if i not in positions]
    for way in ways:
        columns = ColumnTransformer([("keep", "passthrough", way)], remainder="passthrough")
        made = columns.fit_transform(container)
        made = made.toarray() if sparse.issparse(made) else np.asarray(made)
        np.testing.assert_array_equal(made, table[:, positions + rest])
        labels = [name.partition("__")[2] for name in columns.get_feature_names_out()]
        kind = "x" if frame in ("numpy", "csr") else "c"
        assert labels == [f"{kind}{i}" for i in positions + rest]


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_go_in_and_out(frame):
    table = FRAMES[frame]
    curves = PolynomialFeatures(2, include_bias=False)
    columns = ColumnTransformer([("curves", curves, ["b", "a"])], remainder="passthrough")
    made = columns.fit_transform(table)
    assert type(made) is type(table)
    assert names_of(made) == list(columns.get_feature_names_out())
    expected = np.hstack([curves.fit_transform(X[:, [1, 0]]), X[:, 2:]])
    np.testing.assert_array_equal(np.asarray(made), expected)
    for style, kind in {
        "pandas": pd.DataFrame,
        "polars": pl.DataFrame,
        "pyarrow": pa.Table,
    }.items():
        other = clone(columns).set_output(transform=style).fit_transform(table)
        assert isinstance(other, kind)
        assert names_of(other) == names_of(made)
        np.testing.assert_array_equal(np.asarray(other), expected)
    assert isinstance(columns.set_output(transform="default").transform(table), np.ndarray)


def test_columns_are_found_by_name():
    columns = ColumnTransformer([("s", StandardScaler(), ["a", "b"]), ("keep", "passthrough", [2])])
    expected = columns.fit_transform(FRAME)
    turned = FRAME[["d", "c", "b", "a"]].assign(more=1)
    pd.testing.assert_frame_equal(columns.transform(turned), expected)
    pd.testing.assert_frame_equal(columns.transform(FRAME.drop(columns="d")), expected)
    with pytest.raises(InvalidDataError, match="columns are missing: 'b'"):
        columns.transform(FRAME.drop(columns="b"))
    with pytest.raises(ValueError, match="using strings is only supported for dataframes"):
        columns.transform(X)
    by_number = ColumnTransformer([("p", "passthrough", [0])]).fit(X)
    with pytest.raises(ValueError, match="X has 2 features, but ColumnTransformer is expecting 4"):
        by_number.transform(X[:, :2])
    with pytest.raises(InvalidDataError, match="using strings is only supported for dataframes"):
        ColumnTransformer([("p", "passthrough", ["a"])]).fit(X)


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.9])
def test_sparse_columns(threshold):
    ours, other = both(
        ("kind", OneHotEncoder(), ["kind"]),
        ("size", StandardScaler(), ["size"]),
        sparse_threshold=threshold,
    )
    made, expected = ours.fit_transform(MIXED), other.fit_transform(MIXED)
    assert ours.sparse_output_ == other.sparse_output_ == sparse.issparse(made)
    if sparse.issparse(made):
        assert type(made) is type(expected)
        made, expected = made.toarray(), expected.toarray()
    np.testing.assert_array_equal(np.asarray(made), expected)
    if threshold == 0.9:
        with pytest.raises(ValueError, match="sparse"):
            ours.set_output(transform="pandas").fit_transform(MIXED)


@pytest.mark.parametrize("kind", ["csr_array", "csc_matrix", "coo_array"])
def test_sparse_input(kind):
    table = getattr(sparse, kind)(np.where(np.abs(X) > 1, X, 0.0))
    ours, other = both(("s", StandardScaler(with_mean=False), [0, 2]), remainder="passthrough",
                       sparse_threshold=1.0)  # fmt: skip
    made = ours.fit_transform(table)
    assert sparse.issparse(made)
    np.testing.assert_allclose(made.toarray(), other.fit_transform(table.tocsr()).toarray())


@pytest.mark.parametrize("style", ["pandas", "polars", "pyarrow"])
def test_types_survive_a_change_of_library(style):
    columns = ColumnTransformer([("keep", "passthrough", ["kind", "size"])])
    columns.set_output(transform=style)
    for table in (MIXED, pl.from_pandas(MIXED), pa.Table.from_pandas(MIXED)):
        made = columns.fit_transform(table)
        assert type(made).__module__.partition(".")[0] == style
        values = made["keep__kind"].to_pylist() if style == "pyarrow" else list(made["keep__kind"])
        assert values == MIXED["kind"].tolist()


def test_scikit_learns_transformers_on_pyarrow():
    columns = make_column_transformer((StandardScaler(), ["a", "c"]), remainder="passthrough")
    made = columns.fit_transform(FRAMES["pyarrow"])
    assert isinstance(made, pa.Table)
    expected = columns.fit_transform(FRAME)
    assert made.column_names == list(expected.columns)
    np.testing.assert_allclose(np.asarray(made), expected.to_numpy(), rtol=1e-12)


def test_one_column_is_a_vector():
    ours, other = both(("words", CountVectorizer(token_pattern=r"\w"), "text"))
    np.testing.assert_array_equal(np.asarray(ours.fit_transform(MIXED)), other.fit_transform(MIXED))
    assert list(ours.get_feature_names_out()) == ["words__a", "words__b", "words__c"]


def test_text_columns_pass_through_untouched():
    columns = ColumnTransformer([("keep", "passthrough", ["kind", "size"])])
    made = columns.fit_transform(MIXED)
    assert made.dtypes.tolist() == MIXED.dtypes.tolist()[:2]
    assert made["keep__kind"].tolist() == MIXED["kind"].tolist()
    assert np.shares_memory(made["keep__size"].to_numpy(), MIXED["size"].to_numpy())
    assert np.shares_memory(ColumnTransformer([("k", "passthrough", [1, 2])]).fit_transform(X), X)


@pytest.mark.parametrize(
    "naming",
    [True, False, "{feature_name}-{transformer_name}", lambda part, name: f"{name}.{part}"],
)
def test_names(naming):
    ours, other = both(
        ("s", StandardScaler(), ["a"]), ("d", "drop", ["b"]), remainder="passthrough",
        verbose_feature_names_out=naming,
    )  # fmt: skip
    made = ours.fit(FRAME).transform(FRAME)
    expected = list(other.fit(FRAME).get_feature_names_out())
    assert list(ours.get_feature_names_out()) == list(made.columns) == expected
    assert list(ours.get_feature_names_out(NAMES)) == expected
    with pytest.raises(ValueError, match="input_features is not equal to feature_names_in_"):
        ours.get_feature_names_out(list("abce"))


def test_names_that_repeat_or_are_unknown():
    twice = ColumnTransformer(
        [("s", StandardScaler(), ["a"]), ("p", "passthrough", ["a"])],
        verbose_feature_names_out=False,
    )
    with pytest.raises(ValueError, match=r"Output feature names: \['a'\] are not unique"):
        twice.fit(FRAME).get_feature_names_out()
    nameless = ColumnTransformer([("f", FunctionTransformer(lambda t: t.to_numpy()), ["a"])])
    assert isinstance(nameless.fit_transform(FRAME), np.ndarray), "no names: an array it is"
    with pytest.raises(
        AttributeError, match=r"Transformer f .* does not provide get_feature_names"
    ):
        nameless.get_feature_names_out()


def test_parameters_weights_and_arguments():
    ours, other = both(("s", StandardScaler(), [0, 1]), ("p", "passthrough", [2]),
                       transformer_weights={"p": 3.0}, remainder=MinMaxScaler())  # fmt: skip
    assert ours.get_params().keys() == other.get_params().keys()
    np.testing.assert_allclose(ours.fit_transform(X), other.fit_transform(X), rtol=1e-12)
    for each in (ours, other):
        each.set_params(s__with_mean=False, p="drop", remainder__feature_range=(0, 2))
    np.testing.assert_allclose(ours.fit_transform(X), other.fit_transform(X), rtol=1e-12)
    assert repr(ours) == repr(other)
    weights = random.uniform(size=20)
    ours.fit(X, s__sample_weight=weights)
    np.testing.assert_allclose(
        ours["s"].var_, StandardScaler().fit(X[:, :2], sample_weight=weights).var_
    )
    with pytest.raises(InvalidParameterError, match="does not accept the sample_weight"):
        ours.fit(X, sample_weight=weights)
    weighted = clone(ours).set_params(p="passthrough")
    for table in FRAMES.values():
        if not isinstance(table, pa.Table):
            got = np.asarray(weighted.fit_transform(table))
            np.testing.assert_allclose(got, weighted.fit_transform(X), rtol=1e-12)


def test_clones_are_fitted_and_jobs_agree():
    scale = StandardScaler()
    columns = ColumnTransformer([("s", scale, [0]), ("t", PolynomialFeatures(), [1])], n_jobs=2)
    made = columns.fit_transform(X)
    assert not hasattr(scale, "mean_")
    np.testing.assert_array_equal(made, clone(columns).set_params(n_jobs=None).fit_transform(X))
    stored = pickle.loads(pickle.dumps(columns))
    np.testing.assert_array_equal(stored.transform(X), made)


def test_html_shows_the_fitted_clones():
    columns = ColumnTransformer([("s", StandardScaler(), ["a"])])
    assert "not fitted" in columns._repr_html_()
    html = columns.fit(FRAME)._repr_html_()
    assert "not fitted" not in html
    assert "s ([&#x27;a&#x27;]): StandardScaler" in html


def test_messages_are_those_of_scikit_learn(capsys):
    printed = []
    for columns in both(("s", StandardScaler(), [0]), ("d", "drop", [1]),
                        remainder="passthrough", verbose=True):  # fmt: skip
        columns.fit(X)
        printed.append([line[:-6] for line in capsys.readouterr().out.splitlines()])
    assert printed[0] == printed[1]
    assert len(printed[0]) == 2


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"transformers": [("m", TheirRidge(), [0])]}, "transformer 'm': All estimators should"),
        ({"transformers": [("m", "keep", [0])]}, "transformer 'm': All estimators should"),
        ({"transformers": [("m", StandardScaler, [0])]}, "Expected an estimator instance"),
        ({"transformers": [(StandardScaler(), [0])]}, r"tuples \(name, transformer, columns\)"),
        ({"transformers": [("remainder", "drop", [0])]}, "conflict with constructor arguments"),
        ({"remainder": "keep"}, "remainder must be"),
        ({"sparse_threshold": 2}, "sparse_threshold must be"),
    ],
)
def test_bad_parameters_are_refused(options, text):
    with pytest.raises(InvalidParameterError, match=text):
        ColumnTransformer(**({"transformers": [("s", StandardScaler(), [0])]} | options)).fit(X)


def test_errors_name_the_transformer():
    holes = FRAME.assign(b=np.nan)
    columns = make_column_transformer((PolynomialFeatures(), ["b"]), remainder="passthrough")
    with pytest.raises(InvalidDataError, match=r"^transformer 'polynomialfeatures' \(Polynom.*NaN"):
        columns.fit(holes)
    with pytest.raises(ValueError, match=r"'a' hands over a vector and \['a'\] a table"):
        ColumnTransformer([("s", StandardScaler(), "a")]).fit(FRAME)
    with pytest.raises(InvalidDataError, match=r"'f' transformer should be 2D"):
        ColumnTransformer([("f", FunctionTransformer(lambda t: t[:, 0]), [0])]).fit(X)
    with pytest.raises(NotFittedError):
        columns.transform(FRAME)
    with pytest.raises(TypeError, match="subscriptable after it is fitted"):
        columns["polynomialfeatures"]


def test_nothing_selected():
    columns = ColumnTransformer([("none", StandardScaler(), []), ("drop", "drop", [0])])
    assert columns.fit_transform(X).shape == (20, 0)
    assert not hasattr(columns.named_transformers_["none"], "mean_")
    assert columns.fit_transform(FRAME).shape == (20, 0)
    assert ColumnTransformer([]).fit_transform(X).shape == (20, 0)


def test_inside_pipelines_and_searches():
    inner = make_column_transformer(
        (PolynomialFeatures(include_bias=False), ["a"]), remainder="passthrough"
    )
    grid = {"columntransformer__polynomialfeatures__degree": [1, 2]}
    ours = GridSearchCV(make_pipeline(inner, Ridge()), grid, cv=3).fit(FRAME, y)
    other = GridSearchCV(their_make_pipeline(inner, TheirRidge()), grid, cv=3).fit(FRAME, y)
    assert ours.best_params_ == other.best_params_
    assert ours.best_score_ == pytest.approx(other.best_score_, rel=1e-8)
    wide = theirs.make_column_transformer((clone(inner), NAMES)).set_output(transform="pandas")
    assert "columntransformer__remainder__d" in wide.fit_transform(FRAME).columns


# --- selecting by kind and name -----------------------------------------------------------------

KINDS = pd.DataFrame(
    {
        "k": list("ab"),
        "v": [1.0, 2.0],
        "i": [1, 2],
        "c": pd.Categorical(["a", "b"]),
        "t": pd.to_datetime(["2020-01-01", "2021-01-01"]),
        "b": [True, False],
    }
)


@pytest.mark.filterwarnings("ignore:.*backward compatibility.*")
@pytest.mark.parametrize(
    "word",
    ["number", np.number, object, "category", "datetime", "bool", str, "float64", int,
     [np.floating, "bool"]],
)  # fmt: skip
def test_selector(word):
    for options in ({"dtype_include": word}, {"dtype_exclude": word}):
        expected = theirs.make_column_selector(**options)(KINDS)
        ours = make_column_selector(**options)
        assert ours(KINDS) == expected
        assert ours(pl.from_pandas(KINDS)) == expected
        assert ours(pa.Table.from_pandas(KINDS)) == expected


def test_selector_by_name_and_dtype_of_the_library():
    assert make_column_selector("^[kv]$")(KINDS) == ["k", "v"]
    table = pl.DataFrame({"a": [1.0], "b": ["x"], "ab": [2.0]})
    assert make_column_selector("b", dtype_include=pl.Float64)(table) == ["ab"]
    assert repr(make_column_selector("b")) == "make_column_selector(pattern='b')"
    with pytest.raises(InvalidDataError, match="can only be applied to dataframes"):
        make_column_selector("a")(X)
    columns = make_column_transformer(
        (StandardScaler(), make_column_selector(dtype_include="number")), remainder="passthrough"
    )
    assert columns.fit_transform(table).columns[-1] == "remainder__b"
