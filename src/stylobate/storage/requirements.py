"""What `fit` always sets, by the class that sets it: asked for whatever a file tells.

Files of this version say what each estimator had learnt (`learnt.py`); this table holds for older
files, for those that say something else than they should, and for the parts of estimators.
"""

from __future__ import annotations

from typing import Any

from stylobate.storage.names import is_estimator

ALWAYS: dict[str, tuple[str, ...]] = {
    "AdaBoostClassifier": ("classes_", "n_classes_"),
    "AdditiveChi2Sampler": ("sample_interval_",),
    "Autoencoder": ("decoder_", "encoder_", "mean_", "scale_"),
    "BaggingBase": ("estimator_", "estimators_", "estimators_features_"),
    "BaggingClassifier": ("classes_", "n_classes_"),
    "BaseImputer": ("indicator_",),
    "BaseKMeans": ("cluster_centers_",),
    "BayesianGaussianMixture": (
        "degrees_of_freedom_", "mean_precision_", "weight_concentration_prior_",
    ),
    "BernoulliNB": ("_log_zero",),
    "BernoulliRBM": ("components_", "h_samples_", "intercept_hidden_", "intercept_visible_"),
    "BestSubsetSelector": ("support_",),
    "Birch": ("subcluster_centers_", "subcluster_labels_"),
    "BisectingKMeans": ("split_centers_", "splits_"),
    "CategoryEncoder": ("categories_",),
    "CategoryPart": ("column", "known", "labels", "names", "place"),
    "Chain": ("estimators_",),
    "ClassicalMDS": ("eigenvalues_", "embedding_"),
    "CodePart": ("column", "names", "place"),
    "ColumnTransformer": ("_plan", "output_indices_", "sparse_output_", "transformers_"),
    "ConformalClassifier": ("estimator_",),
    "ConformalQuantileRegressor": ("lower_estimator_", "upper_estimator_"),
    "ConformalRegressor": ("estimator_",),
    "ConvNetClassifier": (
        "_moments", "_parameters", "_scale", "_seed", "_state", "best_epoch_", "classes_",
        "image_shape_", "layers_", "loss_curve_", "n_iter_", "trace_", "validation_scores_",
    ),
    "CostSensitiveClassifier": ("cost_",),
    "DatetimeEncoder": ("formats_", "parts_", "start_"),
    "DictionaryLearning": ("components_",),
    "DiscreteNB": ("class_log_prior_", "feature_log_prob_"),
    "DummyClassifier": ("class_prior_", "classes_", "sparse_output_"),
    "DummyRegressor": ("constant_", "n_outputs_"),
    "FactorAnalysis": ("components_", "mean_", "noise_variance_"),
    "FastICA": ("components_",),
    "FeatureAgglomeration": ("labels_", "n_clusters_"),
    "ForestBase": ("_trees",),
    "GaussianComponents": ("means_", "weights_"),
    "GaussianNB": ("class_prior_", "theta_", "var_"),
    "GeneralizedLinearRegressor": ("coef_", "intercept_"),
    "GeoEncoder": ("points_",),
    "HDBSCAN": ("_core_distances", "_finite_places", "_fit_X", "_min_samples", "condensed_tree_"),
    "HistGradientBoostingBase": ("_columns", "trees_"),
    "HistGradientBoostingClassifier": ("classes_",),
    "HistogramDensity": ("bin_edges_", "cells_", "heights_"),
    "Isomap": ("dist_matrix_", "embedding_", "nbrs_"),
    "IterativeImputer": ("imputation_sequence_", "initial_imputer_"),
    "KBinsDiscretizer": ("bin_edges_", "n_bins_"),
    "KNNImputer": ("_has_value", "_rows"),
    "KernelCenterer": ("K_fit_all_", "K_fit_rows_"),
    "KernelDensity": ("_points", "_sums", "_total", "bandwidth_"),
    "KernelPCA": ("eigenvalues_", "eigenvectors_", "gamma_", "kernel_means_"),
    "KernelRegressor": ("X_fit_", "dual_coef_"),
    "LabelBinarizer": ("classes_", "sparse_input_", "y_type_"),
    "LabelEncoder": ("classes_",),
    "LatentDirichletAllocation": ("components_", "doc_topic_prior_", "exp_dirichlet_component_"),
    "LatentRegressor": ("coef_", "intercept_", "x_rotations_", "y_rotations_"),
    "LinearClassifier": ("classes_", "coef_", "intercept_"),
    "LinearDiscriminantAnalysis": ("_bias", "_center", "_weights", "means_", "priors_"),
    "LinearRegressor": ("coef_", "intercept_"),
    "LinearSVR": ("coef_", "intercept_"),
    "LocallyLinearEmbedding": ("embedding_", "nbrs_"),
    "MDS": ("embedding_",),
    "MaxAbsScaler": ("max_abs_", "scale_"),
    "MeanShift": ("cluster_centers_",),
    "MinMaxScaler": ("data_max_", "data_min_", "min_", "scale_"),
    "MiniBatchDictionaryLearning": ("components_",),
    "MultiLabelBinarizer": ("classes_",),
    "MultilayerPerceptron": ("coefs_", "intercepts_", "n_outputs_", "out_activation_"),
    "NaiveBayes": ("class_prior_", "classes_", "features_", "models_"),
    "NearestCentroid": (
        "centroids_", "class_prior_", "classes_", "deviations_", "within_class_std_dev_",
    ),
    "NeighborsBase": ("_fit_X", "_index", "effective_metric_", "effective_metric_params_"),
    "NeighborsClassifierBase": ("_y", "classes_", "outputs_2d_"),
    "NeighborsRegressorBase": ("_y",),
    "NonnegativeFactors": ("components_",),
    "NormalPosterior": ("coef_", "intercept_"),
    "NumberPart": ("center", "column", "fill", "keep", "mark", "names", "scale", "spread", "steps"),
    "Nystroem": ("component_indices_", "components_", "normalization_"),
    "OneClassSVM": ("offset_",),
    "OneHotEncoder": ("_block",),
    "OneVsOneClassifier": ("estimators_", "pairwise_indices_"),
    "OrdinalEncoder": ("_numbers",),
    "PLSSVD": ("x_weights_", "y_weights_"),
    "PairFeatures": ("_n_features_out", "operations_", "pairs_"),
    "PenalizedRegression": ("coef_", "intercept_"),
    "PolynomialCountSketch": ("bitHash_", "indexHash_"),
    "PolynomialFeatures": ("n_output_features_",),
    "PowerTransformer": ("_middles", "lambdas_"),
    "PrincipalComponents": (
        "components_", "explained_variance_", "mean_", "n_components_", "noise_variance_",
    ),
    "QuadraticDiscriminantAnalysis": ("_log_det", "_spread", "means_", "priors_"),
    "QuantileTransformer": ("quantiles_", "references_"),
    "RBFFeatures": ("centers_", "width_"),
    "RadiusNeighborsClassifier": ("outlier_label_",),
    "RandomProjection": ("components_",),
    "RandomTreesEmbedding": ("_n_features_out", "_trees"),
    "RandomWaves": ("random_offset_", "random_weights_"),
    "ReadsColumns": ("column_categories_", "n_outputs_"),
    "RecursiveElimination": ("estimator_", "ranking_", "support_"),
    "RobustRegressor": ("coef_", "intercept_"),
    "RobustScaler": ("center_", "scale_"),
    "SequentialFeatureSelector": ("support_",),
    "SimpleImputer": ("statistics_",),
    "SingleMachine": ("support_",),
    "SparseProjection": ("components_", "mean_"),
    "SplineTransformer": ("bsplines_",),
    "StackingBase": ("estimators_", "final_estimator_", "stack_method_"),
    "StackingClassifier": ("classes_",),
    "StandardScaler": ("mean_", "scale_", "var_"),
    "StepwiseSelector": ("support_",),
    "StochasticLinear": ("coef_", "intercept_"),
    "SupportVectorClassifier": ("support_",),
    "TabularNetClassifier": ("classes_",),
    "TabularNetRegressor": ("target_mean_", "target_range_", "target_scale_"),
    "TabularNetwork": ("encoder_", "parameters_", "scaler_"),
    "TargetEncoder": ("classes_", "encodings_", "target_mean_", "target_type_"),
    "TransformedTargetRegressor": ("_target_ndim", "regressor_", "transformer_"),
    "TravellingLabels": ("X_", "classes_", "label_distributions_"),
    "TreeBase": ("tree_",),
    "TreeClassifierBase": ("classes_", "n_classes_"),
    "TruncatedSVD": ("components_",),
    "TunedThresholdClassifierCV": ("_positive", "best_threshold_"),
    "TwoBlockModel": ("_predict_1d", "_x_mean", "_x_std", "_y_mean", "_y_std"),
    "UMAP": ("_mean_distance", "a_", "b_", "embedding_", "seed_"),
    "UnivariateFilter": ("pvalues_", "scores_"),
    "VarianceThreshold": ("variances_",),
    "VotingClassifier": ("classes_",),
    "WeightBoostingBase": ("estimator_weights_", "estimators_"),
    "_Voting": ("estimators_",),
}  # fmt: skip
LABELS_ONLY = ("LabelBinarizer", "LabelEncoder", "MultiLabelBinarizer")  # which see no features
# the same, but for one value of a parameter: (parameter, that value, what is learnt otherwise)
UNLESS: dict[str, tuple[str, object, tuple[str, ...]]] = {
    "AffinityPropagation": ("affinity", "precomputed", ("cluster_centers_",)),
    "FastICA": ("whiten", False, ("mean_",)),
    "LinearDiscriminantAnalysis": ("solver", "lsqr", ("_n_features_out", "scalings_")),
    "PowerTransformer": ("standardize", False, ("_scaler",)),
}


def missing(built: Any) -> list[str]:
    """What a fitted estimator, or a part of one, lacks of what its class always learns.

    >>> from stylobate.preprocessing import StandardScaler
    >>> scaler = StandardScaler().fit([[1.0], [2.0]])
    >>> del scaler.mean_
    >>> missing(scaler), missing(StandardScaler())
    (['mean_'], [])
    """
    names = [name for base in type(built).__mro__ for name in ALWAYS.get(base.__name__, ())]
    parameter, value, others = UNLESS.get(type(built).__name__, ("", None, ()))
    if getattr(built, parameter, value) != value:
        names += others
    if not names:
        return []
    state = vars(built)
    if not is_estimator(type(built)):  # a part of one, kept once it has learnt
        return [name for name in names if name not in state]
    if not any(name in state for name in names) and not _is_fitted(built):
        return []
    own = type(built).__name__ not in LABELS_ONLY and not hasattr(type(built), "n_features_in_")
    return [name for name in (*("n_features_in_",) * own, *names) if name not in state]


def _is_fitted(built: Any) -> bool:
    return "n_features_in_" in vars(built) or bool(built.__sklearn_is_fitted__())
