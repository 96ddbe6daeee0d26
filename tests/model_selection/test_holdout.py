"""The metered hold-out: laws of its mechanisms, its count, and its file."""

from __future__ import annotations

import json
import multiprocessing

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression as TheirLogistic

from stylobate.exceptions import BudgetSpentError, InvalidDataError, InvalidParameterError
from stylobate.linear_model import LinearRegression, LogisticRegression
from stylobate.metrics import make_scorer, mean_squared_error
from stylobate.model_selection import Holdout, holdout_attack
from stylobate.model_selection.holdout.mechanisms import AS_TRAINING, NEW_BEST, Ladder, Scored, Told

RNG = np.random.default_rng(7)
X = RNG.normal(size=(200, 3))
Y = (X @ [1.0, -1.0, 0.5] + RNG.normal(size=200) > 0).astype(int)


def guess(seed: int, n: int = 200) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2, n)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.sampled_from([None, 0.01, 0.1, 0.4]))
def test_ladder_answers_are_monotone_multiples_of_the_step(scores, step):
    ladder, told, grain = Ladder(step), Told(), 1e-3
    answers = []
    for score in scores:
        answer, kind = ladder.answer(Scored(score, None, lambda _: 0.02, lambda: grain), told)
        if kind == NEW_BEST:
            told = Told(told.asked + 1, answer)
            assert abs(answer - score) <= (step or grain) / 2 + 1e-12
        answers.append(answer)
    assert (np.diff(answers) >= 0).all()
    assert (
        max(scores) - answers[-1] <= 1.5 * max(step or 0.02, grain) + 1e-9
    )  # the best is not missed by more
    assert np.allclose(np.round(np.array(answers) / (step or grain)) * (step or grain), answers)


def test_ladder_without_parameters_is_that_of_blum_and_hardt():
    holdout = Holdout(X, Y, budget=60)
    best, best_losses = np.inf, None
    for seed in range(60):
        prediction = np.where(
            np.random.default_rng(seed).uniform(size=200) < 0.3 + seed / 120, Y, guess(seed)
        )
        losses = (prediction != Y).astype(float)  # their pseudocode, in losses
        spread = 0.0 if best_losses is None else (losses - best_losses).std(ddof=1)
        if losses.mean() < best - spread / np.sqrt(200):
            best, best_losses = np.round(losses.mean() * 200) / 200, losses
        assert holdout.ask(prediction) == pytest.approx(1 - best)
    assert 2 < sum(question.kind == NEW_BEST for question in holdout.log) < 30


@pytest.mark.parametrize("k", [200, 800])
def test_attack_gains_as_the_root_of_k_over_n(k):
    gains = [
        holdout_attack(1000, k, mechanisms=["plain"], random_state=s).public["plain"][-1]
        for s in range(3)
    ]
    assert np.mean(gains) - 0.5 == pytest.approx(0.225 * np.sqrt(k / 1000), rel=0.2)


def test_attack_gains_nothing_visible_against_the_ladder():
    attack = holdout_attack(
        1000, 500, mechanisms=["plain", "ladder", "thresholdout"], random_state=3
    )
    assert attack.public["plain"][-1] > 0.63
    assert attack.public["ladder"][-1] < 0.56  # 4 standard errors of 1000 coins
    assert np.median(attack.public["thresholdout"]) == 0.5
    for final in attack.final.values():
        assert abs(final[-1] - 0.5) < 0.06
    assert "told" in str(attack)


def test_ladder_withstands_an_attacker_who_knows_it():
    """Votes only of guesses that were told to be new bests."""
    n = 1000
    truth, draw = guess(1, n), np.random.default_rng(5)
    holdout, votes = Holdout(np.zeros((n, 1)), truth, budget=501), np.zeros(n)
    for _ in range(500):
        each = draw.integers(0, 2, n)
        holdout.ask(each)
        if holdout.log[-1].kind == NEW_BEST and holdout.asked > 1:
            votes += 2 * each - 1
    assert holdout.ask((votes > 0).astype(int)) < 0.57


def test_thresholdout_tells_the_training_score_where_nothing_overfits():
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(2000, 2))
    labels = (rows[:, 0] + draw.normal(size=2000) > 0).astype(int)
    train, test = (rows[:1000], labels[:1000]), (rows[1000:], labels[1000:])
    holdout = Holdout(
        *test,
        mechanism="thresholdout",
        train=train,
        budget=30,
        random_state=0,
        threshold=0.1,
        noise=0.002,
    )
    models = [LogisticRegression(C=c).fit(*train) for c in np.geomspace(1e-3, 10, 30)]
    for model in models:
        assert holdout.ask(model) == pytest.approx(model.score(*test), abs=0.06)
    assert {question.kind for question in holdout.log} == {AS_TRAINING}
    assert holdout.overfit_left == holdout.overfit_budget


def test_thresholdout_reveals_overfit_and_spends_its_second_budget():
    holdout = Holdout(X, Y, mechanism="thresholdout", budget=50, overfit_budget=3, random_state=0)
    for _ in range(3):
        assert abs(holdout.ask(guess(1), train_score=1.0) - (guess(1) == Y).mean()) < 0.1
    with pytest.raises(BudgetSpentError, match="3 answers that may differ"):
        holdout.ask(guess(1), train_score=0.9)
    with pytest.raises(InvalidParameterError, match="train_score"):
        Holdout(X, Y, mechanism="thresholdout").ask(guess(1))
    with pytest.raises(InvalidParameterError, match="units of the mean squared error"):
        Holdout(X, Y, mechanism="thresholdout", scoring="neg_mean_squared_error")


def test_budget_is_counted_and_refused_in_a_sentence():
    holdout = Holdout(X, Y, budget=2)
    holdout.ask(guess(0), "one")
    holdout.ask(guess(1))
    assert [(q.number, q.name) for q in holdout.log] == [(1, "one"), (2, "predictions")]
    assert holdout.left == 0
    with pytest.raises(BudgetSpentError, match="all 2 questions are asked"):
        holdout.ask(guess(2))
    assert holdout.asked == 2
    assert holdout.final(guess(3), "chosen").estimate == (guess(3) == Y).mean()
    with pytest.raises(BudgetSpentError, match="final score was given to 'chosen'"):
        holdout.final(guess(3))
    assert "2 of 2 questions asked, closed" in str(holdout)


@pytest.mark.parametrize("estimator", [LogisticRegression(), TheirLogistic()])
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "neg_log_loss", "f1", None])
@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame])
def test_estimators_of_both_libraries(estimator, scoring, frame):
    rows = frame(X)
    model = estimator.fit(rows, Y)
    holdout = Holdout(rows, Y, scoring=scoring, mechanism="plain")
    from sklearn.metrics import get_scorer

    truth = get_scorer(scoring or "accuracy")(model, rows, Y)
    assert holdout.ask(model) == pytest.approx(truth)
    assert holdout.final(model).low < truth
    ladder = Holdout(rows, Y, scoring=scoring)
    ladder.ask(estimator.fit(rows[:20], Y[:20]))
    assert ladder.ask(model) >= ladder.log[0].answer
    assert ladder.log[0].answer == pytest.approx(
        get_scorer(scoring or "accuracy")(model, rows, Y), abs=0.3
    )


def test_numbers_and_own_scorers():
    y = X @ [1.0, 2.0, 3.0] + 0.1 * RNG.normal(size=200)
    good, bad = LinearRegression().fit(X, y), LinearRegression().fit(X[:, :], y + 5)
    holdout = Holdout(X, y)
    first, second = holdout.ask(bad), holdout.ask(good)
    assert second == pytest.approx(good.score(X, y), abs=1 / 200)
    assert first < second
    own = Holdout(X, y, scoring=lambda m, a, b: -np.abs(m.predict(a) - b).max(), step=0.01)
    assert own.ask(good) == pytest.approx(-np.abs(good.predict(X) - y).max(), abs=0.005)
    assert np.isnan(own.final(good).low)
    with pytest.raises(InvalidParameterError, match="pass step"):
        Holdout(X, y, scoring=lambda m, a, b: 0.0)
    made = Holdout(X, y, scoring=make_scorer(mean_squared_error, greater_is_better=False))
    assert made.ask(good) == pytest.approx(-((good.predict(X) - y) ** 2).mean(), rel=0.01)


def test_private_rows_are_asked_at_the_end_only():
    holdout = Holdout(X, Y, private=0.5, random_state=0, mechanism="plain")
    public, kept = holdout._public, holdout._kept
    assert sorted([*public, *kept]) == list(range(200))
    wrong_there = Y.copy()
    wrong_there[kept] = 1 - Y[kept]
    assert holdout.ask(wrong_there) == 1.0
    assert holdout.final(wrong_there).estimate == 0.0


def test_the_file_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "deep" / "log.jsonl"
    alone = Holdout(X, Y, budget=40)
    expected = [alone.ask(guess(s)) for s in range(40)]
    answers = []
    for seed in range(40):  # opened anew for every question
        answers.append(Holdout(X, Y, budget=40, path=path).ask(guess(seed)))
    assert answers == expected
    with pytest.raises(BudgetSpentError):
        Holdout(X, Y, budget=40, path=path).ask(guess(0))
    Holdout(X, Y, budget=40, path=path).final(guess(0))
    assert Holdout(X, Y, budget=40, path=path).closed


def test_noise_goes_on_as_it_would_have(tmp_path):
    options = {"mechanism": "thresholdout", "noise": 0.05, "random_state": 3, "budget": 9}
    alone = Holdout(X, Y, **options)
    expected = [alone.ask(guess(s), train_score=0.8) for s in range(9)]
    path = tmp_path / "log"
    found = [Holdout(X, Y, **options, path=path).ask(guess(s), train_score=0.8) for s in range(9)]
    assert found == expected


def test_two_who_ask_share_one_budget(tmp_path):
    one, other = (Holdout(X, Y, budget=3, path=tmp_path / "log") for _ in range(2))
    one.ask(guess(0))
    other.ask(guess(1))
    one.ask(guess(2))
    assert [q.number for q in one.log] == [1, 2, 3]
    with pytest.raises(BudgetSpentError):
        other.ask(guess(3))
    assert len(other.log) == 3


def _hammer(path):
    holdout = Holdout(X, Y, budget=60, path=path)
    count = 0
    try:
        for seed in range(60):
            holdout.ask(guess(seed))
            count += 1
    except BudgetSpentError:
        pass
    return count


def test_processes_at_once_never_exceed_the_budget(tmp_path):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert sum(pool.map(_hammer, [tmp_path / "log"] * 2)) == 60


def test_a_line_torn_by_a_crash_is_a_question_never_answered(tmp_path):
    path = tmp_path / "log"
    whole = Holdout(X, Y, budget=5, path=path)
    whole.ask(guess(0))
    kept = path.read_bytes()
    whole.ask(guess(1))
    text = path.read_bytes()
    for cut in (len(kept), len(kept) + 10, len(text) - 1):
        path.write_bytes(text[:cut])
        again = Holdout(X, Y, budget=5, path=path)
        assert again.asked == 1
        again.ask(guess(1))
        assert Holdout(X, Y, budget=5, path=path).asked == 2
    path.write_bytes(kept[:20])  # the very first line was torn
    assert Holdout(X, Y, budget=5, path=path).asked == 0


def test_tampering_is_refused(tmp_path):
    path = tmp_path / "log"
    holdout = Holdout(X, Y, budget=5, path=path)
    for seed in range(3):
        holdout.ask(guess(seed))
    other = X.copy()
    other[3, 1] += 1e-9
    with pytest.raises(InvalidDataError, match="other rows"):
        Holdout(other, Y, budget=5, path=path)
    with pytest.raises(InvalidDataError, match="other rows"):
        Holdout(X, 1 - Y, budget=5, path=path)
    with pytest.raises(InvalidParameterError, match="budget=5, and is opened with budget=50"):
        Holdout(X, Y, budget=50, overfit_budget=5, path=path)
    lines = path.read_text().splitlines()
    for damaged in (
        [lines[0], *lines[2:]],
        [lines[0].replace('"budget": 5', '"budget": 50'), *lines[1:]],
        [lines[0], json.dumps({**json.loads(lines[1]), "name": "x"}), *lines[2:]],
        [lines[0], "{}", *lines[1:]],
        [lines[0], "no json", *lines[1:]],
    ):
        path.write_text("\n".join(damaged) + "\n")
        with pytest.raises(InvalidDataError, match="line"):
            Holdout(X, Y, budget=5, path=path)
    path.write_text("a letter to my mother")
    with pytest.raises(InvalidDataError, match="no log of a hold-out"):
        Holdout(X, Y, budget=5, path=path)
    assert path.read_text() == "a letter to my mother"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 0}, r"budget must be an integer in \[1, inf\)"),
        ({"mechanism": "leader"}, "mechanism must be"),
        ({"step": 0.0}, "step must be"),
        ({"private": 1.0}, "private must be"),
        ({"private": 0.001}, "both need one at least"),
        ({"scoring": "acuracy"}, "acuracy"),
        ({"scoring": 3}, "scoring must be"),
        ({"path": 3}, "path must be"),
        ({"path": "/proc/nowhere/log"}, "cannot open"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        Holdout(X, Y, **options)


def test_bad_questions_are_refused_and_not_counted():
    holdout = Holdout(X, Y, budget=5)
    with pytest.raises(InvalidDataError, match="each of the 200 rows, got 3 predictions"):
        holdout.ask([0, 1, 0])
    with pytest.raises(InvalidDataError, match="got a int"):
        holdout.ask(3)
    with pytest.raises(InvalidDataError, match="X has 200 rows and y 3"):
        Holdout(X, [0, 1, 0])
    assert holdout.asked == 0
