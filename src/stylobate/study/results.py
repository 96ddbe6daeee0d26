"""Everything a study finds, as plain values: what the report, the JSON and the view are made of.

Scores are as people read them: `Metric.greater_is_better` says which way is better, and an error
is a positive number. What is unknown is None; NaN and infinities do not occur.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Task = Literal["binary", "multiclass", "regression"]
Status = Literal["complete", "partial"]
Verdict = Literal[
    "best", "within noise", "likely worse", "unstable", "worse", "failed", "not tested"
]


@dataclass(frozen=True, slots=True)
class Metric:
    """What models are judged by.

    Attributes
    ----------
    name : str
        The scorer's name, such as "accuracy" or "neg_root_mean_squared_error".
    label : str
        For people: "accuracy", "root mean squared error".
    greater_is_better : bool
        Whether more is better, of the numbers as they are shown.
    reason : str
        Why this one.
    """

    name: str
    label: str
    greater_is_better: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Costs:
    """What mistakes cost: a false alarm, a miss; and the probability from which to act."""

    false_positive: float
    false_negative: float
    threshold: float


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of which data.

    Attributes
    ----------
    source, target : str
    task : {"binary", "multiclass", "regression"}
    reason : str
        Why it is that task, in words.
    classes : tuple of str
        The labels as text, in order; empty for numbers.
    positive : str or None
        Of two classes, the one that is looked for.
    metric : Metric
    costs : Costs or None
    group, time_column : str or None
        The columns that rows are split by.
    """

    source: str
    target: str
    task: Task
    reason: str
    classes: tuple[str, ...]
    positive: str | None
    metric: Metric
    costs: Costs | None = None
    group: str | None = None
    time_column: str | None = None


@dataclass(frozen=True, slots=True)
class ColumnNote:
    """One column: its kind, gaps, and what became of it ("feature", "target", "left out", …)."""

    name: str
    kind: str
    missing: int
    distinct: int
    use: str
    reason: str


@dataclass(frozen=True, slots=True)
class FeatureStrength:
    """How much one column alone says about the target, from 0 to 1, with the measure's words."""

    name: str
    explains: float
    measure: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class TargetSummary:
    """The target: counts of classes (label, rows, share), or quantiles of numbers."""

    missing: int
    classes: tuple[tuple[str, int, float], ...] = ()
    mean: float | None = None
    deviation: float | None = None
    quantiles: tuple[float, ...] = ()  # minimum, quartiles, maximum
    words: str = ""


@dataclass(frozen=True, slots=True)
class DataSummary:
    """The table: its size, its columns, and what each column alone says about the target."""

    rows: int
    columns: tuple[ColumnNote, ...]
    target: TargetSummary
    strengths: tuple[FeatureStrength, ...]
    duplicate_rows: int
    notes: tuple[str, ...] = ()  # of reading and exploring


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """Which rows train, which validate, which are locked away.

    `how` and `why` are sentences; `kind` is "stratified", "shuffled", "grouped" or "in time".
    """

    kind: str
    training_rows: int
    holdout_rows: int
    folds: int
    seed: int
    how: str
    why: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One family with one setting on all folds.

    Attributes
    ----------
    key : str
        Unique in the study, such as "ridge(alpha=1)".
    family : str
    params : dict
        The setting.
    scores : tuple of float
        One per fold, as shown; shorter than the folds if the study was stopped.
    mean, standard_error : float or None
        Of the scores; None while incomplete. The standard error is s/√K.
    seconds : float
        All fits and scores.
    status : {"done", "failed", "too slow", "stopped"}
    note : str
        Why it failed or was given up, and what the fits warned of.
    """

    key: str
    family: str
    params: dict[str, Any]
    scores: tuple[float, ...]
    mean: float | None
    standard_error: float | None
    seconds: float
    status: Literal["done", "failed", "too slow", "stopped"]
    note: str = ""


@dataclass(frozen=True, slots=True)
class FamilyTried:
    """A family of models and its settings; `best` is the key of its best one.

    `estimator` is the class with its module; `encoding` how the table was given to it;
    `status` "done", "cut short", "failed" or "left out", and `note` says why.
    """

    name: str
    title: str
    estimator: str
    simplicity: int
    encoding: str
    candidates: tuple[Candidate, ...]
    best: str | None
    status: Literal["done", "cut short", "failed", "left out"]
    note: str = ""


@dataclass(frozen=True, slots=True)
class LeaderRow:
    """A family's best setting on the leaderboard.

    Attributes
    ----------
    rank : int
        From 1; by mean score.
    key, family, title : str
    params : dict
    mean, low, high : float
        Score with its interval, corrected for overlapping training parts (Nadeau & Bengio).
    difference, difference_low, difference_high : float or None
        To the best one, as shown scores differ, with an interval adjusted as the p-value is; None
        for the best itself.
    p_value : float or None
        Paired test against the best, adjusted for the number of tests (Holm).
    verdict : {"best", "within noise", "likely worse", "unstable", "worse", "failed", "not tested"}
        "likely worse": tested by itself it would be, adjusted for the number of tests it is not.
    scores : tuple of float
        Of the folds.
    seconds : float
        All fits of this setting.
    simplicity : int
    is_baseline, is_chosen : bool
    """

    rank: int
    key: str
    family: str
    title: str
    params: dict[str, Any]
    mean: float
    low: float | None
    high: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    p_value: float | None
    verdict: Verdict
    scores: tuple[float, ...]
    seconds: float
    simplicity: int
    is_baseline: bool = False
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen setting and why; `within_noise` are the keys one standard error from the best."""

    key: str
    family: str
    title: str
    params: dict[str, Any]
    best_key: str
    threshold: float  # mean score from which a model counts as good as the best
    within_noise: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CurvePoints:
    """Mean scores against the number of training rows; `words` says what more rows would bring."""

    sizes: tuple[int, ...]
    train: tuple[float, ...]
    train_deviation: tuple[float, ...]
    test: tuple[float, ...]
    test_deviation: tuple[float, ...]
    words: str


@dataclass(frozen=True, slots=True)
class StudyWarning:
    """Something to mind: `topic` "leakage", "separability", "baseline", "time", "data", …"""

    topic: str
    text: str
    column: str | None = None
    severe: bool = False


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """A score on the hold-out with its 95 % interval."""

    name: str
    label: str
    value: float
    low: float | None
    high: float | None
    greater_is_better: bool = True


@dataclass(frozen=True, slots=True)
class HoldoutAnswer:
    """What the locked rows said, asked once.

    Attributes
    ----------
    rows : int
    scores : tuple of ScoreAnswer
        The study's metric first.
    baseline : tuple of ScoreAnswer
        Of the baseline on the same rows, the study's metric only.
    words : str
        How it compares with cross-validation and the baseline.
    confusion : tuple of tuple of int
        Rows of true classes, columns of predicted ones, in the order of `Question.classes`.
    roc : tuple of (false positive rate, true positive rate)
        Of two classes.
    calibration : tuple of (predicted, observed, rows)
        Of two classes with probabilities, in bins.
    points : tuple of (actual, predicted)
        Of numbers, at most 1000 rows.
    questions : int
        How often the hold-out has been asked so far.
    mechanism : str
        How it answered.
    """

    rows: int
    scores: tuple[ScoreAnswer, ...]
    baseline: tuple[ScoreAnswer, ...]
    words: str
    confusion: tuple[tuple[int, ...], ...] = ()
    roc: tuple[tuple[float, float], ...] = ()
    calibration: tuple[tuple[float, float, int], ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    questions: int = 1
    mechanism: str = "plain"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of the final model; interval and test where they are valid."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    of_class: str | None = None  # which class it speaks for, of several


@dataclass(frozen=True, slots=True)
class Importance:
    """How much worse the score gets when a column is shuffled, with its interval."""

    name: str
    mean: float
    low: float | None = None
    high: float | None = None


MOST_CATEGORIES = 16  # of a column whose dependence a page shows


@dataclass(frozen=True, slots=True)
class DependencePoints:
    """The mean prediction against one column, the others as they are.

    `grid` holds numbers, or category names as text, many of them the commonest first; `low`
    and `high` bound the middle half of the rows' own curves.
    """

    feature: str
    kind: Literal["numbers", "categories"]
    grid: tuple[Any, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    of_class: str | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A row the model got badly wrong on the hold-out; `row` counts from 0 below the header."""

    row: int
    actual: Any
    predicted: Any
    probability: float | None  # given to what was true
    error: float | None  # predicted − actual
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The chosen model in words and numbers."""

    words: str
    formula: str | None
    coefficients: tuple[Coefficient, ...] = ()
    coefficient_note: str = ""
    importances: tuple[Importance, ...] = ()
    importance_note: str = ""
    dependence: tuple[DependencePoints, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True)
class FinalModel:
    """The model refitted to all rows, the hold-out included.

    `certificate` and `solver` are what the fit says of itself; `diagnostics` its summary as text,
    `warnings` what it warned of; `file` where it is, next to the report.
    """

    rows: int
    seconds: float
    repr: str
    file: str | None
    certificate: dict[str, Any] | None
    certificate_words: str | None
    solver: str | None
    diagnostics: str | None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What it takes to get the same numbers again."""

    command: str
    seed: int
    threads: int
    fingerprint: str
    versions: dict[str, str]
    platform: str
    started: str  # ISO 8601, UTC


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one stage, and how many fits it made."""

    stage: str
    seconds: float
    fits: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG in the folder's ``pictures/``: its file name and what it shows."""

    file: str
    caption: str


@dataclass(frozen=True, slots=True)
class StudyResult:
    """All of a study.

    A partial study (stopped, or short of time) has every field up to where it came; what follows is
    None or empty, and `reason` says why.
    """

    status: Status
    reason: str
    question: Question
    data: DataSummary
    split: SplitPlan
    families: tuple[FamilyTried, ...] = ()
    leaderboard: tuple[LeaderRow, ...] = ()
    baseline: LeaderRow | None = None
    choice: Choice | None = None
    learning_curve: CurvePoints | None = None
    warnings: tuple[StudyWarning, ...] = ()
    holdout: HoldoutAnswer | None = None
    explanation: Explanation | None = None
    model: FinalModel | None = None
    reproduction: Reproduction | None = None
    timings: tuple[Timing, ...] = ()
    pictures: tuple[Picture, ...] = ()

    @property
    def leader(self) -> LeaderRow | None:
        """The best row of the leaderboard."""
        return self.leaderboard[0] if self.leaderboard else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON (strictly: no NaN, no infinities)."""
        from stylobate.study.plain import plain

        found: dict[str, Any] = plain(self)
        return found
