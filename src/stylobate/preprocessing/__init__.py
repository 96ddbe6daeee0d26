"""Columns from columns: scalers, encoders of categories, bases, and functions of your own."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.preprocessing.binarizing import Binarizer, binarize
    from stylobate.preprocessing.function import FunctionTransformer
    from stylobate.preprocessing.label_binarizer import LabelBinarizer, label_binarize
    from stylobate.preprocessing.label_encoder import LabelEncoder
    from stylobate.preprocessing.max_abs import MaxAbsScaler, maxabs_scale
    from stylobate.preprocessing.min_max import MinMaxScaler, minmax_scale
    from stylobate.preprocessing.multilabel import MultiLabelBinarizer
    from stylobate.preprocessing.normalizing import Normalizer, normalize
    from stylobate.preprocessing.onehot import OneHotEncoder
    from stylobate.preprocessing.ordinal import OrdinalEncoder
    from stylobate.preprocessing.polynomial import PolynomialFeatures
    from stylobate.preprocessing.radial import RBFFeatures
    from stylobate.preprocessing.robust import RobustScaler, robust_scale
    from stylobate.preprocessing.spline import SplineTransformer
    from stylobate.preprocessing.standard import StandardScaler, scale
    from stylobate.preprocessing.target import TargetEncoder

__all__ = [
    "Binarizer",
    "FunctionTransformer",
    "LabelBinarizer",
    "LabelEncoder",
    "MaxAbsScaler",
    "MinMaxScaler",
    "MultiLabelBinarizer",
    "Normalizer",
    "OneHotEncoder",
    "OrdinalEncoder",
    "PolynomialFeatures",
    "RBFFeatures",
    "RobustScaler",
    "SplineTransformer",
    "StandardScaler",
    "TargetEncoder",
    "binarize",
    "label_binarize",
    "maxabs_scale",
    "minmax_scale",
    "normalize",
    "robust_scale",
    "scale",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Binarizer": "binarizing",
        "FunctionTransformer": "function",
        "LabelBinarizer": "label_binarizer",
        "LabelEncoder": "label_encoder",
        "MaxAbsScaler": "max_abs",
        "MinMaxScaler": "min_max",
        "MultiLabelBinarizer": "multilabel",
        "Normalizer": "normalizing",
        "OneHotEncoder": "onehot",
        "OrdinalEncoder": "ordinal",
        "PolynomialFeatures": "polynomial",
        "RBFFeatures": "radial",
        "RobustScaler": "robust",
        "SplineTransformer": "spline",
        "StandardScaler": "standard",
        "TargetEncoder": "target",
        "binarize": "binarizing",
        "label_binarize": "label_binarizer",
        "maxabs_scale": "max_abs",
        "minmax_scale": "min_max",
        "normalize": "normalizing",
        "robust_scale": "robust",
        "scale": "standard",
    },
)
