"""How a target depends on the other columns: one by one, in pairs, and suspiciously."""

from __future__ import annotations

from stylobate.exploration.target.analysis import (
    TargetAnalysis,
    analyse_target,
    target_analysis,
    with_identifiers,
)
from stylobate.exploration.target.balance import ClassBalance, class_balance
from stylobate.exploration.target.effects import FeatureEffect
from stylobate.exploration.target.pairs import PairEffect
from stylobate.exploration.target.suspects import Suspect

__all__ = [
    "ClassBalance",
    "FeatureEffect",
    "PairEffect",
    "Suspect",
    "TargetAnalysis",
    "analyse_target",
    "class_balance",
    "target_analysis",
    "with_identifiers",
]
