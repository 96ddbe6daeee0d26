"""Columns from columns: scalers, bases, and functions of your own."""
"""Columns from columns: encoders of categories, and polynomial, spline and radial bases."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.preprocessing.binarizing import Binarizer, binarize
    from stylobate.preprocessing.function import FunctionTransformer
    from stylobate.preprocessing.max_abs import MaxAbsScaler, maxabs_scale
    from stylobate.preprocessing.min_max import MinMaxScaler, minmax_scale
    from stylobate.preprocessing.normalizing import Normalizer, normalize
    from stylobate.preprocessing.label_binarizer import LabelBinarizer, label_binarize
    from stylobate.preprocessing.label_encoder import LabelEncoder
    from stylobate.preprocessing.multilabel import MultiLabelBinarizer
    from stylobate.preprocessing.onehot import OneHotEncoder
    from stylobate.preprocessing.ordinal import OrdinalEncoder
    from stylobate.preprocessing.polynomial import PolynomialFeatures
    from stylobate.preprocessing.radial import RBFFeatures
    from stylobate.preprocessing.robust import RobustScaler, robust_scale
    from stylobate.preprocessing.spline import SplineTransformer
    from stylobate.preprocessing.standard import StandardScaler, scale

__all__ = [
    "Binarizer",
    "FunctionTransformer",
    "MaxAbsScaler",
    "MinMaxScaler",
    "Normalizer",
    "PolynomialFeatures",
    "RBFFeatures",
    "RobustScaler",
    "SplineTransformer",
    "StandardScaler",
    "binarize",
    "maxabs_scale",
    "minmax_scale",
    "normalize",
    "robust_scale",
    "scale",
    from stylobate.preprocessing.target import TargetEncoder

__all__ = [
    "LabelBinarizer",
    "LabelEncoder",
    "MultiLabelBinarizer",
    "OneHotEncoder",
    "OrdinalEncoder",
    "PolynomialFeatures",
    "RBFFeatures",
    "SplineTransformer",
    "TargetEncoder",
    "label_binarize",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Binarizer": "binarizing",
        "FunctionTransformer": "function",
        "MaxAbsScaler": "max_abs",
        "MinMaxScaler": "min_max",
        "Normalizer": "normalizing",
        "LabelBinarizer": "label_binarizer",
        "LabelEncoder": "label_encoder",
        "MultiLabelBinarizer": "multilabel",
        "OneHotEncoder": "onehot",
        "OrdinalEncoder": "ordinal",
        "PolynomialFeatures": "polynomial",
        "RBFFeatures": "radial",
        "RobustScaler": "robust",
        "SplineTransformer": "spline",
        "StandardScaler": "standard",
        "binarize": "binarizing",
        "maxabs_scale": "max_abs",
        "minmax_scale": "min_max",
        "normalize": "normalizing",
        "robust_scale": "robust",
        "scale": "standard",
        "TargetEncoder": "target",
        "label_binarize": "label_binarizer",
    },
)
