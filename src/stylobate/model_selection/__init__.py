"""Splitting and selecting, under the names people know."""

from stylobate.splits import KFold

__all__ = ["KFold"]
