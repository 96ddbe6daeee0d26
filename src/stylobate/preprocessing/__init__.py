"""Columns from columns: scalers, bins, encoders, bases, and functions of your own."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.preprocessing.bases.polynomial import PolynomialFeatures
    from stylobate.preprocessing.bases.radial import RBFFeatures
    from stylobate.preprocessing.bases.spline import SplineTransformer
    from stylobate.preprocessing.bins.binarizer import Binarizer, binarize
    from stylobate.preprocessing.bins.discretizer import KBinsDiscretizer
    from stylobate.preprocessing.encoding.onehot import OneHotEncoder
    from stylobate.preprocessing.encoding.ordinal import OrdinalEncoder
    from stylobate.preprocessing.encoding.target import TargetEncoder
    from stylobate.preprocessing.function import FunctionTransformer
    from stylobate.preprocessing.labels.label_binarizer import LabelBinarizer, label_binarize
    from stylobate.preprocessing.labels.label_encoder import LabelEncoder
    from stylobate.preprocessing.labels.multilabel import MultiLabelBinarizer
    from stylobate.preprocessing.scaling.kernel_centerer import KernelCenterer
    from stylobate.preprocessing.scaling.max_abs import MaxAbsScaler, maxabs_scale
    from stylobate.preprocessing.scaling.min_max import MinMaxScaler, minmax_scale
    from stylobate.preprocessing.scaling.normalizer import Normalizer, normalize
    from stylobate.preprocessing.scaling.power import PowerTransformer, power_transform
    from stylobate.preprocessing.scaling.quantile import QuantileTransformer, quantile_transform
    from stylobate.preprocessing.scaling.robust import RobustScaler, robust_scale
    from stylobate.preprocessing.scaling.standard import StandardScaler, scale
    from stylobate.preprocessing.table.encoder import TableEncoder
    from stylobate.preprocessing.time_and_place.datetimes import DatetimeEncoder
    from stylobate.preprocessing.time_and_place.geo import GeoEncoder

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
        "Binarizer": "bins.binarizer",
        "DatetimeEncoder": "time_and_place.datetimes",
        "FunctionTransformer": "function",
        "GeoEncoder": "time_and_place.geo",
        "KBinsDiscretizer": "bins.discretizer",
        "KernelCenterer": "scaling.kernel_centerer",
        "LabelBinarizer": "labels.label_binarizer",
        "LabelEncoder": "labels.label_encoder",
        "MaxAbsScaler": "scaling.max_abs",
        "MinMaxScaler": "scaling.min_max",
        "MultiLabelBinarizer": "labels.multilabel",
        "Normalizer": "scaling.normalizer",
        "OneHotEncoder": "encoding.onehot",
        "OrdinalEncoder": "encoding.ordinal",
        "PolynomialFeatures": "bases.polynomial",
        "PowerTransformer": "scaling.power",
        "QuantileTransformer": "scaling.quantile",
        "RBFFeatures": "bases.radial",
        "RobustScaler": "scaling.robust",
        "SplineTransformer": "bases.spline",
        "StandardScaler": "scaling.standard",
        "TableEncoder": "table.encoder",
        "TargetEncoder": "encoding.target",
        "binarize": "bins.binarizer",
        "label_binarize": "labels.label_binarizer",
        "maxabs_scale": "scaling.max_abs",
        "minmax_scale": "scaling.min_max",
        "normalize": "scaling.normalizer",
        "power_transform": "scaling.power",
        "quantile_transform": "scaling.quantile",
        "robust_scale": "scaling.robust",
        "scale": "scaling.standard",
    },
)
