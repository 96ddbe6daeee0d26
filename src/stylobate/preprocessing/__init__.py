"""Columns from columns: encoders of categories, and polynomial, spline and radial bases."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.preprocessing.label_binarizer import LabelBinarizer, label_binarize
    from stylobate.preprocessing.label_encoder import LabelEncoder
    from stylobate.preprocessing.multilabel import MultiLabelBinarizer
    from stylobate.preprocessing.onehot import OneHotEncoder
    from stylobate.preprocessing.ordinal import OrdinalEncoder
    from stylobate.preprocessing.polynomial import PolynomialFeatures
    from stylobate.preprocessing.radial import RBFFeatures
    from stylobate.preprocessing.spline import SplineTransformer
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
        "LabelBinarizer": "label_binarizer",
        "LabelEncoder": "label_encoder",
        "MultiLabelBinarizer": "multilabel",
        "OneHotEncoder": "onehot",
        "OrdinalEncoder": "ordinal",
        "PolynomialFeatures": "polynomial",
        "RBFFeatures": "radial",
        "SplineTransformer": "spline",
        "TargetEncoder": "target",
        "label_binarize": "label_binarizer",
    },
)
