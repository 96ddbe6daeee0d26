"""Columns from columns: encoders of categories, and polynomial, spline and radial bases."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.preprocessing.datetimes import DatetimeEncoder
    from stylobate.preprocessing.geo import GeoEncoder
    from stylobate.preprocessing.label_binarizer import LabelBinarizer, label_binarize
    from stylobate.preprocessing.label_encoder import LabelEncoder
    from stylobate.preprocessing.multilabel import MultiLabelBinarizer
    from stylobate.preprocessing.onehot import OneHotEncoder
    from stylobate.preprocessing.ordinal import OrdinalEncoder
    from stylobate.preprocessing.polynomial import PolynomialFeatures
    from stylobate.preprocessing.radial import RBFFeatures
    from stylobate.preprocessing.spline import SplineTransformer
    from stylobate.preprocessing.table import TableEncoder
    from stylobate.preprocessing.target import TargetEncoder

__all__ = [
    "DatetimeEncoder",
    "GeoEncoder",
    "LabelBinarizer",
    "LabelEncoder",
    "MultiLabelBinarizer",
    "OneHotEncoder",
    "OrdinalEncoder",
    "PolynomialFeatures",
    "RBFFeatures",
    "SplineTransformer",
    "TableEncoder",
    "TargetEncoder",
    "label_binarize",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "DatetimeEncoder": "datetimes",
        "GeoEncoder": "geo",
        "LabelBinarizer": "label_binarizer",
        "LabelEncoder": "label_encoder",
        "MultiLabelBinarizer": "multilabel",
        "OneHotEncoder": "onehot",
        "OrdinalEncoder": "ordinal",
        "PolynomialFeatures": "polynomial",
        "RBFFeatures": "radial",
        "SplineTransformer": "spline",
        "TableEncoder": "table",
        "TargetEncoder": "target",
        "label_binarize": "label_binarizer",
    },
)
