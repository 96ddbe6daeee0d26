"""Learning from a few labelled rows and many without a label, which are marked -1."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.semi_supervised.label_propagation import LabelPropagation
    from stylobate.semi_supervised.label_spreading import LabelSpreading
    from stylobate.semi_supervised.self_training import SelfTrainingClassifier

__all__ = ["LabelPropagation", "LabelSpreading", "SelfTrainingClassifier"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "LabelPropagation": "label_propagation",
        "LabelSpreading": "label_spreading",
        "SelfTrainingClassifier": "self_training",
    },
)
