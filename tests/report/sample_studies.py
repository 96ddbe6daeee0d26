"""Results of studies made by hand, with a text of choice in every place it can come from."""

from __future__ import annotations

from typing import Any

from stylobate.study.results import (
    Candidate,
    Choice,
    Coefficient,
    ColumnNote,
    CurvePoints,
    DataSummary,
    DependencePoints,
    Explanation,
    FamilyTried,
    FeatureStrength,
    FinalModel,
    HoldoutAnswer,
    Importance,
    LeaderRow,
    Metric,
    Mistake,
    Question,
    Reproduction,
    ScoreAnswer,
    SplitPlan,
    StudyResult,
    StudyVerdict,
    StudyWarning,
    TargetSummary,
    Timing,
)

ACCURACY = Metric("accuracy", "accuracy", True, "Both mistakes count alike.")
RMSE = Metric("neg_root_mean_squared_error", "root mean squared error", False, "In units of y.")


def _columns(text: str) -> tuple[ColumnNote, ...]:
    return (
        ColumnNote(f"sex {text}", "binary", 0, 2, "feature", f"two values {text}"),
        ColumnNote("pclass", "ordinal", 0, 3, "feature", "whole numbers from 1 to 3"),
        ColumnNote("age", "numeric", 177, 88, "feature", "numbers"),
        ColumnNote("fare", "numeric", 0, 248, "feature", "numbers"),
        ColumnNote("embarked", "nominal", 2, 3, "feature", "few values that repeat"),
        ColumnNote("name", "identifier", 0, 891, "left out", "nearly every value is different"),
        ColumnNote("cabin", "text", 687, 147, "left out", "sentences"),
        ColumnNote(f"survived {text}", "binary", 0, 2, "target", "asked for"),
    )


def _row(rank: int, family: str, mean: float, spread: float, **more: Any) -> LeaderRow:
    scores = tuple(mean + spread * each for each in (-1.2, 0.8, 0.1, -0.5, 0.8))
    options = {
        "difference": None,
        "difference_low": None,
        "difference_high": None,
        "p_value": None,
        "verdict": "worse",
        "params": {},
        "title": family,
        "seconds": 0.4 * rank,
        "simplicity": rank,
    }
    options.update(more)
    return LeaderRow(
        rank=rank,
        key=f"{family}()",
        family=family,
        mean=mean,
        low=mean - 2 * spread,
        high=mean + 2 * spread,
        scores=scores,
        **options,
    )


def _leaderboard(text: str) -> tuple[LeaderRow, ...]:
    return (
        _row(
            1,
            "boosting",
            0.829,
            0.011,
            verdict="best",
            title="gradient boosting",
            params={"learning_rate": 0.1, "max_leaf_nodes": 15},
        ),
        _row(
            2,
            "forest",
            0.823,
            0.012,
            verdict="within noise",
            title="random forest",
            difference=-0.006,
            difference_low=-0.02,
            difference_high=0.008,
            p_value=0.61,
            params={"n_estimators": 200},
        ),
        _row(
            3,
            "logistic",
            0.821,
            0.009,
            verdict="within noise",
            title=f"logistic regression {text}",
            difference=-0.008,
            difference_low=-0.024,
            difference_high=0.009,
            p_value=0.52,
            params={"C": 1.0, "note": text},
            is_chosen=True,
        ),
        _row(
            4,
            "naive bayes",
            0.785,
            0.014,
            title="naive Bayes",
            difference=-0.044,
            difference_low=-0.07,
            difference_high=-0.02,
            p_value=0.004,
        ),
        _row(
            5,
            "nearest",
            0.778,
            0.02,
            title="nearest neighbours",
            difference=-0.051,
            difference_low=-0.09,
            difference_high=-0.01,
            p_value=0.021,
            params={"n_neighbors": 15},
        ),
        _row(
            6,
            "baseline",
            0.616,
            0.002,
            title="most frequent class",
            difference=-0.213,
            difference_low=-0.24,
            difference_high=-0.19,
            p_value=0.00001,
            is_baseline=True,
        ),
    )


def _families(text: str) -> tuple[FamilyTried, ...]:
    made = []
    for row in _leaderboard(text):
        candidates = tuple(
            Candidate(
                f"{row.key}{k}",
                row.family,
                {"C": 10.0**-k, "penalty": text},
                row.scores,
                row.mean - 0.01 * k,
                0.008,
                0.3,
                "done",
                text if k else "",
            )
            for k in range(4)
        )
        made.append(
            FamilyTried(
                row.family,
                row.title,
                f"stylobate.{row.family}",
                row.simplicity,
                "one-hot, scaled",
                candidates,
                candidates[0].key,
                "done",
            )
        )
    made.append(
        FamilyTried(
            "kernel",
            "kernel machines",
            "stylobate.svm",
            9,
            "one-hot",
            (),
            None,
            "left out",
            f"for at most 500 rows {text}",
        )
    )
    return tuple(made)


def _explanation(text: str) -> Explanation:
    names = [f"sex {text}", "pclass", "age", "fare", "embarked"]
    worth = [0.19, 0.062, 0.031, 0.006, 0.002]
    grid = tuple(float(age) for age in range(0, 81, 8))
    curve = tuple(0.62 - 0.0045 * age for age in grid)
    held = {f"sex {text}": text, "pclass": 3, "age": None, "fare": 7.25, "embarked": "S"}
    return Explanation(
        words=f"It adds up evidence: being female speaks most for survival. {text}",
        formula=f"log-odds = 1.42 + 2.61·[sex_female] − 1.12·pclass − 0.041·age\n  {text}",
        coefficients=tuple(
            Coefficient(f"{name}_{text}", value, value - 0.4, value + 0.4, 0.001 * k)
            for k, (name, value) in enumerate(
                [
                    ("sex_female", 2.61),
                    ("pclass", -1.12),
                    ("age", -0.41),
                    ("fare", 0.12),
                    ("embarked_C", 0.33),
                    ("embarked_Q", 0.1),
                    ("embarked_S", -0.31),
                ]
            )
        ),
        coefficient_note="On the scale of log-odds; numbers are scaled.",
        importances=tuple(
            Importance(name, mean, mean - 0.02, mean + 0.02)
            for name, mean in zip(names, worth, strict=True)
        ),
        importance_note="Columns were shuffled in the hold-out, five times each.",
        dependence=(
            DependencePoints(
                "age",
                "numbers",
                grid,
                curve,
                tuple(v - 0.2 for v in curve),
                tuple(v + 0.2 for v in curve),
                f"yes {text}",
            ),
            DependencePoints(
                f"sex {text}",
                "categories",
                ("female", f"male {text}"),
                (0.74, 0.19),
                (0.6, 0.08),
                (0.9, 0.3),
                f"yes {text}",
            ),
            DependencePoints("pclass", "categories", ("1", "2", "3"), (0.6, 0.45, 0.26)),
            DependencePoints(
                "day",
                "categories",
                tuple(f"2021-03-{k:02d} 00:00:00.000000" for k in range(1, 21)),
                tuple(-123456.5 - k for k in range(20)),
                tuple(-133456.5 - k for k in range(20)),
                tuple(-113456.5 - k for k in range(20)),
            ),
        ),
        mistakes=tuple(
            Mistake(17 * k + 4, f"yes {text}", "no", 0.02 + 0.01 * k, None, held) for k in range(6)
        ),
    )


def _holdout(text: str) -> HoldoutAnswer:
    roc = tuple((x / 20, min(1.0, (x / 20) ** 0.35)) for x in range(21))
    return HoldoutAnswer(
        rows=179,
        scores=(
            ScoreAnswer("accuracy", "accuracy", 0.816, 0.753, 0.866),
            ScoreAnswer("roc_auc", "ROC AUC", 0.871, 0.815, 0.926),
            ScoreAnswer("neg_log_loss", "log loss", 0.431, 0.36, 0.502, False),
            ScoreAnswer("f1", "F1", 0.751, 0.66, 0.82),
        ),
        baseline=(ScoreAnswer("accuracy", "accuracy", 0.615, 0.542, 0.683),),
        words=f"The score on the locked rows is what cross-validation promised. {text}",
        confusion=((96, 14), (19, 50)),
        roc=roc,
        calibration=tuple((0.05 + 0.1 * k, min(1.0, 0.03 + 0.11 * k), 18) for k in range(10)),
        questions=1,
        mechanism="ladder",
    )


def study_with(text: str = "", **changes: Any) -> StudyResult:
    """A finished study of two classes; `text` is put wherever the data's own text goes."""
    question = Question(
        source=f"titanic {text}".strip(),
        target=f"survived {text}".strip(),
        task="binary",
        reason=f"It has two values. {text}",
        classes=("no", f"yes {text}".strip()),
        positive=f"yes {text}".strip(),
        metric=ACCURACY,
    )
    parts: dict[str, Any] = {
        "status": "complete",
        "reason": "",
        "question": question,
        "data": DataSummary(
            891,
            _columns(text),
            TargetSummary(0, (("no", 549, 0.616), (f"yes {text}", 342, 0.384)), words="Uneven."),
            tuple(
                FeatureStrength(n, v, "Theil’s U", v, v - 0.03, v + 0.03)
                for n, v in (
                    (f"sex {text}", 0.22),
                    ("pclass", 0.09),
                    ("fare", 0.07),
                    ("age", 0.012),
                )
            ),
            3,
            (f"The separator is a comma. {text}",),
            ({"survived": f"yes {text}", "pclass": 3, "fare": 7.25, "age": None},),
        ),
        "split": SplitPlan(
            "stratified", 712, 179, 5, 0, "Five stratified folds.", "Classes are uneven."
        ),
        "families": _families(text),
        "leaderboard": _leaderboard(text),
        "baseline": _leaderboard(text)[-1],
        "choice": Choice(
            "logistic()",
            "logistic",
            "logistic regression",
            {"C": 1.0},
            "boosting()",
            ("boosting()", "forest()", "logistic()"),
            f"The simplest model within one standard error of the best. {text}",
        ),
        "learning_curve": CurvePoints(
            (70, 150, 300, 450, 569),
            (0.86, 0.84, 0.83, 0.828, 0.826),
            (0.02,) * 5,
            (0.77, 0.795, 0.81, 0.817, 0.82),
            (0.03,) * 5,
            "Ten times the rows would bring about 0.01.",
        ),
        "warnings": (
            StudyWarning("leakage", f"'boat' nearly is the target. {text}", "boat", True),
            StudyWarning("data", f"Age is missing in 20% of the rows. {text}", "age"),
        ),
        "holdout": _holdout(text),
        "verdict": StudyVerdict("yes", 1e-9, f"Logistic regression is better. {text}"),
        "explanation": _explanation(text),
        "model": FinalModel(
            891,
            0.03,
            f"Pipeline(steps=[('encode', TableEncoder()),\n{text})])",
            "model.stylobate",
            {"verdict": "optimal", "gap": 3.1e-12, "proved": True, "t": text},
            "Within 3 × 10⁻¹² of the best there is.",
            f"newton: few columns {text}",
            f"summary of the fit\n  line two {text}",
            (f"A warning of the fit. {text}",),
        ),
        "reproduction": Reproduction(
            f"stylobate study titanic --target survived {text}",
            0,
            2,
            "4f2a9c0e1b",
            {"stylobate": "0.1.0", "numpy": "2.3.1", "odd": text},
            f"Linux x86-64 {text}",
            "2026-11-15T20:15:00+00:00",
        ),
        "timings": (Timing("read", 0.1), Timing("explore", 0.4), Timing("search", 12.3, 120)),
    }
    return StudyResult(**(parts | changes))


def numbers_study(text: str = "") -> StudyResult:
    """A finished study of a number."""
    points = tuple(
        (100 + 2.1 * k + 40 * ((k * 7919) % 13 - 6) / 6, 100.0 + 2 * k) for k in range(90)
    )
    whole = study_with(text)
    question = Question(
        f"galton {text}", f"height {text}", "regression", "It has many values.", (), None, RMSE
    )
    explanation = whole.explanation
    assert explanation is not None
    mistakes = tuple(
        Mistake(k, 180.0 + k, 120.5, None, -59.5 - k, {"father": 70.1, "note": text})
        for k in range(3)
    )
    holdout = HoldoutAnswer(
        90,
        (
            ScoreAnswer(RMSE.name, RMSE.label, 24.31, 21.5, 27.9, False),
            ScoreAnswer("r2", "R²", 0.79, 0.7, 0.86),
        ),
        (ScoreAnswer(RMSE.name, RMSE.label, 55.2, 50.1, 60.3, False),),
        "As promised.",
        points=points,
    )
    from dataclasses import replace

    return replace(
        whole,
        question=question,
        holdout=holdout,
        explanation=replace(explanation, mistakes=mistakes),
        data=replace(
            whole.data,
            target=TargetSummary(
                4, mean=66.8, deviation=3.6, quantiles=(56.0, 64.0, 66.5, 69.7, 79.0)
            ),
        ),
    )


def partial_study(text: str = "") -> StudyResult:
    """A study that was stopped in its search."""
    return study_with(
        text,
        status="partial",
        reason=f"It was stopped by Ctrl-C after 40 of 120 fits {text}",
        leaderboard=(),
        baseline=None,
        choice=None,
        learning_curve=None,
        holdout=None,
        explanation=None,
        model=None,
    )
