"""Looking at a table before modelling it."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.explore.association import Associations, associations
    from stylobate.explore.joint import JointTable, joint_table
    from stylobate.explore.target import TargetAnalysis, target_analysis

__all__ = [
    "Associations",
    "JointTable",
    "TargetAnalysis",
    "associations",
    "joint_table",
    "target_analysis",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Associations": "association",
        "JointTable": "joint",
        "TargetAnalysis": "target",
        "associations": "association",
        "joint_table": "joint",
        "target_analysis": "target",
    },
)
