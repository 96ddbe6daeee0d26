"""Ways to split rows into training and test parts."""

from stylobate.splits.cv_argument import check_cv, splits_of
from stylobate.splits.given import GivenSplits, PredefinedSplit
from stylobate.splits.grouped import GroupKFold
from stylobate.splits.grouped_shuffle import GroupShuffleSplit
from stylobate.splits.hashed import HashKFold
from stylobate.splits.kfold import KFold
from stylobate.splits.leave_groups_out import LeaveOneGroupOut, LeavePGroupsOut
from stylobate.splits.leave_out import LeaveOneOut, LeavePOut
from stylobate.splits.repeated import RepeatedKFold, RepeatedStratifiedKFold
from stylobate.splits.shuffled import ShuffleSplit, StratifiedShuffleSplit
from stylobate.splits.splitter import Split
from stylobate.splits.strata import type_of_target
from stylobate.splits.stratified import StratifiedKFold
from stylobate.splits.stratified_grouped import StratifiedGroupKFold
from stylobate.splits.time_series import TimeSeriesSplit

__all__ = [
    "GivenSplits",
    "GroupKFold",
    "GroupShuffleSplit",
    "HashKFold",
    "KFold",
    "LeaveOneGroupOut",
    "LeaveOneOut",
    "LeavePGroupsOut",
    "LeavePOut",
    "PredefinedSplit",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "ShuffleSplit",
    "Split",
    "StratifiedGroupKFold",
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "TimeSeriesSplit",
    "check_cv",
    "splits_of",
    "type_of_target",
]
