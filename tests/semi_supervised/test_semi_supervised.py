"""Labels for rows without one, against scikit-learn and closed forms."""

import numpy as np
import pandas as pd
import pytest
import sklearn.semi_supervised as theirs
from scipy import sparse
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB

from stylobate import load
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    StylobateWarning,
)
from stylobate.kernels import RBF
from stylobate.linear_model import LogisticRegression
from stylobate.naive_bayes import GaussianNB
from stylobate.semi_supervised import (
    LabelPropagation,
    LabelSpreading,
    SelfTrainingClassifier,
    weights_of_pairs,
)
from stylobate.svm import SVC

RNG = np.random.default_rng(3)
Y = np.arange(120) % 3
X = RNG.normal(size=(120, 2)) + 2.5 * np.array([[0, 0], [1, 0], [0, 1]])[Y]
PART = np.where(RNG.random(120) < 0.2, Y, -1)
NEW = RNG.normal(size=(40, 2)) + 1.0
GRAPHS = (LabelPropagation, LabelSpreading)
TIGHT = {"tol": 1e-10, "max_iter": 5000}


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize(
    "options",
    [
        {"gamma": 1.0},
        {"kernel": "knn", "n_neighbors": 9},
        {"kernel": lambda a, b: RBF(0.5)(a, b)},
        {"kernel": lambda a, b: sparse.csr_array(RBF(0.5)(a, b))},
    ],
    ids=["rbf", "knn", "function", "sparse"],
)
def test_as_scikit_learn(kind, options):
    mine = kind(**options, **TIGHT).fit(X, PART)
    other = getattr(theirs, kind.__name__)(**options, **TIGHT).fit(X, PART)
    np.testing.assert_allclose(mine.label_distributions_, other.label_distributions_, atol=1e-8)
    np.testing.assert_array_equal(mine.transduction_, other.transduction_)
    np.testing.assert_allclose(mine.predict_proba(NEW), other.predict_proba(NEW), atol=1e-8)
    assert abs(mine.n_iter_ - other.n_iter_) <= 1  # sums of rounding decide the last step
    assert mine.residual_ < 1e-10


def test_propagation_is_the_solution_of_a_linear_system():
    weights = RBF(1.0)(X)
    steps = weights / weights.sum(axis=1, keepdims=True)
    known = PART >= 0
    inner = np.eye((~known).sum()) - steps[np.ix_(~known, ~known)]
    wanted = np.linalg.solve(inner, steps[np.ix_(~known, known)] @ np.eye(3)[PART[known]])
    found = LabelPropagation(gamma=1.0, **TIGHT).fit(X, PART).label_distributions_
    np.testing.assert_allclose(found[~known], wanted, atol=1e-8)
    np.testing.assert_array_equal(found[known], np.eye(3)[PART[known]])


@pytest.mark.parametrize("alpha", [0.2, 0.9])
def test_spreading_is_the_solution_of_a_linear_system(alpha):
    weights = RBF(1.0)(X)
    np.fill_diagonal(weights, 0.0)
    roots = np.sqrt(weights.sum(axis=0))
    own = np.where(PART[:, None] == np.arange(3), 1.0 - alpha, 0.0)
    wanted = np.linalg.solve(np.eye(120) - alpha * weights / roots / roots[:, None], own)
    model = LabelSpreading(gamma=1.0, alpha=alpha, **TIGHT).fit(X, PART)
    wanted /= wanted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.label_distributions_, wanted, atol=1e-8)


@pytest.mark.parametrize("kind", GRAPHS)
def test_weights_by_tiles_are_those_stored(kind, monkeypatch):
    stored = kind(gamma=1.0).fit(X, PART)
    monkeypatch.setattr(weights_of_pairs, "MOST_STORED", 50)
    tiled = kind(gamma=1.0).fit(X, PART)
    np.testing.assert_allclose(tiled.label_distributions_, stored.label_distributions_, atol=1e-12)


@pytest.mark.parametrize("kind", GRAPHS)
def test_frames_sparse_names_and_files(kind, tmp_path):
    names = np.array(["ant", "bee", "cat"])[Y].astype(object)
    names[PART < 0] = -1
    want = kind(gamma=1.0).fit(X, names)
    labels = want.predict(NEW)
    assert set(labels) <= {"ant", "bee", "cat"}
    np.testing.assert_array_equal(load(want.save(tmp_path / "model")).predict(NEW), labels)
    thin = kind(gamma=1.0).fit(sparse.csr_array(X), names)
    np.testing.assert_array_equal(thin.predict(NEW), labels)
    np.testing.assert_array_equal(want.predict(sparse.csr_array(NEW)), labels)
    frame = kind(gamma=1.0).fit(pd.DataFrame(X, columns=["a", "b"]), pd.Series(names))
    assert frame.feature_names_in_.tolist() == ["a", "b"]


def test_rows_far_away_follow_the_nearest():
    model = LabelPropagation(gamma=20.0).fit([[0.0], [1.0], [5.0]], [0, 0, 1])
    chances = model.predict_proba([[-1000.0], [1000.0], [3.0]])
    np.testing.assert_allclose(chances, [[1, 0], [0, 1], [0.5, 0.5]], atol=1e-12)
    alone = LabelSpreading(lambda a, b: np.eye(len(a), len(b))).fit([[0.0], [1.0]], [0, 1])
    np.testing.assert_allclose(alone.predict_proba([[0.0], [1.0]]), np.eye(2))


def test_what_is_told():
    with pytest.warns(ConvergenceWarning, match="max_iter=1 was reached"):
        assert LabelPropagation(gamma=1.0, max_iter=1).fit(X, PART).n_iter_ == 1
    with pytest.warns(StylobateWarning, match="no label has reached 1 of 3 rows"):
        LabelPropagation(kernel="knn", n_neighbors=1).fit([[0.0], [1.0], [9.0]], [0, 1, -1])
    with pytest.warns(StylobateWarning, match="no unlabeled"):
        SelfTrainingClassifier(GaussianNB()).fit(X, Y)
    with pytest.warns(StylobateWarning, match="k_best is larger"):
        model = SelfTrainingClassifier(GaussianNB(), criterion="k_best", k_best=999).fit(X, PART)
    assert model.termination_condition_ == "all_labeled"


@pytest.mark.parametrize("criterion", ["threshold", "k_best"])
def test_self_training_as_scikit_learn(criterion):
    options = {"criterion": criterion, "threshold": 0.8, "k_best": 7, "max_iter": 6}
    mine = SelfTrainingClassifier(GaussianNB(), **options).fit(X, PART)
    other = theirs.SelfTrainingClassifier(TheirGaussianNB(), **options).fit(X, PART)
    np.testing.assert_array_equal(mine.transduction_, other.transduction_)
    np.testing.assert_array_equal(mine.labeled_iter_, other.labeled_iter_)
    assert mine.n_iter_ == other.n_iter_
    assert mine.termination_condition_ == other.termination_condition_
    np.testing.assert_allclose(mine.predict_proba(NEW), other.predict_proba(NEW), atol=1e-9)


def test_self_training_around_any_classifier(tmp_path):
    names = np.array(["ant", "bee", "cat"])[Y].astype(object)
    names[PART < 0] = -1
    options = {"threshold": 0.95, "max_iter": 1}
    model = SelfTrainingClassifier(TheirLogistic(), **options).fit(X, names)
    other = theirs.SelfTrainingClassifier(TheirLogistic(), **options).fit(X, names)
    np.testing.assert_array_equal(model.transduction_, other.transduction_)
    np.testing.assert_array_equal(model.predict(NEW), other.predict(NEW))
    assert (model.transduction_[model.labeled_iter_ < 0] == -1).all()
    ours = SelfTrainingClassifier(GaussianNB(), **options).fit(X, names)
    again = load(ours.save(tmp_path / "names"))
    assert again.transduction_.tolist() == ours.transduction_.tolist()
    weights = RNG.uniform(0.5, 2.0, 120)
    mine = SelfTrainingClassifier(LogisticRegression(), max_iter=0)
    known = PART >= 0
    alone = LogisticRegression().fit(X[known], PART[known], weights[known])
    np.testing.assert_allclose(
        mine.fit(X, PART, sample_weight=weights).predict_proba(NEW), alone.predict_proba(NEW)
    )
    again = load(mine.save(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict(NEW), mine.predict(NEW))


def test_refusals():
    for model in (*(kind() for kind in GRAPHS), SelfTrainingClassifier(GaussianNB())):
        with pytest.raises(InvalidDataError, match="no row has a label, all 120 are -1"):
            model.fit(X, np.full(120, -1))
        with pytest.raises(InvalidDataError, match="dtype object, with the number -1"):
            model.fit(X, PART.astype(str))
    with pytest.raises(InvalidDataError, match="n_neighbors=7 asks for more rows"):
        LabelSpreading("knn").fit(X[:5], [0, 1, 0, 1, -1])
    with pytest.raises(InvalidDataError, match=r"shape \(120, 120\)"):
        LabelSpreading(lambda a, b: np.ones((2, 2))).fit(X, PART)
    with pytest.raises(InvalidDataError, match="negative or not finite"):
        LabelSpreading(lambda a, b: -RBF(1.0)(a, b)).fit(X, PART)
    with pytest.raises(InvalidParameterError, match="alpha"):
        LabelSpreading(alpha=1.0).fit(X, PART)
    with pytest.raises(AttributeError, match="predict_proba"):
        SelfTrainingClassifier(SVC()).fit(X, PART)
