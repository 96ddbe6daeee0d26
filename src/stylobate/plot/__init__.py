"""Pictures of what was computed elsewhere; nothing is computed here."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.plot.bars import plot_bars
    from stylobate.plot.bias_variance import plot_bias_variance, plot_bias_variance_curve
    from stylobate.plot.boundary import plot_class_probabilities, plot_decision_boundary
    from stylobate.plot.box import plot_box
    from stylobate.plot.calibration import plot_calibration_curve
    from stylobate.plot.chord import plot_chord
    from stylobate.plot.clusterings import plot_agreement, plot_clusterings
    from stylobate.plot.coefficients import plot_coefficients
    from stylobate.plot.comparison import plot_comparison
    from stylobate.plot.components import (
        plot_biplot,
        plot_component_choice,
        plot_correlation_circle,
        plot_scree,
    )
    from stylobate.plot.confusion import plot_confusion_matrix
    from stylobate.plot.convergence import plot_convergence
    from stylobate.plot.correlation import plot_correlation
    from stylobate.plot.cost_path import plot_cost_path
    from stylobate.plot.decisions import plot_decision_regions_1d, plot_threshold_curve
    from stylobate.plot.dendrogram import plot_dendrogram
    from stylobate.plot.dependence import plot_partial_dependence
    from stylobate.plot.descent import plot_descent
    from stylobate.plot.detection_error import plot_det_curve
    from stylobate.plot.embedding_quality import plot_embedding_quality
    from stylobate.plot.folds import plot_folds
    from stylobate.plot.forest_importances import plot_forest_importances
    from stylobate.plot.gain import plot_gain_curve
    from stylobate.plot.hidden_plane import plot_hidden_plane
    from stylobate.plot.histogram import plot_histogram
    from stylobate.plot.holdout import plot_holdout_attack
    from stylobate.plot.images import plot_filters, plot_images, plot_reconstructions
    from stylobate.plot.importances import plot_explanation, plot_importances
    from stylobate.plot.learning_curve import plot_learning_curve
    from stylobate.plot.level_sets import plot_level_sets
    from stylobate.plot.loadings import plot_loadings, plot_signals
    from stylobate.plot.loss_contours import plot_loss_contours
    from stylobate.plot.loss_surface import plot_loss_surface
    from stylobate.plot.margin_losses import plot_margin_losses
    from stylobate.plot.missing import plot_missing, plot_missing_patterns
    from stylobate.plot.mixture import plot_mixture, plot_mixture_choice
    from stylobate.plot.n_clusters import plot_n_clusters
    from stylobate.plot.neighbors import plot_distances, plot_neighbors_curve
    from stylobate.plot.networks import plot_layer_signs, plot_network, plot_training
    from stylobate.plot.pairs import plot_pairs
    from stylobate.plot.path import plot_path
    from stylobate.plot.precision_recall import plot_precision_recall_curve
    from stylobate.plot.procrustes import plot_procrustes, plot_procrustes_test
    from stylobate.plot.residual_lines import plot_residual_lines
    from stylobate.plot.residuals import plot_influence, plot_residuals
    from stylobate.plot.roc import plot_roc_curve
    from stylobate.plot.row_map import plot_row_map
    from stylobate.plot.scatter import plot_scatter
    from stylobate.plot.selection import plot_selection_history
    from stylobate.plot.shepard import plot_shepard
    from stylobate.plot.silhouettes import plot_silhouettes
    from stylobate.plot.spectrum import plot_spectrum
    from stylobate.plot.subgradients import plot_subgradients
    from stylobate.plot.support_vectors import plot_support_vectors
    from stylobate.plot.target import plot_target, plot_target_pair
    from stylobate.plot.themes import style
    from stylobate.plot.tree_diagram import plot_pruning_path, plot_tree_diagram
    from stylobate.plot.tree_partition import plot_tree_partition
    from stylobate.plot.unit_balls import plot_unit_balls
    from stylobate.plot.updates import plot_perceptron_updates
    from stylobate.plot.validation import plot_validation_curve

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
        "plot_agreement": "clusterings",
        "plot_bars": "bars",
        "plot_bias_variance": "bias_variance",
        "plot_bias_variance_curve": "bias_variance",
        "plot_biplot": "components",
        "plot_box": "box",
        "plot_calibration_curve": "calibration",
        "plot_class_probabilities": "boundary",
        "plot_chord": "chord",
        "plot_clusterings": "clusterings",
        "plot_coefficients": "coefficients",
        "plot_comparison": "comparison",
        "plot_component_choice": "components",
        "plot_confusion_matrix": "confusion",
        "plot_convergence": "convergence",
        "plot_correlation": "correlation",
        "plot_correlation_circle": "components",
        "plot_cost_path": "cost_path",
        "plot_decision_boundary": "boundary",
        "plot_decision_regions_1d": "decisions",
        "plot_dendrogram": "dendrogram",
        "plot_det_curve": "detection_error",
        "plot_distances": "neighbors",
        "plot_embedding_quality": "embedding_quality",
        "plot_explanation": "importances",
        "plot_filters": "images",
        "plot_forest_importances": "forest_importances",
        "plot_gain_curve": "gain",
        "plot_hidden_plane": "hidden_plane",
        "plot_histogram": "histogram",
        "plot_holdout_attack": "holdout",
        "plot_images": "images",
        "plot_importances": "importances",
        "plot_influence": "residuals",
        "plot_layer_signs": "networks",
        "plot_learning_curve": "learning_curve",
        "plot_level_sets": "level_sets",
        "plot_loadings": "loadings",
        "plot_loss_contours": "loss_contours",
        "plot_loss_surface": "loss_surface",
        "plot_margin_losses": "margin_losses",
        "plot_missing": "missing",
        "plot_missing_patterns": "missing",
        "plot_mixture": "mixture",
        "plot_mixture_choice": "mixture",
        "plot_n_clusters": "n_clusters",
        "plot_neighbors_curve": "neighbors",
        "plot_network": "networks",
        "plot_pairs": "pairs",
        "plot_partial_dependence": "dependence",
        "plot_path": "path",
        "plot_precision_recall_curve": "precision_recall",
        "plot_procrustes": "procrustes",
        "plot_procrustes_test": "procrustes",
        "plot_pruning_path": "tree_diagram",
        "plot_reconstructions": "images",
        "plot_residuals": "residuals",
        "plot_roc_curve": "roc",
        "plot_row_map": "row_map",
        "plot_scatter": "scatter",
        "plot_scree": "components",
        "plot_selection_history": "selection",
        "plot_shepard": "shepard",
        "plot_signals": "loadings",
        "plot_silhouettes": "silhouettes",
        "plot_spectrum": "spectrum",
        "plot_subgradients": "subgradients",
        "plot_support_vectors": "support_vectors",
        "plot_target": "target",
        "plot_target_pair": "target",
        "plot_threshold_curve": "decisions",
        "plot_training": "networks",
        "plot_tree_diagram": "tree_diagram",
        "plot_tree_partition": "tree_partition",
        "plot_validation_curve": "validation",
        "style": "themes",
        "plot_descent": "descent",
        "plot_unit_balls": "unit_balls",
        "plot_folds": "folds",
        "plot_perceptron_updates": "updates",
        "plot_residual_lines": "residual_lines",
    },
)
