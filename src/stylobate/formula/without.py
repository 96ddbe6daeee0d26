"""Why some estimators have no formula, and what would do instead."""

from __future__ import annotations

from typing import Any

_ROWS = (
    "it looks at the rows of its fit for every answer; a tree, a forest or a linear model says "
    "nearly the same by a formula"
)
_WORDS = (
    "databases and ONNX do not take texts apart as it does; keep the model file and use "
    "`stylobate predict`, or encode the texts as categories"
)
_TARGETS = "it is for targets, which a database need not change; models write their own labels"
_IMPUTING = (
    "each value it fills in is a model of its own; SimpleImputer, or a TableEncoder, has a formula"
)
_ITS_OWN_ROWS = "it labels the rows of its fit and no others; KMeans has a formula for new rows"
_CENTRES = (
    "the nearest of its centres under any metric is not written down; KMeans, started at them, has "
    "a formula"
)
_MIXTURE = (
    "densities of its components are not written down; QuadraticDiscriminantAnalysis, fitted to "
    "its labels, has a formula"
)
_CODES = "a code is the answer of a solver, row by row; SparsePCA and PCA have a formula"
_PLACES = "it places rows by their distances to those of its fit; PCA has a formula"
_PARTS = "the parts of a row are the answer of an iteration; PCA and TruncatedSVD have a formula"
_PERCEPTRON = (
    "a product of matrices for every layer is no one expression, but an ONNX graph, which it has; "
    "keep the model file and use `stylobate predict`, or take boosting, which has a formula"
)
_MEMBER_NETWORKS = (
    "a product of matrices for every layer is no one expression, and there is no ONNX graph of it "
    "yet; keep the model file and use `stylobate predict`, or take MLPClassifier or MLPRegressor, "
    "which have a graph"
)
_COVARIANCE = (
    "a covariance matrix is no answer about a row; LinearDiscriminantAnalysis and PCA, which rest "
    "on one, have a formula"
)
_FAR = (
    "how far a row is from the others is no prediction; RobustScaler has a formula, and bounds on "
    "its columns are a query"
)
_CALIBRATED = (
    "its curves are of scores that its models give; those models have a formula, and "
    "LogisticRegression one for probabilities"
)
_CONFORMAL = (
    "its intervals and sets are read off the errors of rows; `estimator_`, which predicts, may "
    "have a formula"
)
_SEVERAL_MODELS = (
    "it is several models, one for each class or output; those of `estimators_` that can have a "
    "formula of their own"
)
_STEPS_OF_ONE_COLUMN = "its line is between its thresholds; DecisionTreeRegressor has a formula"
_KERNEL_OF_ROWS = (
    "it takes a kernel to rows of its fit; Nystroem and a linear model in a pipeline have a formula"
)
_REASONS = {
    "UMAP": _PLACES,
    "TSNE": _PLACES,
    "SpectralEmbedding": _PLACES,
    "NMF": _PARTS,
    "MiniBatchNMF": _PARTS,
    "MDS": _PLACES,
    "LocallyLinearEmbedding": _PLACES,
    "LatentDirichletAllocation": _PARTS,
    "KernelPCA": _PLACES,
    "Isomap": _PLACES,
    "ClassicalMDS": _PLACES,
    "AffinityPropagation": _CENTRES,
    "AgglomerativeClustering": _ITS_OWN_ROWS,
    "BayesianGaussianMixture": _MIXTURE,
    "Birch": _CENTRES,
    "DBSCAN": _ITS_OWN_ROWS,
    "DictionaryLearning": _CODES,
    "DivisiveClustering": _ITS_OWN_ROWS,
    "FeatureAgglomeration": (
        "its groups of columns may be pooled by any function; the mean of a group's columns is one "
        "line of SQL"
    ),
    "GaussianMixture": _MIXTURE,
    "HDBSCAN": _ROWS,
    "KCenter": _CENTRES,
    "KMedoids": _CENTRES,
    "LatentClassMixture": _MIXTURE,
    "MeanShift": _CENTRES,
    "MiniBatchDictionaryLearning": _CODES,
    "OPTICS": _ITS_OWN_ROWS,
    "SparseCoder": _CODES,
    "SpectralClustering": _ITS_OWN_ROWS,
    "AdditiveChi2Sampler": "its kernel has none; RBFSampler and RBFFeatures have a formula",
    "CountVectorizer": _WORDS,
    "HashingVectorizer": _WORDS,
    "HistogramDensity": "a density is no prediction; KBinsDiscretizer writes the same bins",
    "IterativeImputer": _IMPUTING,
    "KNNImputer": _IMPUTING,
    "KNeighborsClassifier": _ROWS,
    "KNeighborsRegressor": _ROWS,
    "KNeighborsTransformer": _ROWS,
    "KernelCenterer": "it takes a kernel to all rows of its fit; RBFFeatures has a formula",
    "KernelDensity": _ROWS,
    "KernelRidge": _KERNEL_OF_ROWS,
    "KernelRidgeCV": _KERNEL_OF_ROWS,
    "EllipticEnvelope": _FAR,
    "IsolationForest": _FAR,
    "EmpiricalCovariance": _COVARIANCE,
    "GraphicalLasso": _COVARIANCE,
    "GraphicalLassoCV": _COVARIANCE,
    "LedoitWolf": _COVARIANCE,
    "MinCovDet": _COVARIANCE,
    "OAS": _COVARIANCE,
    "ShrunkCovariance": _COVARIANCE,
    "CalibratedClassifierCV": _CALIBRATED,
    "ConformalClassifier": _CONFORMAL,
    "ConformalQuantileRegressor": (
        "its intervals are between two models; `lower_estimator_` and `upper_estimator_` may have "
        "a formula"
    ),
    "ConformalRegressor": _CONFORMAL,
    "ClassifierChain": _SEVERAL_MODELS,
    "IsotonicRegression": _STEPS_OF_ONE_COLUMN,
    "Autoencoder": _PERCEPTRON,
    "BernoulliRBM": _PERCEPTRON,
    "ConvNetClassifier": _PERCEPTRON,
    "MLPClassifier": _PERCEPTRON,
    "MLPRegressor": _PERCEPTRON,
    "TabularNetClassifier": _MEMBER_NETWORKS,
    "TabularNetRegressor": _MEMBER_NETWORKS,
    "MultiOutputClassifier": _SEVERAL_MODELS,
    "MultiOutputRegressor": _SEVERAL_MODELS,
    "NuSVC": _KERNEL_OF_ROWS,
    "NuSVR": _KERNEL_OF_ROWS,
    "OneClassSVM": _KERNEL_OF_ROWS,
    "OneVsOneClassifier": _SEVERAL_MODELS,
    "OneVsRestClassifier": _SEVERAL_MODELS,
    "OutputCodeClassifier": _SEVERAL_MODELS,
    "RegressorChain": _SEVERAL_MODELS,
    "SVC": _KERNEL_OF_ROWS,
    "SVR": _KERNEL_OF_ROWS,
    "SVCCV": _KERNEL_OF_ROWS,
    "LabelBinarizer": _TARGETS,
    "LabelEncoder": _TARGETS,
    "LabelPropagation": _ROWS,
    "LabelSpreading": _ROWS,
    "LocalOutlierFactor": _ROWS,
    "MultiLabelBinarizer": _TARGETS,
    "NearestNeighbors": _ROWS,
    "PolynomialCountSketch": (
        "its convolutions have none; PolynomialFeatures makes the same products by a formula"
    ),
    "RadiusNeighborsClassifier": _ROWS,
    "RadiusNeighborsRegressor": _ROWS,
    "RadiusNeighborsTransformer": _ROWS,
    "TfidfTransformer": _WORDS,
    "TfidfVectorizer": _WORDS,
}


def without_formula(estimator: Any) -> str:
    """Why an estimator has no formula: the end of a sentence that names it.

    >>> from stylobate.preprocessing import LabelEncoder
    >>> without_formula(LabelEncoder())
    'for it is for targets, which a database need not change; models write their own labels'
    """
    part = _lacking(estimator)
    name = type(part).__name__
    why = _REASONS.get(name, "its answers are not written down as one")
    return f"for {why}" if part is estimator else f"for its part {name} has no formula: {why}"


def _lacking(estimator: Any) -> Any:
    """The first part of an estimator, of its own parts too, that has no formula."""
    state = vars(estimator)
    parts = [entry[1] for entry in state.get("steps", None) or () if len(entry) > 1]
    for entry in state.get("estimators_", None) or state.get("estimators", None) or ():
        parts.append(entry[1] if isinstance(entry, tuple) else entry)
    parts += [state[name] for name in _INNER if state.get(name) is not None]
    for part in parts:
        if hasattr(part, "get_params") and getattr(part, "_formula", None) is None:
            return _lacking(part)
    return estimator


_INNER = ("best_estimator_", "estimator_", "regressor_", "final_estimator_", "estimator")
