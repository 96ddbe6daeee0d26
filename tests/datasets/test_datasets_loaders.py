"""The shipped data sets against the packages they came from, and what the loaders promise."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from stylobate.datasets import (
    Bunch,
    list_datasets,
    load_breast_cancer,
    load_diabetes,
    load_galton,
    load_galton_families,
    load_iris,
    load_penguins,
    load_titanic,
    load_wine,
    read_dataset,
)
from stylobate.exceptions import InvalidParameterError

FRAMES = ("pandas", "polars", "pyarrow")
CLASSES = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer}
LOADERS = (
    load_penguins,
    load_diabetes,
    load_titanic,
    load_galton,
    load_galton_families,
    *CLASSES.values(),
)


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_scikit_learns(name):
    import sklearn.datasets

    expected, ours = getattr(sklearn.datasets, f"load_{name}")(), CLASSES[name]()
    np.testing.assert_array_equal(ours.data, expected.data)
    np.testing.assert_array_equal(ours.target, expected.target)
    assert ours.target.dtype == expected.target.dtype
    assert ours.feature_names == list(expected.feature_names)
    assert ours.target_names == list(expected.target_names)
    for kind in FRAMES:
        _, y = CLASSES[name](return_X_y=True, as_frame=kind)
        assert len(y) == len(expected.target)


@pytest.mark.parametrize("name", ["digits", "linnerud"])
def test_numbers_are_scikit_learns(name):
    import sklearn.datasets

    import stylobate.datasets

    theirs, ours = (
        getattr(home, f"load_{name}") for home in (sklearn.datasets, stylobate.datasets)
    )
    for part in ("data", "target", "images", "feature_names", "target_names"):
        if part in theirs():
            np.testing.assert_array_equal(ours()[part], theirs()[part])
    for kind in FRAMES:
        X, y = ours(return_X_y=True, as_frame=kind)
        assert len(X) == len(y) == len(theirs().target)
    expected, got = theirs(as_frame=True), ours(as_frame=True)
    np.testing.assert_array_equal(got.data, expected.data)
    np.testing.assert_array_equal(got.target, expected.target)


def test_few_digits():
    from sklearn.datasets import load_digits as theirs

    from stylobate.datasets import load_digits

    np.testing.assert_array_equal(load_digits(n_class=3).data, theirs(n_class=3).data)
    with pytest.raises(InvalidParameterError, match="from 1 to 10"):
        load_digits(n_class=11)


@pytest.mark.parametrize("scaled", [True, False])
def test_diabetes_is_scikit_learns(scaled):
    from sklearn.datasets import load_diabetes as theirs

    expected = theirs(scaled=scaled)
    ours = load_diabetes(scaled=scaled)
    np.testing.assert_allclose(ours.data, expected.data, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(ours.target, expected.target)
    assert ours.feature_names == list(expected.feature_names)


def test_diabetes_takes_scikit_learns_arguments():
    from sklearn.datasets import load_diabetes as theirs

    X, y = load_diabetes(return_X_y=True, as_frame=True)
    expected_X, expected_y = theirs(return_X_y=True, as_frame=True)
    assert list(X.columns) == list(expected_X.columns)
    assert y.name == expected_y.name
    np.testing.assert_allclose(X, expected_X, rtol=1e-12, atol=1e-15)


def test_penguins_for_regression_are_numbers_without_missing_values():
    X, y = load_penguins(target="body_mass_g", return_X_y=True)
    assert X.shape == (342, 3)
    assert X.dtype == y.dtype == np.float64
    assert np.isfinite(X).all()
    assert np.isfinite(y).all()
    # means published with the R package: body mass 4202 g, flipper length 200.9 mm
    assert y.mean() == pytest.approx(4201.754, abs=1e-3)
    assert X[:, 2].mean() == pytest.approx(200.915, abs=1e-3)


def test_penguins_count_by_species():
    penguins = load_penguins()
    names, counts = np.unique(penguins.target, return_counts=True)
    assert dict(zip(names.tolist(), counts.tolist(), strict=True)) == {
        "Adelie": 151,
        "Chinstrap": 68,
        "Gentoo": 123,
    }
    assert penguins.target_names == ["Adelie", "Chinstrap", "Gentoo"]
    assert len(penguins.frame["species"]) == 344


def test_penguins_without_a_known_sex_are_dropped_when_sex_is_the_target():
    X, y = load_penguins(target="sex", return_X_y=True)
    assert len(X) == len(y) == 333
    assert set(y) == {"male", "female"}


def test_titanic_counts():
    titanic = load_titanic()
    assert len(titanic.frame["name"]) == 1313
    assert int(titanic.frame["survived"].sum()) == 450
    assert titanic.data.shape == (756, 3)
    assert set(titanic.data[:, 0]) == {1.0, 2.0, 3.0}
    assert set(titanic.data[:, 1]) == {0.0, 1.0}


def test_galtons_regression_is_the_published_one():
    X, y = load_galton(return_X_y=True)
    assert X.shape == (928, 1)
    # R's summary of HistData::Galton and of lm(child ~ parent)
    assert X.mean() == pytest.approx(68.31, abs=5e-3)
    assert y.mean() == pytest.approx(68.09, abs=5e-3)
    assert X.std(ddof=1) == pytest.approx(1.787, abs=5e-4)
    assert y.std(ddof=1) == pytest.approx(2.518, abs=5e-4)
    slope, intercept = np.polyfit(X[:, 0], y, 1)
    assert slope == pytest.approx(0.64629, abs=5e-6)
    assert intercept == pytest.approx(23.94153, abs=5e-6)


def test_galtons_families_are_those_of_his_notebook():
    frame = load_galton_families().frame
    assert len(set(frame["family"])) == 205
    assert "136A" in frame["family"]
    names, counts = np.unique(frame["gender"].astype(str), return_counts=True)
    assert dict(zip(names.tolist(), counts.tolist(), strict=True)) == {"female": 453, "male": 481}
    mid = (frame["father"] + 1.08 * frame["mother"]) / 2
    np.testing.assert_allclose(frame["midparentHeight"], mid, rtol=0, atol=5e-3)


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("kind", FRAMES)
def test_frames_hold_what_the_arrays_hold(loader, kind):
    plain, framed = loader(), loader(as_frame=kind)
    assert type(framed.data).__module__.partition(".")[0] == kind
    names = framed.data.column_names if kind == "pyarrow" else list(framed.data.columns)
    assert names == plain.feature_names
    for position, name in enumerate(names):
        np.testing.assert_array_equal(np.asarray(framed.data[name]), plain.data[:, position])
    np.testing.assert_array_equal(np.asarray(framed.target), plain.target)


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
def test_missing_numbers_are_null_where_the_frame_has_nulls(kind):
    column = load_penguins(as_frame=kind).frame["body_mass_g"]
    assert (column.null_count() if kind == "polars" else column.null_count) == 2


def test_the_whole_file_is_in_frame():
    frame = load_penguins(as_frame="pandas").frame
    assert frame.shape == (344, 8)
    assert frame["sex"].isna().sum() == 11
    assert frame["body_mass_g"].isna().sum() == 2


def test_bunch_is_dictionary_and_attributes():
    penguins = load_penguins()
    assert isinstance(penguins, Bunch)
    assert penguins["data"] is penguins.data
    assert "data" in dir(penguins)
    penguins.note = "mine"
    assert penguins["note"] == "mine"
    with pytest.raises(AttributeError, match="there is no 'dta' here, only data, target"):
        _ = penguins.dta
    again = pickle.loads(pickle.dumps(penguins))
    np.testing.assert_array_equal(again.data, penguins.data)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: load_penguins(target="body_mas_g"), "Did you mean 'body_mass_g'"),
        (lambda: load_penguins(target=["sex"]), "target must be one of species"),
        (lambda: load_titanic(as_frame="spark"), "as_frame must be False, True"),
        (lambda: read_dataset("pengiuns"), "Did you mean 'penguins'"),
        (lambda: read_dataset("../titanic"), "There is no shipped data set"),
    ],
)
def test_refusals_are_sentences(call, words):
    with pytest.raises(InvalidParameterError, match=words):
        call()


def test_every_listed_set_can_be_read_and_every_loader_describes_itself():
    for name in list_datasets():
        lengths = {len(column) for column in read_dataset(name).values()}
        assert len(lengths) == 1
    assert all("icence" in loader().DESCR or "domain" in loader().DESCR for loader in LOADERS)


def test_loading_needs_numpy_only():
    program = (
        "import sys; from stylobate.datasets import *; load_penguins(); load_diabetes(); "
        "load_titanic(); print(sorted({'pandas','polars','pyarrow','narwhals','scipy','sklearn'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
