"""Many classes by several classifiers of two."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.multiclass.one_vs_one import OneVsOneClassifier
    from stylobate.multiclass.one_vs_rest import OneVsRestClassifier
    from stylobate.multiclass.output_code import OutputCodeClassifier

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "OneVsOneClassifier": "one_vs_one",
        "OneVsRestClassifier": "one_vs_rest",
        "OutputCodeClassifier": "output_code",
    },
)
