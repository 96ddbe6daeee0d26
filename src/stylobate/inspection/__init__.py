"""Looking into fitted models: what they rely on, how they answer, where they are wrong and why."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.inspection.dependence import partial_dependence
    from stylobate.inspection.dependence_result import PartialDependence
    from stylobate.inspection.display import PartialDependenceDisplay
    from stylobate.inspection.explanation import RowExplanation
    from stylobate.inspection.importance import permutation_importance
    from stylobate.inspection.importance_result import PermutationImportance
    from stylobate.inspection.margins import Margin, margin, signed_distances
    from stylobate.inspection.mistakes import WorstMistakes, worst_mistakes
    from stylobate.inspection.row_explanation import explain_row

__all__ = [
    "Margin",
    "PartialDependence",
    "PartialDependenceDisplay",
    "PermutationImportance",
    "RowExplanation",
    "WorstMistakes",
    "explain_row",
    "margin",
    "partial_dependence",
    "permutation_importance",
    "signed_distances",
    "worst_mistakes",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Margin": "margins",
        "PartialDependence": "dependence_result",
        "PartialDependenceDisplay": "display",
        "PermutationImportance": "importance_result",
        "RowExplanation": "explanation",
        "WorstMistakes": "mistakes",
        "explain_row": "row_explanation",
        "margin": "margins",
        "partial_dependence": "dependence",
        "permutation_importance": "importance",
        "signed_distances": "margins",
        "worst_mistakes": "mistakes",
    },
)
