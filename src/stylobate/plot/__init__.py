"""Pictures of what was computed elsewhere; nothing is computed here."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.plot.classifiers.boundary import plot_class_probabilities, plot_decision_boundary
    from stylobate.plot.classifiers.cost_path import plot_cost_path
    from stylobate.plot.classifiers.neighbors import plot_distances, plot_neighbors_curve
    from stylobate.plot.classifiers.support_vectors import plot_support_vectors
    from stylobate.plot.classifiers.updates import plot_perceptron_updates
    from stylobate.plot.clusters.clusterings import plot_agreement, plot_clusterings
    from stylobate.plot.clusters.dendrogram import plot_dendrogram
    from stylobate.plot.clusters.mixture import plot_mixture, plot_mixture_choice
    from stylobate.plot.clusters.n_clusters import plot_n_clusters
    from stylobate.plot.clusters.silhouettes import plot_silhouettes
    from stylobate.plot.clusters.spectrum import plot_spectrum
    from stylobate.plot.columns.bars import plot_bars
    from stylobate.plot.columns.box import plot_box
    from stylobate.plot.columns.correlation import plot_correlation
    from stylobate.plot.columns.histogram import plot_histogram
    from stylobate.plot.columns.missing import plot_missing, plot_missing_patterns
    from stylobate.plot.columns.pairs import plot_pairs
    from stylobate.plot.columns.scatter import plot_scatter
    from stylobate.plot.columns.target import plot_target, plot_target_pair
    from stylobate.plot.explanation.dependence import plot_partial_dependence
    from stylobate.plot.explanation.forest_importances import plot_forest_importances
    from stylobate.plot.explanation.importances import plot_explanation, plot_importances
    from stylobate.plot.minimization.chord import plot_chord
    from stylobate.plot.minimization.convergence import plot_convergence
    from stylobate.plot.minimization.descent import plot_descent
    from stylobate.plot.minimization.loss_contours import plot_loss_contours
    from stylobate.plot.minimization.unit_balls import plot_unit_balls
    from stylobate.plot.networks.hidden_plane import plot_hidden_plane
    from stylobate.plot.networks.images import plot_filters, plot_images, plot_reconstructions
    from stylobate.plot.networks.layers import plot_layer_signs, plot_network, plot_training
    from stylobate.plot.networks.loss_surface import plot_loss_surface
    from stylobate.plot.reduction.components import (
        plot_biplot,
        plot_component_choice,
        plot_correlation_circle,
        plot_scree,
    )
    from stylobate.plot.reduction.embedding_quality import plot_embedding_quality
    from stylobate.plot.reduction.loadings import plot_loadings, plot_signals
    from stylobate.plot.reduction.procrustes import plot_procrustes, plot_procrustes_test
    from stylobate.plot.reduction.row_map import plot_row_map
    from stylobate.plot.reduction.shepard import plot_shepard
    from stylobate.plot.regressors.coefficients import plot_coefficients
    from stylobate.plot.regressors.level_sets import plot_level_sets
    from stylobate.plot.regressors.path import plot_path
    from stylobate.plot.regressors.residual_lines import plot_residual_lines
    from stylobate.plot.regressors.residuals import plot_influence, plot_residuals
    from stylobate.plot.resampling.bias_variance import plot_bias_variance, plot_bias_variance_curve
    from stylobate.plot.resampling.comparison import plot_comparison
    from stylobate.plot.resampling.folds import plot_folds
    from stylobate.plot.resampling.holdout import plot_holdout_attack
    from stylobate.plot.resampling.learning_curve import plot_learning_curve
    from stylobate.plot.resampling.selection import plot_selection_history
    from stylobate.plot.resampling.validation import plot_validation_curve
    from stylobate.plot.scores.calibration import plot_calibration_curve
    from stylobate.plot.scores.confusion import plot_confusion_matrix
    from stylobate.plot.scores.decisions import plot_decision_regions_1d, plot_threshold_curve
    from stylobate.plot.scores.detection_error import plot_det_curve
    from stylobate.plot.scores.gain import plot_gain_curve
    from stylobate.plot.scores.margin_losses import plot_margin_losses
    from stylobate.plot.scores.precision_recall import plot_precision_recall_curve
    from stylobate.plot.scores.roc import plot_roc_curve
    from stylobate.plot.shared.themes import style
    from stylobate.plot.subgradients import plot_subgradients
    from stylobate.plot.trees.tree_diagram import plot_pruning_path, plot_tree_diagram
    from stylobate.plot.trees.tree_partition import plot_tree_partition

__all__ = [
    "plot_agreement",
    "plot_bars",
    "plot_bias_variance",
    "plot_bias_variance_curve",
    "plot_biplot",
    "plot_box",
    "plot_calibration_curve",
    "plot_chord",
    "plot_class_probabilities",
    "plot_clusterings",
    "plot_coefficients",
    "plot_comparison",
    "plot_component_choice",
    "plot_confusion_matrix",
    "plot_convergence",
    "plot_correlation",
    "plot_correlation_circle",
    "plot_cost_path",
    "plot_decision_boundary",
    "plot_decision_regions_1d",
    "plot_dendrogram",
    "plot_descent",
    "plot_det_curve",
    "plot_distances",
    "plot_embedding_quality",
    "plot_explanation",
    "plot_filters",
    "plot_folds",
    "plot_forest_importances",
    "plot_gain_curve",
    "plot_hidden_plane",
    "plot_histogram",
    "plot_holdout_attack",
    "plot_images",
    "plot_importances",
    "plot_influence",
    "plot_layer_signs",
    "plot_learning_curve",
    "plot_level_sets",
    "plot_loadings",
    "plot_loss_contours",
    "plot_loss_surface",
    "plot_margin_losses",
    "plot_missing",
    "plot_missing_patterns",
    "plot_mixture",
    "plot_mixture_choice",
    "plot_n_clusters",
    "plot_neighbors_curve",
    "plot_network",
    "plot_pairs",
    "plot_partial_dependence",
    "plot_path",
    "plot_perceptron_updates",
    "plot_precision_recall_curve",
    "plot_procrustes",
    "plot_procrustes_test",
    "plot_pruning_path",
    "plot_reconstructions",
    "plot_residual_lines",
    "plot_residuals",
    "plot_roc_curve",
    "plot_row_map",
    "plot_scatter",
    "plot_scree",
    "plot_selection_history",
    "plot_shepard",
    "plot_signals",
    "plot_silhouettes",
    "plot_spectrum",
    "plot_subgradients",
    "plot_support_vectors",
    "plot_target",
    "plot_target_pair",
    "plot_threshold_curve",
    "plot_training",
    "plot_tree_diagram",
    "plot_tree_partition",
    "plot_unit_balls",
    "plot_validation_curve",
    "style",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "plot_agreement": "clusters.clusterings",
        "plot_bars": "columns.bars",
        "plot_bias_variance": "resampling.bias_variance",
        "plot_bias_variance_curve": "resampling.bias_variance",
        "plot_biplot": "reduction.components",
        "plot_box": "columns.box",
        "plot_calibration_curve": "scores.calibration",
        "plot_class_probabilities": "classifiers.boundary",
        "plot_chord": "minimization.chord",
        "plot_clusterings": "clusters.clusterings",
        "plot_coefficients": "regressors.coefficients",
        "plot_comparison": "resampling.comparison",
        "plot_component_choice": "reduction.components",
        "plot_confusion_matrix": "scores.confusion",
        "plot_convergence": "minimization.convergence",
        "plot_correlation": "columns.correlation",
        "plot_correlation_circle": "reduction.components",
        "plot_cost_path": "classifiers.cost_path",
        "plot_decision_boundary": "classifiers.boundary",
        "plot_decision_regions_1d": "scores.decisions",
        "plot_dendrogram": "clusters.dendrogram",
        "plot_det_curve": "scores.detection_error",
        "plot_distances": "classifiers.neighbors",
        "plot_embedding_quality": "reduction.embedding_quality",
        "plot_explanation": "explanation.importances",
        "plot_filters": "networks.images",
        "plot_forest_importances": "explanation.forest_importances",
        "plot_gain_curve": "scores.gain",
        "plot_hidden_plane": "networks.hidden_plane",
        "plot_histogram": "columns.histogram",
        "plot_holdout_attack": "resampling.holdout",
        "plot_images": "networks.images",
        "plot_importances": "explanation.importances",
        "plot_influence": "regressors.residuals",
        "plot_layer_signs": "networks.layers",
        "plot_learning_curve": "resampling.learning_curve",
        "plot_level_sets": "regressors.level_sets",
        "plot_loadings": "reduction.loadings",
        "plot_loss_contours": "minimization.loss_contours",
        "plot_loss_surface": "networks.loss_surface",
        "plot_margin_losses": "scores.margin_losses",
        "plot_missing": "columns.missing",
        "plot_missing_patterns": "columns.missing",
        "plot_mixture": "clusters.mixture",
        "plot_mixture_choice": "clusters.mixture",
        "plot_n_clusters": "clusters.n_clusters",
        "plot_neighbors_curve": "classifiers.neighbors",
        "plot_network": "networks.layers",
        "plot_pairs": "columns.pairs",
        "plot_partial_dependence": "explanation.dependence",
        "plot_path": "regressors.path",
        "plot_precision_recall_curve": "scores.precision_recall",
        "plot_procrustes": "reduction.procrustes",
        "plot_procrustes_test": "reduction.procrustes",
        "plot_pruning_path": "trees.tree_diagram",
        "plot_reconstructions": "networks.images",
        "plot_residuals": "regressors.residuals",
        "plot_roc_curve": "scores.roc",
        "plot_row_map": "reduction.row_map",
        "plot_scatter": "columns.scatter",
        "plot_scree": "reduction.components",
        "plot_selection_history": "resampling.selection",
        "plot_shepard": "reduction.shepard",
        "plot_signals": "reduction.loadings",
        "plot_silhouettes": "clusters.silhouettes",
        "plot_spectrum": "clusters.spectrum",
        "plot_subgradients": "subgradients",
        "plot_support_vectors": "classifiers.support_vectors",
        "plot_target": "columns.target",
        "plot_target_pair": "columns.target",
        "plot_threshold_curve": "scores.decisions",
        "plot_training": "networks.layers",
        "plot_tree_diagram": "trees.tree_diagram",
        "plot_tree_partition": "trees.tree_partition",
        "plot_validation_curve": "resampling.validation",
        "style": "shared.themes",
        "plot_descent": "minimization.descent",
        "plot_unit_balls": "minimization.unit_balls",
        "plot_folds": "resampling.folds",
        "plot_perceptron_updates": "classifiers.updates",
        "plot_residual_lines": "regressors.residual_lines",
    },
)
