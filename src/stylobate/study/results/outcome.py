"""All of a study: its answers, the final model, what it takes to get them again."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError, NotFittedError
from stylobate.study.results.conformity import Conformity
from stylobate.study.results.explanation import Explanation
from stylobate.study.results.holdout import HoldoutAnswer
from stylobate.study.results.leaders import Choice, CurvePoints, FamilyTried, LeaderRow
from stylobate.study.results.question import Question
from stylobate.study.results.relations import Relations
from stylobate.study.results.table import DataSummary, RandomSplit, Reading, SplitPlan
from stylobate.study.results.verdict import StudyVerdict

Status = Literal["complete", "partial"]


@dataclass(frozen=True, slots=True)
class StudyWarning:
    """Something to mind: `topic` "leakage", "separability", "baseline", "time", "data", …"""

    topic: str
    text: str
    column: str | None = None
    severe: bool = False


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


@dataclass(frozen=True, slots=True, repr=False)
class StudyResult:
    """All of a study: prints in a few lines, shows its page in a notebook, and predicts.

    A partial study (stopped, or short of time) has every field up to where it came; what follows is
    None or empty, and `reason` says why.

    Attributes
    ----------
    pipeline : Pipeline or None
        The chosen model fitted to all rows, from the table's columns to labels or numbers.

    Examples
    --------
    >>> from stylobate import Study
    >>> result = Study("penguins", "species", models=["lda"], time=10).run()
    >>> result.predict("penguins")[:2]
    array(['Adelie', 'Adelie'], dtype='<U9')
    >>> result.predict_proba({name: [None] for name in result.pipeline.feature_names_in_}).shape
    (1, 3)
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
    reading: Reading | None = None  # of a table larger than the memory allowed
    verdict: StudyVerdict | None = None
    random_split: RandomSplit | None = None  # where the study's own split is another
    relations: Relations | None = None  # of several tables
    pipeline: Any = field(default=None, compare=False)  # no part of `to_dict`

    @property
    def leader(self) -> LeaderRow | None:
        """The best row of the leaderboard."""
        return self.leaderboard[0] if self.leaderboard else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON (strictly: no NaN, no infinities)."""
        from stylobate.report.plain_values import plain

        return {
            each.name: plain(getattr(self, each.name))
            for each in fields(self)
            if each.name != "pipeline"
        }

    def predict(self, rows: Any) -> Any:
        """Labels or numbers for new rows.

        Parameters
        ----------
        rows : data frame, mapping of columns, Relation, or what `stylobate.read` takes
            With the columns of the study, under the same names; further ones are left out.
        """
        return self._model().predict(_columns(rows, self.pipeline))

    def predict_proba(self, rows: Any) -> Any:
        """Probabilities of the classes, as in `pipeline.classes_`, for new rows."""
        model = self._model()
        if not hasattr(model, "predict_proba"):
            raise InvalidParameterError(
                f"predict_proba: {self.choice.title if self.choice else 'the model'} gives no "
                "probabilities; use predict."
            )
        return model.predict_proba(_columns(rows, model))

    def predict_interval(self, rows: Any, *, level: float = 0.9) -> Any:
        """Predictions with an interval for each new row, calibrated on the locked rows.

        The errors of the chosen model on rows it had not seen give the width (split conformal
        prediction): for new rows like the locked ones the interval holds the truth with at least
        the probability ``level``. The model that predicts has learnt from the locked rows as well.

        Parameters
        ----------
        rows : data frame, mapping of columns, Relation, or what `stylobate.read` takes
            As of `predict`.
        level : float in (0, 1), default=0.9
            In steps of one percent; the next higher one is taken.

        Returns
        -------
        PredictionInterval
            With `mean`, `lower` and `upper`.
        """
        from stylobate.conformal.regressor import interval_of

        held = self._conformity("interval", "predict_interval", "numbers")
        margin = held.margin(level)
        mean = np.asarray(self.predict(rows), dtype=np.float64)
        return interval_of(mean, mean - margin, mean + margin, "hold-out", level, held.rows)

    def predict_sets(self, rows: Any, *, level: float = 0.9) -> Any:
        """Sets of labels for new rows, calibrated on the locked rows.

        A set holds all labels whose probability is large enough that on the locked rows the truth
        was among them; for new rows like these it holds the truth with at least the probability
        ``level``. A set may be empty: no label is likely enough.

        Parameters
        ----------
        rows, level
            As of `predict_interval`.

        Returns
        -------
        PredictionSets
            With `labels()`, `sizes` and `contains`.
        """
        from stylobate.conformal.prediction_sets import PredictionSets

        margin = self._conformity("set", "predict_sets", "classes").margin(level)
        chances = np.asarray(self.predict_proba(rows), dtype=np.float64)
        contains = 1.0 - chances <= margin + 1e-12
        return PredictionSets(contains, np.asarray(self._model().classes_), level)

    def _conformity(self, kind: str, owner: str, wanted: str) -> Conformity:
        held = None if self.holdout is None else self.holdout.conformity
        if held is None:
            raise NotFittedError(
                f"{owner}: the study has no locked rows whose errors were measured (or its model "
                "gives no probabilities)."
            )
        if held.kind != kind:
            raise InvalidParameterError(
                f"{owner} is for {wanted}; this study asks for {self.question.task}: use "
                f"{'predict_sets' if kind == 'interval' else 'predict_interval'}."
            )
        return held

    def to_html(self) -> str:
        """The study's page, which needs nothing but itself."""
        from stylobate.study.page import study_page

        return study_page(self)

    def _model(self) -> Any:
        if self.pipeline is None:
            raise NotFittedError(
                f"The study has no fitted model ({self.reason}); run it to its end first."
            )
        return self.pipeline

    def __repr__(self) -> str:
        from stylobate.study.output.summary_text import summary_text

        return summary_text(self)

    def _repr_html_(self) -> str:
        from stylobate.report import framed

        return framed(self.to_html(), f"Study of {self.question.target}")


def _columns(rows: Any, model: Any) -> Any:
    """New rows as the model takes them: its columns alone, read first where they are a source."""
    from collections.abc import Mapping
    from os import PathLike

    from stylobate.data.column_table import ColumnTable
    from stylobate.data.reading import Relation, read

    if isinstance(rows, str | PathLike):
        rows = read(rows)
    if isinstance(rows, Relation):
        rows = ColumnTable(rows.to_frame("numpy"))
    elif isinstance(rows, Mapping):
        rows = ColumnTable({name: _array(values) for name, values in rows.items()})
    names = [str(name) for name in model.feature_names_in_]
    held = [str(name) for name in getattr(rows, "columns", names)]
    missing = [name for name in names if name not in held]
    if missing:
        raise InvalidDataError(
            f"The rows lack the column{'s' * (len(missing) > 1)} "
            f"{', '.join(map(repr, missing[:5]))} that the model was fitted to."
        )
    names += [name for name in _taken_along(model) if name in held and name not in names]
    if isinstance(rows, ColumnTable):
        return rows.select(names)
    return rows[names] if hasattr(rows, "columns") else rows


def _taken_along(model: Any) -> tuple[str, ...]:
    """The target, of a model that goes by its past: what is known of it helps with later rows."""
    first = model.steps[0][1]
    return (first.plan.target,) if hasattr(first, "history_") else ()


def _array(values: Any) -> Any:
    import numpy as np

    found = np.asarray(values)
    return found if found.dtype.kind in "biufM" else np.array(list(values), dtype=object)
