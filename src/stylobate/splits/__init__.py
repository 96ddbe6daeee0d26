"""Ways to split rows into training and test parts."""

from stylobate.splits.checking import check_cv, splits_of
from stylobate.splits.given import GivenSplits, PredefinedSplit
from stylobate.splits.grouped import GroupKFold
from stylobate.splits.kfold import KFold
from stylobate.splits.leave_out import LeaveOneOut
from stylobate.splits.shuffled import ShuffleSplit, StratifiedShuffleSplit
from stylobate.splits.splitter import Split
from stylobate.splits.strata import type_of_target
from stylobate.splits.stratified import StratifiedKFold

__all__ = [
    "GivenSplits",
    "GroupKFold",
    "KFold",
    "LeaveOneOut",
    "PredefinedSplit",
    "ShuffleSplit",
    "Split",
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "check_cv",
    "splits_of",
    "type_of_target",
]
