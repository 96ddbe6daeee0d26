"""Adaptive search: proposals, settings given up, going on after a kill, any number of jobs."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from scipy.stats import loguniform, norm, randint, uniform
from sklearn.base import BaseEstimator as TheirBase
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.linear_model import SGDClassifier as TheirSGD
from sklearn.model_selection import cross_val_score as their_scores

from stylobate import model_selection as ours
from stylobate.datasets import load_breast_cancer, load_diabetes
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.linear_model import ElasticNet, Ridge, SGDClassifier
from stylobate.model_selection.search.parzen import Parzen
from stylobate.model_selection.search.proposer import Proposer
from stylobate.model_selection.search.search_space import spaces_of

SPACE = {"alpha": loguniform(1e-4, 1e2), "l1_ratio": [0.1, 0.5, 0.9, 1.0]}


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


@pytest.fixture(scope="module")
def cancer():
    x, y = load_breast_cancer(return_X_y=True)
    return (x - x.mean(axis=0)) / x.std(axis=0), y


def same_results(one, other):
    assert list(one) == list(other)
    for name in one:
        if name == "params":
            assert one[name] == other[name]
        elif not name.endswith("_time") and not name.startswith("param_"):
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)


# --- proposals ----------------------------------------------------------------------------------


def test_density_is_that_of_its_draws():
    """The mixture integrates to one, and its draws follow it."""
    random = np.random.RandomState(0)
    mixture = Parzen(np.array([[0.05, 0.0], [0.4, 2.0], [0.98, 2.0]]), (0, 3))
    middles = (np.arange(2000) + 0.5) / 2000
    drawn = mixture.draw(200_000, random)
    for choice in range(3):
        at = np.column_stack([middles, np.full(2000, float(choice))])
        share = np.exp(mixture.log_density(at)).reshape(20, 100).mean(axis=1) / 20
        counted = np.histogram(drawn[drawn[:, 1] == choice, 0], bins=20, range=(0, 1))[0] / 200_000
        np.testing.assert_allclose(counted, share, atol=5 * np.sqrt(0.1 / 200_000))
    at = np.array([[a, c] for a in middles for c in (0.0, 1.0, 2.0)])
    assert np.exp(mixture.log_density(at)).sum() / 2000 == pytest.approx(1.0, abs=1e-6)


def test_places_are_quantiles():
    """A distribution, a range, numbers out of order and words."""
    law = randint(3, 9)
    (space,) = spaces_of(
        {"a": law, "b": range(10, 14), "c": [5.0, 1.0, 3.0], "d": ["x", "y"], "e": norm(2, 3)}
    )
    setting = space.setting((0.5, 0.3, 0.99, 1.0, 0.975))
    assert setting == {"a": 5, "b": 11, "c": 5.0, "d": "y", "e": norm(2, 3).ppf(0.975)}
    assert type(setting["a"]) is int
    first, second = (
        space.settled((0.34, 0.26, 0.0, 1.2, 0.5)),
        space.settled((0.45, 0.4, 0.3, 1, 0.5)),
    )
    assert first == second
    assert space.setting(first) == space.setting((0.34, 0.26, 0.0, 1.0, 0.5))
    assert np.isinf(space.size)


FUNCTIONS = {
    "bowl": lambda a, b, c: -((a - 0.3) ** 2) - (b - 0.7) ** 2 - (c - 0.5) ** 2,
    "valley": lambda a, b, c: -((10 * (b - a * a)) ** 2) - (0.6 - a) ** 2 - abs(c - 0.2),
    "step": lambda a, b, c: -abs(a - 0.8) - 0.5 * (b > 0.2) - 0.3 * (c < 0.7),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_better_than_draws(name):
    """After as many settings the best is better than the best of random draws, seed for seed."""
    function, won, gained = FUNCTIONS[name], 0, []
    for seed in range(10):
        proposer = Proposer(dict.fromkeys("abc", uniform()), 10, np.random.RandomState(seed))
        scores = []
        for _ in range(15):
            scores += (new := [function(**each) for each in proposer.ask(4)])
            proposer.tell([(each,) for each in new])
        random = np.random.RandomState(seed).uniform(size=(60, 3))
        drawn = max(function(*each) for each in random)
        won += max(scores) > drawn
        gained.append(max(scores) - drawn)
    assert won >= 8
    assert np.median(gained) > 0


def test_conditional_spaces_and_no_repeats():
    """Of several dicts the better one is asked more often; finite ones are gone through once."""
    spaces = [{"kind": ["good"], "x": uniform()}, {"kind": ["bad"], "y": uniform()}]
    proposer = Proposer(spaces, 10, np.random.RandomState(0))
    kinds = []
    for _ in range(20):
        asked = proposer.ask(3)
        assert all(("x" in each) == (each["kind"] == "good") for each in asked)
        kinds += [each["kind"] for each in asked]
        proposer.tell([(each.get("x", -1.0),) for each in asked])
    assert kinds[30:].count("good") > 20
    few = Proposer({"a": [1, 2, 3], "b": ["u", "v"]}, 2, np.random.RandomState(0))
    asked = [each for _ in range(6) for each in few.ask(1) if few.tell([(each["a"],)]) is None]
    assert len({(each["a"], each["b"]) for each in asked}) == 6


# --- the search ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pruning", [None, "median", "halving"])
def test_scores_are_those_of_cross_validation(diabetes, pruning):
    """Every score there is, against scikit-learn's; the best is refitted."""
    x, y = diabetes
    search = ours.AdaptiveSearchCV(
        TheirRidge(), {"alpha": loguniform(1e-3, 1e3)}, n_iter=16, pruning=pruning,
        random_state=0, cv=4, n_initial=4,
    ).fit(x, y)  # fmt: skip
    results = search.cv_results_
    pruned = results.get("pruned", np.zeros(16, dtype=bool))
    done = results.get("n_splits_done", np.full(16, 4))
    assert pruned.any() == (pruning is not None)
    assert ((done < 4) == pruned).all()
    table = np.column_stack([results[f"split{k}_test_score"] for k in range(4)])
    for row, params, n, gone in zip(table, results["params"], done, pruned, strict=True):
        want = their_scores(TheirRidge(**params), x, y, cv=4)
        np.testing.assert_array_equal(row[:n], want[:n])
        assert np.isnan(row[n:]).all()
        assert gone or n == 4
    means = results["mean_test_score"]
    assert np.isnan(means[pruned]).all()
    best = np.nanargmax(means)
    assert search.best_index_ == best
    assert search.best_params_ == results["params"][best]
    want = TheirRidge(**search.best_params_).fit(x, y)
    np.testing.assert_array_equal(search.predict(x), want.predict(x))
    assert len(search.records_) == done.sum()


def test_median_rule_written_out(diabetes):
    """Given up when the mean so far is below the median of those finished before its batch."""
    search = ours.AdaptiveSearchCV(
        TheirRidge(), {"alpha": loguniform(1e-3, 1e3)}, n_iter=24, pruning="median",
        batch_size=3, n_initial=6, random_state=1,
    ).fit(*diabetes)  # fmt: skip
    results = search.cv_results_
    table = np.column_stack([results[f"split{k}_test_score"] for k in range(5)])
    so_far = np.cumsum(table, axis=1) / np.arange(1, 6)
    for k in range(24):
        before = [i for i in range(k - k % 3) if not results["pruned"][i]]
        done = 5
        for split in range(4):
            if len(before) >= 6 and so_far[k, split] < np.median(so_far[before, split]):
                done = split + 1
                break
        assert results["n_splits_done"][k] == done


@pytest.mark.parametrize("pruning", [None, "median", "halving"])
def test_jobs_do_not_matter(cancer, pruning):
    given = {"n_iter": 20, "random_state": 3, "pruning": pruning, "cv": 3, "n_initial": 4}
    space = {"alpha": loguniform(1e-6, 1.0), "loss": ["hinge", "log_loss"]}
    one, two, three = (
        ours.AdaptiveSearchCV(SGDClassifier(random_state=0), space, n_jobs=n, **given).fit(*cancer)
        for n in (None, 2, 3)
    )
    same_results(one.cv_results_, two.cv_results_)
    same_results(one.cv_results_, three.cv_results_)
    np.testing.assert_array_equal(one.predict(cancer[0]), three.predict(cancer[0]))


def test_more_settings_begin_alike(diabetes):
    """A longer search begins with the settings of a shorter one."""
    short, long = (
        ours.AdaptiveSearchCV(ElasticNet(), SPACE, n_iter=n, random_state=0).fit(*diabetes)
        for n in (16, 32)
    )
    assert long.cv_results_["params"][:16] == short.cv_results_["params"]


def test_trees_grow(cancer):
    """`warm_start`: a whole model is the forest fitted at once, given up ones have fewer trees."""
    x, y = cancer
    forest = RandomForestClassifier(n_estimators=12, random_state=0)
    search = ours.AdaptiveSearchCV(
        forest, {"max_depth": randint(1, 8), "max_features": uniform(0.05, 0.9)}, n_iter=14,
        pruning="median", resource="n_estimators", random_state=0, cv=3, n_initial=3,
    ).fit(x, y)  # fmt: skip
    assert search.best_estimator_.n_estimators == 12
    assert not search.best_estimator_.warm_start
    whole = np.flatnonzero(~search.cv_results_["pruned"])
    for k in whole[:3]:
        model = RandomForestClassifier(
            n_estimators=12, random_state=0, **search.cv_results_["params"][k]
        )
        got = [search.cv_results_[f"split{s}_test_score"][k] for s in range(3)]
        np.testing.assert_array_equal(got, their_scores(model, x, y, cv=3))
    assert search.cv_results_["pruned"].any()


@pytest.mark.parametrize("kind", [SGDClassifier, TheirSGD])
def test_passes(cancer, kind):
    """`partial_fit`: a whole model is so many passes, in every split and at the end."""
    x, y = cancer
    search = ours.AdaptiveSearchCV(
        kind(random_state=0), {"alpha": loguniform(1e-6, 1.0)}, n_iter=12, pruning="halving",
        resource="partial_fit", max_resources=6, min_resources=1, factor=2, cv=3, random_state=0,
    ).fit(x, y)  # fmt: skip
    want = kind(random_state=0, **search.best_params_)
    for _ in range(6):
        want.partial_fit(x, y, classes=np.unique(y))
    np.testing.assert_array_equal(search.predict(x), want.predict(x))
    assert search.cv_results_["pruned"].any()
    assert search.cv_results_["n_splits_done"].min() == 0  # given up within the first split


class Picky(TheirBase):
    """Fails for some settings."""

    def __init__(self, a=0.0):
        self.a = a

    def fit(self, X, y):
        if self.a > 0.7:
            raise ValueError("too large")
        return self

    def score(self, X, y):
        return self.a


@pytest.mark.filterwarnings("ignore::stylobate.exceptions.StylobateWarning")
@pytest.mark.parametrize("pruning", [None, "median"])
def test_failures_are_the_worst(diabetes, pruning):
    search = ours.AdaptiveSearchCV(
        Picky(), {"a": uniform()}, n_iter=60, random_state=0, cv=2, pruning=pruning
    ).fit(*diabetes)
    assert 0.6 < search.best_params_["a"] <= 0.7
    found = np.array([each["a"] for each in search.cv_results_["params"]])
    assert (found[30:] > 0.7).mean() < 0.5
    assert any("too large" in record.failure for record in search.records_ if record.failed)


def test_several_scores(diabetes):
    scores = ["r2", "neg_max_error"]
    search = ours.AdaptiveSearchCV(
        ElasticNet(), SPACE, n_iter=15, scoring=scores, refit="neg_max_error", pruning="median",
        random_state=0, return_train_score=True, n_initial=4,
    ).fit(*diabetes)  # fmt: skip
    assert search.best_index_ == np.nanargmax(search.cv_results_["mean_test_neg_max_error"])
    assert "mean_train_r2" in search.cv_results_
    with pytest.raises(InvalidParameterError, match="refit"):
        ours.AdaptiveSearchCV(ElasticNet(), SPACE, scoring=scores, refit=False).fit(*diabetes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"store": "x", "random_state": None}, "random_state is an int"),
        ({"resource": "max_iter"}, "pruning"),
        ({"resource": "trees", "pruning": "median"}, "no parameter 'trees'"),
        (
            {"estimator": TheirRidge(), "resource": "partial_fit", "pruning": "median"}
            | {"max_resources": 3},
            "no partial_fit",
        ),
        ({"resource": "alpha", "pruning": "median", "max_resources": 3}, "cannot be searched"),
        (
            {"resource": "max_iter", "pruning": "median", "max_resources": 3, "min_resources": 9},
            "more than max_resources",
        ),
        ({"param_distributions": {"alpha": []}}, "no values"),
        ({"param_distributions": {"alfa": [1.0, 2.0]}}, "alpha"),
        ({"pruning": "best"}, "pruning"),
    ],
)
def test_refusals(diabetes, change, words):
    given = {"random_state": 0, "param_distributions": SPACE, "n_iter": 2}
    with pytest.raises(InvalidParameterError, match=words):
        ours.AdaptiveSearchCV(**{"estimator": ElasticNet()} | given | change).fit(*diabetes)


def test_finite_space_is_told(diabetes):
    with pytest.warns(StylobateWarning, match="space of parameters 3"):
        search = ours.AdaptiveSearchCV(Ridge(), {"alpha": [1.0, 2.0, 3.0]}, n_iter=9).fit(*diabetes)
    assert sorted(each["alpha"] for each in search.cv_results_["params"]) == [1.0, 2.0, 3.0]


# --- going on -----------------------------------------------------------------------------------

SCRIPT = """
    import sys, time
    import numpy as np
    from scipy.stats import loguniform
    from sklearn.linear_model import SGDRegressor
    from stylobate.model_selection import AdaptiveSearchCV

    class Slow(SGDRegressor):
        def partial_fit(self, X, y):
            time.sleep(float(sys.argv[2]))
            return super().partial_fit(X, y)

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=80)
    search = AdaptiveSearchCV(
        Slow(random_state=0), {"alpha": loguniform(1e-5, 10.0), "eta0": loguniform(1e-4, 0.1)},
        n_iter=24, pruning="median", resource="partial_fit", max_resources=4, cv=3, n_initial=6,
        random_state=5, store=sys.argv[1] if sys.argv[1] != "-" else None,
    ).fit(X, y)
    results = {k: v for k, v in search.cv_results_.items() if not k.endswith("_time")}
    print(repr([list(map(repr, np.ma.filled(v, None) if k != "params" else v))
                for k, v in results.items()]))
    print(search.best_estimator_.coef_.tobytes().hex(), sum(r.stored for r in search.records_))
"""


def test_killed_and_gone_on(tmp_path, capsys, monkeypatch):
    """kill −9 in the middle; the answer has the bits of a search that was left alone."""
    file, store = tmp_path / "search.py", tmp_path / "store"
    file.write_text(textwrap.dedent(SCRIPT))
    process = subprocess.Popen(
        [sys.executable, file, store, "0.01"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    limit = time.monotonic() + 60
    while (kept := len(list(store.glob("*/*.json")))) < 20:
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.communicate(timeout=60)[0] == ""

    def answer(where):
        monkeypatch.setattr(sys, "argv", [str(file), str(where), "0"])
        runpy.run_path(str(file), run_name="__main__")
        table, end = capsys.readouterr().out.splitlines()
        return table, *end.split()

    (table, coef, stored), (want, want_coef, none) = answer(store), answer("-")
    assert (table, coef) == (want, want_coef)
    assert int(stored) >= kept
    assert int(none) == 0
