"""Metrics and scorers, under the names people know."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.metrics.classification.accuracy import (
        accuracy_score,
        balanced_accuracy_score,
        hamming_loss,
        zero_one_loss,
    )
    from stylobate.metrics.classification.agreement import cohen_kappa_score, matthews_corrcoef
    from stylobate.metrics.classification.confusion import (
        confusion_matrix,
        multilabel_confusion_matrix,
    )
    from stylobate.metrics.classification.confusion_counts import ConfusionMatrix
    from stylobate.metrics.classification.counts import ClassCounts
    from stylobate.metrics.classification.explained import d2_brier_score, d2_log_loss_score
    from stylobate.metrics.classification.margin_losses import hinge_loss, top_k_accuracy_score
    from stylobate.metrics.classification.precision_recall import (
        f1_score,
        fbeta_score,
        precision_recall_fscore_support,
        precision_score,
        recall_score,
    )
    from stylobate.metrics.classification.probabilities import brier_score_loss, log_loss
    from stylobate.metrics.classification.rates import (
        class_likelihood_ratios,
        false_positive_rate,
        jaccard_score,
        negative_predictive_value,
        specificity_score,
    )
    from stylobate.metrics.classification.report import classification_report
    from stylobate.metrics.cluster.biclusters import (
        consensus_score,
    )
    from stylobate.metrics.cluster.comparison import (
        ClusteringComparison,
        compare_clusterings,
    )
    from stylobate.metrics.cluster.dispersion import (
        calinski_harabasz_score,
        davies_bouldin_score,
    )
    from stylobate.metrics.cluster.information import (
        adjusted_mutual_info_score,
        completeness_score,
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
    from stylobate.metrics.cluster.pairwise_within import within_cluster_dissimilarity
    from stylobate.metrics.cluster.separation import (
        dunn_score,
    )
    from stylobate.metrics.cluster.silhouettes import (
        silhouette_samples,
        silhouette_score,
        silhouette_scores,
    )
    from stylobate.metrics.curves.areas import auc
    from stylobate.metrics.curves.at_thresholds import (
        confusion_matrix_at_thresholds,
        metric_at_thresholds,
    )
    from stylobate.metrics.curves.calibration import CalibrationCurve, calibration_curve
    from stylobate.metrics.curves.det import DetCurve, det_curve
    from stylobate.metrics.curves.gain import GainCurve, gain_curve
    from stylobate.metrics.curves.pr_curve import PrecisionRecallCurve, precision_recall_curve
    from stylobate.metrics.curves.roc import RocCurve, roc_curve
    from stylobate.metrics.displays.calibration import CalibrationDisplay
    from stylobate.metrics.displays.confusion import ConfusionMatrixDisplay
    from stylobate.metrics.displays.det import DetCurveDisplay
    from stylobate.metrics.displays.precision_recall import PrecisionRecallDisplay
    from stylobate.metrics.displays.prediction_error import PredictionErrorDisplay
    from stylobate.metrics.displays.roc import RocCurveDisplay
    from stylobate.metrics.intervals.confidence import confidence_interval
    from stylobate.metrics.intervals.interval import Interval
    from stylobate.metrics.intervals.paired import difference_interval
    from stylobate.metrics.intervals.proportions import proportion_interval
    from stylobate.metrics.metric_axioms import MetricReport, check_metric
    from stylobate.metrics.model_improvement import (
        Improvement,
        ImprovementTable,
        improvement,
        improvement_table,
    )
    from stylobate.metrics.pairwise.dispatch import (
        pairwise_distances,
        pairwise_distances_chunked,
        pairwise_kernels,
    )
    from stylobate.metrics.pairwise.distances import euclidean_distances, nan_euclidean_distances
    from stylobate.metrics.pairwise.gower import gower_distances
    from stylobate.metrics.pairwise.nearest import (
        pairwise_distances_argmin,
        pairwise_distances_argmin_min,
    )
    from stylobate.metrics.ranking.auc import average_precision_score, roc_auc_score
    from stylobate.metrics.ranking.discounted_gain import dcg_score, ndcg_score
    from stylobate.metrics.ranking.label_ranking import (
        coverage_error,
        label_ranking_average_precision_score,
        label_ranking_loss,
    )
    from stylobate.metrics.regression.deviance import (
        d2_tweedie_score,
        mean_gamma_deviance,
        mean_poisson_deviance,
        mean_tweedie_deviance,
    )
    from stylobate.metrics.regression.errors import ErrorSums
    from stylobate.metrics.regression.huber import mean_huber_loss
    from stylobate.metrics.regression.mean_errors import (
        explained_variance_score,
        max_error,
        mean_absolute_error,
        mean_absolute_percentage_error,
        mean_squared_error,
        mean_squared_log_error,
        median_absolute_error,
        r2_score,
        root_mean_squared_error,
        root_mean_squared_log_error,
    )
    from stylobate.metrics.regression.quantiles import (
        d2_absolute_error_score,
        d2_pinball_score,
        mean_pinball_loss,
    )
    from stylobate.metrics.scoring.accumulation import score_stream
    from stylobate.metrics.scoring.names import get_scorer, get_scorer_names
    from stylobate.metrics.scoring.scorers import make_scorer
    from stylobate.metrics.scoring.scoring_argument import check_scoring

__all__ = [
    "CalibrationCurve",
    "CalibrationDisplay",
    "ClassCounts",
    "ClusteringComparison",
    "ConfusionMatrix",
    "ConfusionMatrixDisplay",
    "DetCurve",
    "DetCurveDisplay",
    "ErrorSums",
    "GainCurve",
    "Improvement",
    "ImprovementTable",
    "Interval",
    "MetricReport",
    "PrecisionRecallCurve",
    "PrecisionRecallDisplay",
    "PredictionErrorDisplay",
    "RocCurve",
    "RocCurveDisplay",
    "accuracy_score",
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "calibration_curve",
    "calinski_harabasz_score",
    "check_metric",
    "check_scoring",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "compare_clusterings",
    "completeness_score",
    "confidence_interval",
    "confusion_matrix",
    "confusion_matrix_at_thresholds",
    "consensus_score",
    "coverage_error",
    "d2_absolute_error_score",
    "d2_brier_score",
    "d2_log_loss_score",
    "d2_pinball_score",
    "d2_tweedie_score",
    "davies_bouldin_score",
    "dcg_score",
    "det_curve",
    "difference_interval",
    "dunn_score",
    "euclidean_distances",
    "explained_variance_score",
    "f1_score",
    "false_positive_rate",
    "fbeta_score",
    "fowlkes_mallows_score",
    "gain_curve",
    "get_scorer",
    "get_scorer_names",
    "gower_distances",
    "hamming_loss",
    "hinge_loss",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "improvement",
    "improvement_table",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "make_scorer",
    "matthews_corrcoef",
    "max_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_gamma_deviance",
    "mean_huber_loss",
    "mean_pinball_loss",
    "mean_poisson_deviance",
    "mean_squared_error",
    "mean_squared_log_error",
    "mean_tweedie_deviance",
    "median_absolute_error",
    "metric_at_thresholds",
    "multilabel_confusion_matrix",
    "mutual_info_score",
    "nan_euclidean_distances",
    "ndcg_score",
    "negative_predictive_value",
    "normalized_mutual_info_score",
    "pair_confusion_matrix",
    "pairwise_distances",
    "pairwise_distances_argmin",
    "pairwise_distances_argmin_min",
    "pairwise_distances_chunked",
    "pairwise_kernels",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "proportion_interval",
    "r2_score",
    "rand_score",
    "recall_score",
    "roc_auc_score",
    "roc_curve",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
    "score_stream",
    "silhouette_samples",
    "silhouette_score",
    "silhouette_scores",
    "specificity_score",
    "top_k_accuracy_score",
    "v_measure_score",
    "within_cluster_dissimilarity",
    "zero_one_loss",
]

_MODULES = {
    "metric_axioms": ("MetricReport", "check_metric"),
    "classification.accuracy": (
        "accuracy_score",
        "balanced_accuracy_score",
        "hamming_loss",
        "zero_one_loss",
    ),
    "classification.agreement": ("cohen_kappa_score", "matthews_corrcoef"),
    "curves.areas": ("auc",),
    "curves.at_thresholds": ("confusion_matrix_at_thresholds", "metric_at_thresholds"),
    "curves.calibration": ("CalibrationCurve", "calibration_curve"),
    "cluster.biclusters": ("consensus_score",),
    "cluster.comparison": ("ClusteringComparison", "compare_clusterings"),
    "cluster.dispersion": ("calinski_harabasz_score", "davies_bouldin_score"),
    "cluster.information": (
        "adjusted_mutual_info_score",
        "completeness_score",
        "homogeneity_completeness_v_measure",
        "homogeneity_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "v_measure_score",
    ),
    "cluster.pair_counts": (
        "adjusted_rand_score",
        "fowlkes_mallows_score",
        "pair_confusion_matrix",
        "rand_score",
    ),
    "cluster.separation": ("dunn_score",),
    "cluster.pairwise_within": ("within_cluster_dissimilarity",),
    "cluster.silhouettes": ("silhouette_samples", "silhouette_score", "silhouette_scores"),
    "scoring.scoring_argument": ("check_scoring",),
    "classification.confusion": ("confusion_matrix", "multilabel_confusion_matrix"),
    "classification.confusion_counts": ("ConfusionMatrix",),
    "classification.counts": ("ClassCounts",),
    "curves.det": ("DetCurve", "det_curve"),
    "regression.deviance": (
        "d2_tweedie_score",
        "mean_gamma_deviance",
        "mean_poisson_deviance",
        "mean_tweedie_deviance",
    ),
    "ranking.discounted_gain": ("dcg_score", "ndcg_score"),
    "displays.calibration": ("CalibrationDisplay",),
    "displays.confusion": ("ConfusionMatrixDisplay",),
    "displays.det": ("DetCurveDisplay",),
    "displays.precision_recall": ("PrecisionRecallDisplay",),
    "displays.prediction_error": ("PredictionErrorDisplay",),
    "displays.roc": ("RocCurveDisplay",),
    "regression.errors": ("ErrorSums",),
    "classification.explained": ("d2_brier_score", "d2_log_loss_score"),
    "curves.gain": ("GainCurve", "gain_curve"),
    "regression.huber": ("mean_huber_loss",),
    "model_improvement": ("Improvement", "ImprovementTable", "improvement", "improvement_table"),
    "intervals.confidence": ("confidence_interval",),
    "intervals.interval": ("Interval",),
    "intervals.paired": ("difference_interval",),
    "intervals.proportions": ("proportion_interval",),
    "ranking.label_ranking": (
        "coverage_error",
        "label_ranking_average_precision_score",
        "label_ranking_loss",
    ),
    "classification.margin_losses": ("hinge_loss", "top_k_accuracy_score"),
    "scoring.names": ("get_scorer", "get_scorer_names"),
    "pairwise.dispatch": (
        "pairwise_distances",
        "pairwise_distances_chunked",
        "pairwise_kernels",
    ),
    "pairwise.distances": ("euclidean_distances", "nan_euclidean_distances"),
    "pairwise.gower": ("gower_distances",),
    "pairwise.nearest": ("pairwise_distances_argmin", "pairwise_distances_argmin_min"),
    "curves.pr_curve": ("PrecisionRecallCurve", "precision_recall_curve"),
    "classification.precision_recall": (
        "f1_score",
        "fbeta_score",
        "precision_recall_fscore_support",
        "precision_score",
        "recall_score",
    ),
    "classification.probabilities": ("brier_score_loss", "log_loss"),
    "regression.quantiles": ("d2_absolute_error_score", "d2_pinball_score", "mean_pinball_loss"),
    "ranking.auc": ("average_precision_score", "roc_auc_score"),
    "classification.rates": (
        "class_likelihood_ratios",
        "false_positive_rate",
        "jaccard_score",
        "negative_predictive_value",
        "specificity_score",
    ),
    "regression.mean_errors": (
        "explained_variance_score",
        "max_error",
        "mean_absolute_error",
        "mean_absolute_percentage_error",
        "mean_squared_error",
        "mean_squared_log_error",
        "median_absolute_error",
        "r2_score",
        "root_mean_squared_error",
        "root_mean_squared_log_error",
    ),
    "classification.report": ("classification_report",),
    "scoring.accumulation": ("score_stream",),
    "curves.roc": ("RocCurve", "roc_curve"),
    "scoring.scorers": ("make_scorer",),
}
__getattr__, __dir__ = lazy_names(
    __name__,
    {"cluster": None, "pairwise": None}
    | {name: module for module, names in _MODULES.items() for name in names},
)
