"""Cross-validation keeps all about every fit: records, warnings, predictions, progress."""

from __future__ import annotations

import pickle
import threading
import warnings

import joblib
import numpy as np
import pytest
from joblib._parallel_backends import ThreadingBackend
from joblib.parallel import register_parallel_backend
from sklearn import config_context, get_config
from sklearn import model_selection as theirs
from sklearn.linear_model import Ridge as TheirRidge

from stylobate import model_selection as ours
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import Lasso, LogisticRegression, Ridge
from stylobate.model_selection.fits.captured_warnings import listening
from stylobate.model_selection.fits.progress import progress_of


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 3))
    return x, x @ [1.0, -2.0, 0.5] + rng.normal(size=60)


class Talkative(TheirRidge):
    """Warns in every fit, of the same thing and of its own."""

    def fit(self, X, y):
        warnings.warn("steep", RuntimeWarning, stacklevel=1)
        warnings.warn(f"{len(X)} rows", UserWarning, stacklevel=1)
        return super().fit(X, y)


def test_records(numbers):
    x, y = numbers
    cv = [(np.arange(40), np.arange(40, 60)), (np.arange(30), np.arange(50, 60))]
    for model, way in ((TheirRidge(alpha=2.0), "rows"), (Ridge(alpha=2.0), "statistics")):
        found = ours.cross_validate(model, x, y, cv=cv, return_train_score=True)
        first, second = found.records
        assert (first.split, first.n_train, first.n_test) == (0, 40, 20)
        assert (second.split, second.n_train, second.n_test) == (1, 30, 10)
        assert first.params["alpha"] == 2.0
        assert second.test == {"score": found["test_score"][1]}
        assert second.train == {"score": found["train_score"][1]}
        assert first.fit_time == found["fit_time"][0]
        assert (first.way, first.stored, first.warnings, first.failure) == (way, False, (), None)
        assert pickle.loads(pickle.dumps(found)).records == found.records


def test_records_of_left_out_rows(numbers):
    x, y = numbers
    found = ours.cross_validate(
        Ridge(), x, y, cv=ours.LeaveOneOut(), scoring="neg_mean_squared_error"
    )
    assert len(found.records) == len(y)
    assert found.records[7].test == {"score": found["test_score"][7]}
    assert (found.records[7].n_train, found.records[7].n_test) == (59, 1)


@pytest.mark.parametrize(("backend", "n_jobs"), [(None, 1), ("threading", 3), ("loky", 2)])
@pytest.mark.parametrize("action", ["default", "always"])
def test_warnings_are_told_and_recorded(action, backend, n_jobs, numbers):
    x, y = numbers
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        before = list(warnings.filters), warnings.showwarning
        if backend is None:
            found = ours.cross_validate(Talkative(), x, y, cv=5)
        else:
            with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
                found = ours.cross_validate(Talkative(), x, y, cv=5)
        assert (list(warnings.filters), warnings.showwarning) == before
    for record in found.records:
        assert record.warnings == ("RuntimeWarning: steep", f"UserWarning: {record.n_train} rows")
    told = [(each.category, str(each.message)) for each in caught]
    times = 5 if action == "always" else 1
    assert told.count((RuntimeWarning, "steep")) == times
    assert told.count((UserWarning, "48 rows")) == times


def test_warnings_that_are_errors(numbers):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="All the 5 fits failed") as error:
            ours.cross_validate(Talkative(), *numbers)
    assert "RuntimeWarning: steep" in str(error.value)


def test_warnings_before_an_error(numbers):
    rows = np.full((9, 2), np.nan)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match="NaN"):
            ours.cross_validate(Talkative(), rows, np.ones(9), error_score="raise")
    assert [str(each.message) for each in caught] == ["steep", "7 rows"]


def test_listening_tells_threads_apart():
    heard = {}
    together = threading.Barrier(2)

    def listen(name):
        with listening() as found:
            together.wait()
            for _ in range(20):
                warnings.warn(name, stacklevel=1)
            together.wait()
        heard[name] = {str(each.message) for each in found}

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        threads = [threading.Thread(target=listen, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert heard == {"a": {"a"}, "b": {"b"}}


@pytest.mark.parametrize("model", [TheirRidge(), Ridge(), Lasso(alpha=0.1)], ids=str)
@pytest.mark.parametrize("train", [False, True])
def test_predictions(model, train, numbers):
    x, y = numbers
    cv = theirs.ShuffleSplit(3, random_state=0)
    found = ours.cross_validate(
        model, x, y, cv=cv, return_predictions=True, return_train_score=train
    )
    assert "estimator" not in found
    for part, (rows, test) in zip(found["predictions"], cv.split(x), strict=True):
        want = type(model)(**model.get_params()).fit(x[rows], y[rows]).predict(x[test])
        np.testing.assert_allclose(part, want, rtol=1e-6)
    both = ours.cross_validate(
        model, x, y, cv=cv, return_predictions="predict", return_estimator=True
    )
    np.testing.assert_allclose(
        both["predictions"][1],
        both["estimator"][1].predict(x[list(cv.split(x))[1][1]]),
    )


def test_predicted_probabilities(numbers):
    x, y = numbers
    labels = np.where(y > 0, "up", "down")
    found = ours.cross_validate(LogisticRegression(), x, labels, return_predictions="predict_proba")
    want = theirs.cross_val_predict(LogisticRegression(), x, labels, method="predict_proba")
    splits = theirs.StratifiedKFold(5).split(x, labels)
    for part, (_, test) in zip(found["predictions"], splits, strict=True):
        np.testing.assert_allclose(part, want[test])
    with pytest.raises(InvalidParameterError, match="Ridge has no predict_proba"):
        ours.cross_validate(Ridge(), x, y, return_predictions="predict_proba")
    with pytest.raises(InvalidParameterError, match="return_predictions must be"):
        ours.cross_validate(Ridge(), x, y, return_predictions=3)


class Counting(ThreadingBackend):
    """A backend of one's own, as Dask's and Ray's are."""

    jobs = 0

    def submit(self, func, callback=None):
        type(self).jobs += 1
        return super().submit(func, callback)


class AllTogether(Counting):
    """A backend of the older kind, which returns its results all together."""

    jobs = 0
    supports_return_generator = False


class Configured(TheirRidge):
    """Fails unless scikit-learn's settings came along."""

    def fit(self, X, y):
        assert get_config()["assume_finite"]
        return super().fit(X, y)


@pytest.mark.parametrize("kind", [Counting, AllTogether])
@pytest.mark.parametrize("model", [TheirRidge(), LogisticRegression()], ids=str)
def test_registered_backends(kind, model, numbers):
    x, y = numbers
    y = (y > 0).astype(int)
    register_parallel_backend("house", kind)
    want = ours.cross_val_score(model, x, y)
    before = kind.jobs
    with joblib.parallel_config(backend="house", n_jobs=2):
        got = ours.cross_val_score(model, x, y)
        search = ours.GridSearchCV(model, {"fit_intercept": [True, False]}).fit(x, y)
    np.testing.assert_array_equal(got, want)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"][0], want.mean())
    assert kind.jobs > before


@pytest.mark.parametrize("backend", ["threading", "loky", None])
def test_backends(backend, numbers):
    x, y = numbers
    with config_context(assume_finite=True):
        want = ours.cross_val_score(Configured(), x, y)
        with (
            joblib.parallel_config(backend=backend, n_jobs=2)
            if backend
            else joblib.parallel_config()
        ):
            for model in (Configured(), LogisticRegression()):
                target = y if model is not None and isinstance(model, Configured) else y > 0
                got = ours.cross_validate(model, x, target, n_jobs=2)
                one = ours.cross_validate(model, x, target, n_jobs=1)
                np.testing.assert_array_equal(got["test_score"], one["test_score"])
    assert np.isfinite(want).all()


def test_progress(numbers, capsys):
    x, y = numbers
    ours.cross_validate(TheirRidge(), x, y, verbose=1)  # no terminal: silent
    assert capsys.readouterr() == ("", "")
    ours.cross_validate(TheirRidge(), x, y, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "cross_validate: Ridge: 5 of 5, took" in err
    ours.GridSearchCV(Ridge(), {"alpha": [1.0, 2.0]}, progress=True).fit(x, y)
    assert "GridSearchCV: Ridge: 10 of 10" in capsys.readouterr().err
    ours.cross_validate(TheirRidge(), x, y, verbose=9, progress=False)
    assert capsys.readouterr() == ("", "")


def test_progress_bar_in_a_terminal(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with progress_of("fits", 4, verbose=1, progress=None) as bar:
        bar.advance(3)
        bar.advance()
    out, err = capsys.readouterr()
    assert out == ""
    assert "fits" in err
    assert "4/4" in err
