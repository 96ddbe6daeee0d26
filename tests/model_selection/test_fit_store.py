"""Interrupted runs: what is finished stays on disk, is recognised, and nothing else is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from stylobate import model_selection as ours
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.metrics import get_scorer, make_scorer, mean_squared_error
from stylobate.model_selection.fits.fingerprints import fingerprint


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 3))
    return x, x @ [1.0, -2.0, 0.5] + rng.normal(size=60)


class Counted(TheirRidge):
    """Counts its fits."""

    fits = 0

    def fit(self, X, y, sample_weight=None):
        Counted.fits += 1
        return super().fit(X, y, sample_weight)


def fits_of(call):
    before = Counted.fits
    return call(), Counted.fits - before


def entries(directory):
    return sorted(Path(directory).glob("*/*.json"))


def test_second_run_reads(numbers, tmp_path):
    x, y = numbers
    options = {"scoring": ["r2", "neg_max_error"], "return_train_score": True}
    options |= {"return_predictions": True, "store": tmp_path / "new" / "fits"}
    run = partial(ours.cross_validate, Counted(), x, y, **options)
    (first, made), (second, again) = fits_of(run), fits_of(run)
    assert (made, again) == (5, 0)
    for name in first:
        np.testing.assert_array_equal(first[name], second[name], err_msg=name)
    assert [record.stored for record in second.records] == [True] * 5
    third, made = fits_of(partial(run, return_estimator=True))  # fitted models are not kept
    assert made == 5
    np.testing.assert_array_equal(first["test_r2"], third["test_r2"])


CHANGES = {
    "a parameter": {"estimator": Counted(alpha=2.0)},
    "a step": {"estimator": make_pipeline(StandardScaler(), Counted())},
    "the scoring": {"scoring": "neg_max_error"},
    "the scorer": {"scoring": make_scorer(mean_squared_error)},
    "a function": {"scoring": lambda m, a, b: 0.5},
    "the folds": {"cv": 4},
    "train scores": {"return_train_score": True},
    "weights": {"params": {"sample_weight": np.arange(1.0, 61.0)}},
}


@pytest.mark.parametrize("what", CHANGES)
def test_other_runs_do_not(what, numbers, tmp_path):
    x, y = numbers
    run = partial(ours.cross_validate, X=x, y=y, store=tmp_path)
    run(Counted())
    changed = {"estimator": Counted(), **CHANGES[what]}
    found, made = fits_of(partial(run, **changed))
    assert made == len(found["fit_time"])
    assert fits_of(partial(run, **changed))[1] == 0
    assert fits_of(partial(run, Counted()))[1] == 0  # the first ones are still there


def test_other_data_do_not(numbers, tmp_path):
    x, y = numbers
    run = partial(ours.cross_val_score, Counted(), store=tmp_path)
    run(x, y)
    other = x.copy()
    other[17, 2] += 1e-12
    assert fits_of(partial(run, other, y))[1] == 5
    assert fits_of(partial(run, x, y + 1.0))[1] == 5
    assert fits_of(partial(run, x, y, cv=[(np.arange(50), np.arange(50, 60))]))[1] == 1


def test_containers(numbers, tmp_path):
    x, y = numbers
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    frame = pandas.DataFrame(x, columns=list("abc"))
    kinds = [x.tolist(), frame, polars.from_pandas(frame), pyarrow.Table.from_pandas(frame)]
    for number, kind in enumerate([*kinds, sparse.csc_array(x)], 1):
        first = ours.cross_validate(LogisticRegression(), kind, y > 0, store=tmp_path)
        assert len(entries(tmp_path)) == 5 * number
        again = ours.cross_validate(LogisticRegression(), kind, y > 0, store=tmp_path)
        assert all(record.stored for record in again.records)
        np.testing.assert_array_equal(first["test_score"], again["test_score"])


def test_search_goes_on_from_cross_validation(numbers, tmp_path):
    x, y = numbers
    ours.cross_val_score(Counted(alpha=2.0), x, y, store=tmp_path)
    grid = {"alpha": [1.0, 2.0, 3.0]}
    search, made = fits_of(lambda: ours.GridSearchCV(Counted(), grid, store=tmp_path).fit(x, y))
    assert made == 10 + 1
    want = ours.GridSearchCV(Counted(), grid).fit(x, y)
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], want.cv_results_["mean_test_score"]
    )
    assert sum(record.stored for record in search.records_) == 5
    ours_too = ours.GridSearchCV(Ridge(), grid, store=str(tmp_path)).fit(x, y)
    again = ours.GridSearchCV(Ridge(), grid, store=str(tmp_path)).fit(x, y)
    assert all(record.stored for record in again.records_)
    np.testing.assert_array_equal(
        again.cv_results_["mean_test_score"], ours_too.cv_results_["mean_test_score"]
    )


DAMAGES = {
    "cut off": lambda text, other: text[: len(text) // 2],
    "empty": lambda text, other: "",
    "bytes": lambda text, other: b"\xff\xfe\x00",
    "a number changed": lambda text, other: text.replace('"score": ', '"score": 1'),
    "another fit's": lambda text, other: other,
    "another program's": lambda text, other: json.dumps({"answer": 42}),
    "a list": lambda text, other: "[1, 2]",
    "a later format": lambda text, other: text.replace("stylobate fit 1", "stylobate fit 9"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_entries_are_made_again(damage, numbers, tmp_path):
    x, y = numbers
    want = ours.cross_val_score(Counted(), x, y, store=tmp_path)
    first, second, *_ = entries(tmp_path)
    content = DAMAGES[damage](first.read_text(), second.read_text())
    first.write_bytes(content if isinstance(content, bytes) else content.encode())
    run = partial(ours.cross_val_score, Counted(), x, y, store=tmp_path)
    with pytest.warns(StylobateWarning, match="1 entries are damaged or not ours") as caught:
        got, made = fits_of(run)
    assert str(first) in str(caught[0].message)
    assert made == 1
    np.testing.assert_array_equal(got, want)
    assert fits_of(run)[1] == 0  # and are whole again


def test_other_files_are_left_alone(numbers, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / "half.part").write_text("{")
    ours.cross_val_score(Counted(), *numbers, store=tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert not list(tmp_path.glob("*/.*.part"))


class Moody(Counted):
    """Fails in one split, until it is told not to."""

    fail = True

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y)
        if Moody.fail and len(X) == 20:
            raise ValueError("not today")
        return self


def test_failures_are_tried_again(numbers, tmp_path):
    x, y = numbers
    cv = [(np.arange(20), np.arange(20, 40)), (np.arange(30), np.arange(40, 60))]
    run = partial(ours.cross_val_score, Moody(), x, y, cv=cv, store=tmp_path)
    with pytest.warns(UserWarning, match="not today"):
        assert np.isnan(run()).tolist() == [True, False]
    Moody.fail = False
    try:
        got, made = fits_of(run)
    finally:
        Moody.fail = True
    assert made == 1
    assert np.isfinite(got).all()


def test_disk_that_fills_up(numbers, tmp_path):
    for number in range(256):  # nothing can be written below these
        (tmp_path / f"{number:02x}").write_text("")
    with pytest.warns(StylobateWarning) as caught:
        found = ours.cross_val_score(Counted(), *numbers, store=tmp_path)
    np.testing.assert_array_equal(found, ours.cross_val_score(Counted(), *numbers))
    texts = [str(each.message) for each in caught]
    assert sum("the run goes on" in text for text in texts) == 1


@pytest.mark.parametrize("place", ["a file", "in a file", "nowhere"])
def test_stores_that_cannot_be_written(place, numbers, tmp_path):
    file = tmp_path / "taken"
    file.write_text("")
    path = {"a file": file, "in a file": file / "deeper", "nowhere": "/proc/none/here"}[place]
    with pytest.raises(InvalidParameterError, match="store: cannot write to"):
        ours.cross_val_score(Counted(), *numbers, store=path)
    with pytest.raises(InvalidParameterError, match="store must be"):
        ours.cross_val_score(Counted(), *numbers, store=3)
    with pytest.raises(InvalidParameterError, match="store must be"):
        ours.GridSearchCV(Ridge(), {"alpha": [1.0]}, store=3).fit(*numbers)


def test_fingerprints_of_equal_and_different_values():
    frame = __import__("pandas").DataFrame({"a": [1.0, 2.0], "b": ["x", None]})
    x = np.arange(12.0).reshape(3, 4)
    values = [
        None, True, 1, 1.0, "1", b"1", (1,), [1], {1}, {"a": 1}, {"a": 2}, np.float64(1.0),
        np.array([1.0]), np.array([1]), np.array([[1.0]]), np.array(["a"]), np.array([]),
        x, x.T, x[:, ::2], sparse.csr_array(x), sparse.csr_array(x[::-1]), frame, frame["a"],
        frame.rename(columns={"a": "c"}), Ridge(), Ridge(alpha=2.0), TheirRidge(), Ridge,
        np.random.RandomState(0), np.random.RandomState(1), np.random.default_rng(0), np.add,
        partial(max, 1), partial(max, 2), get_scorer("r2"), get_scorer("accuracy"),
        lambda a: a + 1, lambda a: a + 2, float("nan"), float("inf"), np.array(["a", 1], object),
    ]  # fmt: skip
    prints = [fingerprint(value) for value in values]
    assert len(set(prints)) == len(values)
    import copy

    for value, found in zip(values, prints, strict=True):
        assert fingerprint(copy.deepcopy(value)) == found, value
    assert fingerprint(np.asfortranarray(x)) == fingerprint(x)
    used = get_scorer("r2")
    used(TheirRidge().fit(x, x[:, 0]), x, x[:, 0])
    assert fingerprint(used) == fingerprint(get_scorer("r2"))
    endless = []
    endless.append(endless)
    with pytest.raises(InvalidParameterError, match="holds itself"):
        fingerprint(endless)
    with pytest.raises(InvalidParameterError, match="cannot be recognised on disk"):
        fingerprint(iter([1]).__reduce__ and (each for each in [1]))


SCRIPT = """
import os, signal, sys, time, warnings
import numpy as np
from stylobate.linear_model import Ridge
from stylobate.base import BaseEstimator, RegressorMixin
from stylobate.model_selection import (
    GridSearchCV, HalvingGridSearchCV, KFold, cross_val_score, nested_cross_validate
)

signal.signal(signal.SIGINT, signal.default_int_handler)
log = sys.argv[1]

class Slow(RegressorMixin, BaseEstimator):
    def __init__(self, alpha=1.0):
        self.alpha = alpha
    def predict(self, X):
        return self.model_.predict(X)
    def fit(self, X, y):
        with open(log, "a") as file:
            file.write("begun\\n")
        time.sleep(0.1)
        self.model_ = Ridge(alpha=self.alpha).fit(X, y)
        with open(log, "a") as file:
            file.write("done\\n")
        return self

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
y = X @ [1.0, -2.0, 0.5] + rng.normal(size=60)
"""


class Script:
    """A run in another process."""

    def __init__(self, tmp_path, body):
        self.log = tmp_path / "log"
        self.file = tmp_path / "run.py"
        self.file.write_text(SCRIPT + textwrap.dedent(body))

    def start(self):
        return subprocess.Popen(
            [sys.executable, "-W", "default", self.file, self.log],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    def count(self, word):
        return self.log.read_text().split().count(word) if self.log.exists() else 0

    def stop_after(self, fits, how):
        process = self.start()
        limit = time.monotonic() + 60
        while self.count("done") < fits or self.count("begun") == self.count("done"):
            assert time.monotonic() < limit
            assert process.poll() is None, process.communicate()
            time.sleep(0.005)
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err


def test_killed(tmp_path):
    store = tmp_path / "store"
    script = Script(
        tmp_path, f"print(cross_val_score(Slow(), X, y, cv=10, store={str(store)!r}).tolist())"
    )
    code, out, _ = script.stop_after(4, signal.SIGKILL)
    assert (code, out) == (-signal.SIGKILL, "")
    kept = len(entries(store))
    assert kept >= script.count("done") - 1 >= 3  # at most the fit in flight is lost
    before = script.count("begun")
    out, err = script.start().communicate(timeout=60)
    assert script.count("begun") - before == 10 - kept, err
    assert "damaged" not in err
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 3))
    y = x @ [1.0, -2.0, 0.5] + rng.normal(size=60)
    want = ours.cross_val_score(TheirRidge(), x, y, cv=10)
    np.testing.assert_allclose(json.loads(out), want)


def test_interrupted_cross_validation(tmp_path):
    store = tmp_path / "store"
    script = Script(
        tmp_path,
        f"""
        try:
            cross_val_score(Slow(), X, y, cv=20, store={str(store)!r})
        except KeyboardInterrupt:
            print("stopped")
        """,
    )
    code, out, err = script.stop_after(3, signal.SIGINT)
    assert (code, out.strip()) == (0, "stopped"), err
    assert 3 <= len(entries(store)) < 20


@pytest.mark.parametrize("backend", [None, "threading", "loky"])
def test_interrupted_search(backend, tmp_path):
    script = Script(
        tmp_path,
        f"""
        import joblib, contextlib
        backend = {backend!r}
        way = joblib.parallel_config(backend, n_jobs=2) if backend else contextlib.nullcontext()
        with way:
            search = GridSearchCV(Slow(), {{"alpha": list(np.logspace(-3, 9, 60))}}, cv=2)
            search.fit(X, y)
        print(len(search.cv_results_["params"]), search.interrupted_, search.best_index_)
        print(search.predict(X[:1]).shape, len(search.records_))
        """,
    )
    code, out, err = script.stop_after(7, signal.SIGINT)
    assert code == 0, err
    count, interrupted, best, shape, records = out.replace("(1,)", "(1,)").split()
    assert 1 <= int(count) < 60
    assert (interrupted, shape, int(records)) == ("True", "(1,)", 2 * int(count))
    assert 0 <= int(best) < int(count)
    assert f"GridSearchCV was interrupted with {count} of 60 settings finished" in err


@pytest.mark.parametrize(
    "call",
    [
        'GridSearchCV(Slow(), {"alpha": [1.0, 2.0]}, cv=30).fit(X, y)',  # nothing is known yet
        'nested_cross_validate(GridSearchCV(Slow(), {"alpha": [1.0, 2.0]}, cv=2), X, y, cv=4)',
    ],
)
def test_interrupts_that_end_all(call, tmp_path):
    script = Script(
        tmp_path,
        f"""
        try:
            {call}
        except KeyboardInterrupt:
            print("stopped")
        """,
    )
    assert script.stop_after(3, signal.SIGINT)[1].strip() == "stopped"


def test_interrupted_halving(tmp_path):
    script = Script(
        tmp_path,
        """
        search = HalvingGridSearchCV(
            Slow(), {"alpha": list(np.logspace(-3, 3, 9))}, cv=KFold(2), random_state=0
        ).fit(X, y)
        print(len(search.cv_results_["params"]), search.cv_results_["iter"].max())
        """,
    )
    code, out, err = script.stop_after(20, signal.SIGINT)
    assert code == 0, err
    count, last = map(int, out.split())
    assert 10 <= count < 13
    assert last >= 1
    assert "was interrupted" in err
