"""Everything a study finds, as plain values: what the report, the JSON and the view are made of.

Scores are as people read them: `Metric.greater_is_better` says which way is better, and an error
is a positive number. What is unknown is None; NaN and infinities do not occur.
"""

from __future__ import annotations

from stylobate.study.results.conformity import Conformity
from stylobate.study.results.explanation import (
    MOST_CATEGORIES,
    Coefficient,
    DependencePoints,
    Explanation,
    Importance,
    Mistake,
)
from stylobate.study.results.holdout import HoldoutAnswer, ScoreAnswer
from stylobate.study.results.leaders import (
    Candidate,
    Choice,
    CurvePoints,
    FamilyTried,
    LeaderRow,
    Verdict,
)
from stylobate.study.results.outcome import (
    FinalModel,
    Picture,
    Reproduction,
    Status,
    StudyResult,
    StudyWarning,
    Timing,
)
from stylobate.study.results.question import Costs, Metric, Question, Task
from stylobate.study.results.relations import RelatedTable, Relations, TableWorth
from stylobate.study.results.table import (
    ColumnNote,
    DataSummary,
    FeatureStrength,
    RandomSplit,
    Reading,
    SplitPlan,
    TargetSummary,
)
from stylobate.study.results.verdict import Answer, PairedDifference, StudyVerdict

__all__ = [
    "MOST_CATEGORIES",
    "Answer",
    "Candidate",
    "Choice",
    "Coefficient",
    "ColumnNote",
    "Conformity",
    "Costs",
    "CurvePoints",
    "DataSummary",
    "DependencePoints",
    "Explanation",
    "FamilyTried",
    "FeatureStrength",
    "FinalModel",
    "HoldoutAnswer",
    "Importance",
    "LeaderRow",
    "Metric",
    "Mistake",
    "PairedDifference",
    "Picture",
    "Question",
    "RandomSplit",
    "Reading",
    "RelatedTable",
    "Relations",
    "Reproduction",
    "ScoreAnswer",
    "SplitPlan",
    "Status",
    "StudyResult",
    "StudyVerdict",
    "StudyWarning",
    "TableWorth",
    "TargetSummary",
    "Task",
    "Timing",
    "Verdict",
]
