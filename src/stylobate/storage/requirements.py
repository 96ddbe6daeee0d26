"""What `fit` always sets, by the class that sets it: asked for where a file does not tell.

Files of this version say what each estimator had learnt (`learnt.py`); this table holds for older
files, and for those that say something else than they should.
"""

from __future__ import annotations

from typing import Any

ALWAYS: dict[str, tuple[str, ...]] = {
    "Autoencoder": ("decoder_", "encoder_", "mean_", "scale_"),
    "BernoulliRBM": ("components_", "h_samples_", "intercept_hidden_", "intercept_visible_"),
    "ColumnTransformer": ("_plan", "output_indices_", "sparse_output_", "transformers_"),
    "ConvNetClassifier": (
        "_moments", "_parameters", "_scale", "_seed", "_state", "best_epoch_", "classes_",
        "image_shape_", "layers_", "loss_curve_", "n_iter_", "trace_", "validation_scores_",
    ),
    "DummyRegressor": ("constant_", "n_outputs_"),
    "HistogramDensity": ("bin_edges_", "cells_", "heights_"),
    "KBinsDiscretizer": ("bin_edges_", "n_bins_"),
    "KNNImputer": ("_has_value", "_rows"),
    "KernelCenterer": ("K_fit_all_", "K_fit_rows_"),
    "KernelDensity": ("_points", "_sums", "_total", "bandwidth_"),
    "LinearClassifier": ("classes_", "coef_", "intercept_"),
    "LinearRegressor": ("coef_", "intercept_"),
    "MinMaxScaler": ("min_", "scale_"),
    "MultilayerPerceptron": ("coefs_", "intercepts_", "n_outputs_", "out_activation_"),
    "NeighborsBase": ("_fit_X", "_index", "effective_metric_", "effective_metric_params_"),
    "NeighborsClassifierBase": ("_y", "classes_", "outputs_2d_"),
    "NeighborsRegressorBase": ("_y",),
    "Nystroem": ("component_indices_", "components_", "normalization_"),
    "PolynomialCountSketch": ("bitHash_", "indexHash_"),
    "PowerTransformer": ("lambdas_",),
    "QuantileTransformer": ("quantiles_", "references_"),
    "RBFFeatures": ("centers_", "width_"),
    "RandomWaves": ("random_offset_", "random_weights_"),
    "ReadsColumns": ("column_categories_", "n_outputs_"),
    "RobustScaler": ("center_", "scale_"),
    "StackingBase": ("estimators_", "final_estimator_", "stack_method_"),
    "StandardScaler": ("mean_", "scale_", "var_"),
}  # fmt: skip


def missing(built: Any) -> list[str]:
    """What a fitted estimator lacks of what its class always learns.

    >>> from stylobate.preprocessing import StandardScaler
    >>> scaler = StandardScaler().fit([[1.0], [2.0]])
    >>> del scaler.mean_
    >>> missing(scaler), missing(StandardScaler())
    (['mean_'], [])
    """
    state = vars(built)
    names = [name for base in type(built).__mro__ for name in ALWAYS.get(base.__name__, ())]
    if not names or (not any(name in state for name in names) and not _is_fitted(built)):
        return []
    return [name for name in ("n_features_in_", *names) if name not in state]


def _is_fitted(built: Any) -> bool:
    return "n_features_in_" in vars(built) or bool(built.__sklearn_is_fitted__())
