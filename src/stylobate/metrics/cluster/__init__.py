"""How good clusters are: by themselves, and against others of the same rows."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.metrics.cluster.biclusters import (
        consensus_score,
    )
    from stylobate.metrics.cluster.comparison import (
        ClusteringComparison,
        compare_clusterings,
    )
    from stylobate.metrics.cluster.contingency import (
        contingency_matrix,
    )
    from stylobate.metrics.cluster.dispersion import (
        calinski_harabasz_score,
        davies_bouldin_score,
    )
    from stylobate.metrics.cluster.expected_information import (
        expected_mutual_information,
    )
    from stylobate.metrics.cluster.information import (
        adjusted_mutual_info_score,
        completeness_score,
        entropy,
        homogeneity_completeness_v_measure,
        homogeneity_score,
        mutual_info_score,
        normalized_mutual_info_score,
        v_measure_score,
    )
    from stylobate.metrics.cluster.pair_counts import (
        adjusted_rand_score,
        fowlkes_mallows_score,
        pair_confusion_matrix,
        rand_score,
    )
    from stylobate.metrics.cluster.separation import (
        dunn_score,
    )
    from stylobate.metrics.cluster.silhouettes import (
        silhouette_samples,
        silhouette_score,
        silhouette_scores,
    )

__all__ = [
    "ClusteringComparison",
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "calinski_harabasz_score",
    "compare_clusterings",
    "completeness_score",
    "consensus_score",
    "contingency_matrix",
    "davies_bouldin_score",
    "dunn_score",
    "entropy",
    "expected_mutual_information",
    "fowlkes_mallows_score",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "pair_confusion_matrix",
    "rand_score",
    "silhouette_samples",
    "silhouette_score",
    "silhouette_scores",
    "v_measure_score",
]

_MODULES = {
    "biclusters": ("consensus_score",),
    "comparison": ("ClusteringComparison", "compare_clusterings"),
    "contingency": ("contingency_matrix",),
    "dispersion": ("calinski_harabasz_score", "davies_bouldin_score"),
    "expected_information": ("expected_mutual_information",),
    "information": (
        "adjusted_mutual_info_score",
        "completeness_score",
        "entropy",
        "homogeneity_completeness_v_measure",
        "homogeneity_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "v_measure_score",
    ),
    "pair_counts": (
        "adjusted_rand_score",
        "fowlkes_mallows_score",
        "pair_confusion_matrix",
        "rand_score",
    ),
    "separation": ("dunn_score",),
    "silhouettes": ("silhouette_samples", "silhouette_score", "silhouette_scores"),
}
__getattr__, __dir__ = lazy_names(
    __name__, {name: module for module, names in _MODULES.items() for name in names}
)
