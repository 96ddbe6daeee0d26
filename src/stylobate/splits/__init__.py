"""Ways to split rows into training and test parts."""

from stylobate.splits.kfold import KFold, Split, splits_of

__all__ = ["KFold", "Split", "splits_of"]
