"""Columns from columns: scalers, bins, encoders, bases, and functions of your own."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.preprocessing.binarizer import Binarizer, binarize
    from stylobate.preprocessing.datetimes import DatetimeEncoder
    from stylobate.preprocessing.discretizer import KBinsDiscretizer
    from stylobate.preprocessing.function import FunctionTransformer
    from stylobate.preprocessing.geo import GeoEncoder
    from stylobate.preprocessing.kernel_centerer import KernelCenterer
    from stylobate.preprocessing.label_binarizer import LabelBinarizer, label_binarize
    from stylobate.preprocessing.label_encoder import LabelEncoder
    from stylobate.preprocessing.max_abs import MaxAbsScaler, maxabs_scale
    from stylobate.preprocessing.min_max import MinMaxScaler, minmax_scale
    from stylobate.preprocessing.multilabel import MultiLabelBinarizer
    from stylobate.preprocessing.normalizer import Normalizer, normalize
    from stylobate.preprocessing.onehot import OneHotEncoder
    from stylobate.preprocessing.ordinal import OrdinalEncoder
    from stylobate.preprocessing.polynomial import PolynomialFeatures
    from stylobate.preprocessing.power import PowerTransformer, power_transform
    from stylobate.preprocessing.quantile import QuantileTransformer, quantile_transform
    from stylobate.preprocessing.radial import RBFFeatures
    from stylobate.preprocessing.robust import RobustScaler, robust_scale
    from stylobate.preprocessing.spline import SplineTransformer
    from stylobate.preprocessing.standard import StandardScaler, scale
    from stylobate.preprocessing.table import TableEncoder
    from stylobate.preprocessing.target import TargetEncoder

__all__ = [
    "Binarizer",
    "DatetimeEncoder",
    "FunctionTransformer",
    "GeoEncoder",
    "KBinsDiscretizer",
    "KernelCenterer",
    "LabelBinarizer",
    "LabelEncoder",
    "MaxAbsScaler",
    "MinMaxScaler",
    "MultiLabelBinarizer",
    "Normalizer",
    "OneHotEncoder",
    "OrdinalEncoder",
    "PolynomialFeatures",
    "PowerTransformer",
    "QuantileTransformer",
    "RBFFeatures",
    "RobustScaler",
    "SplineTransformer",
    "StandardScaler",
    "TableEncoder",
    "TargetEncoder",
    "binarize",
    "label_binarize",
    "maxabs_scale",
    "minmax_scale",
    "normalize",
    "power_transform",
    "quantile_transform",
    "robust_scale",
    "scale",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Binarizer": "binarizer",
        "DatetimeEncoder": "datetimes",
        "FunctionTransformer": "function",
        "GeoEncoder": "geo",
        "KBinsDiscretizer": "discretizer",
        "KernelCenterer": "kernel_centerer",
        "LabelBinarizer": "label_binarizer",
        "LabelEncoder": "label_encoder",
        "MaxAbsScaler": "max_abs",
        "MinMaxScaler": "min_max",
        "MultiLabelBinarizer": "multilabel",
        "Normalizer": "normalizer",
        "OneHotEncoder": "onehot",
        "OrdinalEncoder": "ordinal",
        "PolynomialFeatures": "polynomial",
        "PowerTransformer": "power",
        "QuantileTransformer": "quantile",
        "RBFFeatures": "radial",
        "RobustScaler": "robust",
        "SplineTransformer": "spline",
        "StandardScaler": "standard",
        "TableEncoder": "table",
        "TargetEncoder": "target",
        "binarize": "binarizer",
        "label_binarize": "label_binarizer",
        "maxabs_scale": "max_abs",
        "minmax_scale": "min_max",
        "normalize": "normalizer",
        "power_transform": "power",
        "quantile_transform": "quantile",
        "robust_scale": "robust",
        "scale": "standard",
    },
)
