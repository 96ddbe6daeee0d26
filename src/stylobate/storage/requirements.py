"""What `fit` always sets, by the class that sets it: asked for whatever a file tells.

Files of this version say what each estimator had learnt (`learnt.py`); this table holds for older
files, for those that say something else than they should, and for the parts of estimators.
"""

from __future__ import annotations

from typing import Any

from stylobate.storage.names import is_estimator

ALWAYS: dict[str, tuple[str, ...]] = {
    "Autoencoder": ("decoder_", "encoder_", "mean_", "scale_"),
    "BaseImputer": ("indicator_",),
    "BaseKMeans": ("cluster_centers_",),
    "BernoulliRBM": ("components_", "h_samples_", "intercept_hidden_", "intercept_visible_"),
    "Birch": ("subcluster_centers_", "subcluster_labels_"),
    "BisectingKMeans": ("split_centers_", "splits_"),
    "CategoryEncoder": ("categories_",),
    "CategoryPart": ("column", "known", "labels", "names", "place"),
    "Chain": ("estimators_",),
    "ClassicalMDS": ("eigenvalues_", "embedding_"),
    "ColumnTransformer": ("_plan", "output_indices_", "sparse_output_", "transformers_"),
    "ConvNetClassifier": (
        "_moments", "_parameters", "_scale", "_seed", "_state", "best_epoch_", "classes_",
        "image_shape_", "layers_", "loss_curve_", "n_iter_", "trace_", "validation_scores_",
    ),
    "DatetimeEncoder": ("formats_", "parts_", "start_"),
    "DictionaryLearning": ("components_",),
    "DiscreteNB": ("class_log_prior_", "feature_log_prob_"),
    "DummyClassifier": ("class_prior_", "classes_"),
    "DummyRegressor": ("constant_", "n_outputs_"),
    "FactorAnalysis": ("components_", "mean_", "noise_variance_"),
    "FastICA": ("components_",),
    "FeatureAgglomeration": ("labels_", "n_clusters_"),
    "GaussianComponents": ("means_", "weights_"),
    "GaussianNB": ("class_prior_", "theta_", "var_"),
    "GeoEncoder": ("points_",),
    "HistogramDensity": ("bin_edges_", "cells_", "heights_"),
    "KBinsDiscretizer": ("bin_edges_", "n_bins_"),
    "KNNImputer": ("_has_value", "_rows"),
    "KernelCenterer": ("K_fit_all_", "K_fit_rows_"),
    "KernelDensity": ("_points", "_sums", "_total", "bandwidth_"),
    "KernelPCA": ("eigenvalues_", "eigenvectors_"),
    "KernelRegressor": ("X_fit_", "dual_coef_"),
    "LatentRegressor": ("coef_", "intercept_", "x_rotations_", "y_rotations_"),
    "LinearClassifier": ("classes_", "coef_", "intercept_"),
    "LinearDiscriminantAnalysis": ("_bias", "_center", "_weights", "means_", "priors_"),
    "LinearRegressor": ("coef_", "intercept_"),
    "LocallyLinearEmbedding": ("embedding_", "nbrs_"),
    "MaxAbsScaler": ("max_abs_", "scale_"),
    "MeanShift": ("cluster_centers_",),
    "MinMaxScaler": ("min_", "scale_"),
    "MiniBatchDictionaryLearning": ("components_",),
    "MultilayerPerceptron": ("coefs_", "intercepts_", "n_outputs_", "out_activation_"),
    "NearestCentroid": (
        "centroids_", "class_prior_", "classes_", "deviations_", "within_class_std_dev_",
    ),
    "NeighborsBase": ("_fit_X", "_index", "effective_metric_", "effective_metric_params_"),
    "NeighborsClassifierBase": ("_y", "classes_", "outputs_2d_"),
    "NeighborsRegressorBase": ("_y",),
    "NumberPart": ("center", "column", "fill", "keep", "mark", "names", "scale", "spread", "steps"),
    "Nystroem": ("component_indices_", "components_", "normalization_"),
    "PLSSVD": ("x_weights_", "y_weights_"),
    "PolynomialCountSketch": ("bitHash_", "indexHash_"),
    "PowerTransformer": ("lambdas_",),
    "PrincipalComponents": ("components_", "mean_"),
    "QuadraticDiscriminantAnalysis": ("means_", "priors_"),
    "QuantileTransformer": ("quantiles_", "references_"),
    "RBFFeatures": ("centers_", "width_"),
    "RandomProjection": ("components_",),
    "RandomTreesEmbedding": ("_trees",),
    "RandomWaves": ("random_offset_", "random_weights_"),
    "ReadsColumns": ("column_categories_", "n_outputs_"),
    "RecursiveElimination": ("estimator_", "ranking_", "support_"),
    "RobustRegressor": ("coef_", "intercept_"),
    "RobustScaler": ("center_", "scale_"),
    "SimpleImputer": ("statistics_",),
    "SparseProjection": ("components_", "mean_"),
    "StackingBase": ("estimators_", "final_estimator_", "stack_method_"),
    "StandardScaler": ("mean_", "scale_", "var_"),
    "TravellingLabels": ("X_", "classes_", "label_distributions_"),
    "TreeBase": ("tree_",),
    "TruncatedSVD": ("components_",),
    "TwoBlockModel": ("_predict_1d", "_x_mean", "_x_std", "_y_mean", "_y_std"),
    "UnivariateFilter": ("pvalues_", "scores_"),
    "VarianceThreshold": ("variances_",),
}  # fmt: skip


def missing(built: Any) -> list[str]:
    """What a fitted estimator, or a part of one, lacks of what its class always learns.

    >>> from stylobate.preprocessing import StandardScaler
    >>> scaler = StandardScaler().fit([[1.0], [2.0]])
    >>> del scaler.mean_
    >>> missing(scaler), missing(StandardScaler())
    (['mean_'], [])
    """
    names = [name for base in type(built).__mro__ for name in ALWAYS.get(base.__name__, ())]
    if not names:
        return []
    state = vars(built)
    if not is_estimator(type(built)):  # a part of one, kept once it has learnt
        return [name for name in names if name not in state]
    if not any(name in state for name in names) and not _is_fitted(built):
        return []
    return [name for name in ("n_features_in_", *names) if name not in state]


def _is_fitted(built: Any) -> bool:
    return "n_features_in_" in vars(built) or bool(built.__sklearn_is_fitted__())
