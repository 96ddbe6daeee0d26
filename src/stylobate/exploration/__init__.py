"""Exploring tables: a profile of columns, gaps, repetitions and associations."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.exploration.association import Associations, associations
    from stylobate.exploration.dimensions import DimensionalityReport, dimensionality
    from stylobate.exploration.exploration import explore
    from stylobate.exploration.joint import JointTable, joint_table
    from stylobate.exploration.profile import Profile
    from stylobate.exploration.target import TargetAnalysis, target_analysis
    from stylobate.exploration.variables import Variable

__all__ = [
    "Associations",
    "DimensionalityReport",
    "JointTable",
    "Profile",
    "TargetAnalysis",
    "Variable",
    "associations",
    "dimensionality",
    "explore",
    "joint_table",
    "target_analysis",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Associations": "association",
        "DimensionalityReport": "dimensions",
        "JointTable": "joint",
        "Profile": "profile",
        "TargetAnalysis": "target",
        "Variable": "variables",
        "associations": "association",
        "dimensionality": "dimensions",
        "explore": "exploration",
        "joint_table": "joint",
        "target_analysis": "target",
    },
)
