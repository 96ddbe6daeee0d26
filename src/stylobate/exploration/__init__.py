"""Exploring tables: a profile of columns, gaps, repetitions and associations."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.decision import JointTable
    from stylobate.exploration.association import Associations, associations
    from stylobate.exploration.clusters import ClusterReport, describe_clusters
    from stylobate.exploration.dimension_report import DimensionalityReport
    from stylobate.exploration.dimensions import dimensionality
    from stylobate.exploration.exploration import explore
    from stylobate.exploration.joint import joint_table
    from stylobate.exploration.maps import RowMap, map_rows
    from stylobate.exploration.outliers import OutlyingRows, OutlyingValue, find_outliers
    from stylobate.exploration.profile import Profile
    from stylobate.exploration.target import TargetAnalysis, target_analysis
    from stylobate.exploration.variables import Variable

__all__ = [
    "Associations",
    "ClusterReport",
    "DimensionalityReport",
    "JointTable",
    "OutlyingRows",
    "OutlyingValue",
    "Profile",
    "RowMap",
    "TargetAnalysis",
    "Variable",
    "associations",
    "describe_clusters",
    "dimensionality",
    "explore",
    "find_outliers",
    "joint_table",
    "map_rows",
    "target_analysis",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Associations": "association",
        "ClusterReport": "clusters",
        "DimensionalityReport": "dimension_report",
        "JointTable": "joint",
        "OutlyingRows": "outliers",
        "OutlyingValue": "outliers",
        "Profile": "profile",
        "RowMap": "maps",
        "TargetAnalysis": "target",
        "Variable": "variables",
        "associations": "association",
        "describe_clusters": "clusters",
        "dimensionality": "dimensions",
        "explore": "exploration",
        "find_outliers": "outliers",
        "joint_table": "joint",
        "map_rows": "maps",
        "target_analysis": "target",
    },
)
