"""Tags: what an estimator is and what it takes, as one plain value.

scikit-learn's own tag objects are made from it only when scikit-learn asks
(`BaseEstimator.__sklearn_tags__`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, get_args

from stylobate.base.streams import wrap_methods

EstimatorType = Literal[
    "regressor", "classifier", "clusterer", "outlier_detector", "density_estimator"
]
Tier = Literal["one pass", "one pass per iteration", "several passes", "all rows"]
TIERS: tuple[Tier, ...] = get_args(Tier)  # from the least asked of a source to the most


@dataclass(frozen=True, slots=True)
class Tags:
    """What an estimator is and what it takes.

    Attributes
    ----------
    estimator_type : {"regressor", "classifier", "clusterer", ...} or None
        What it predicts.
    transforms : bool
        Whether it has `transform`.
    tier : {"one pass", "one pass per iteration", "several passes", "all rows"}
        What `fit` asks of a source: one pass over its rows, one for every iteration, a fixed number
        of them, or all rows in memory.
    sparse, allow_nan, positive_only, pairwise, categorical, text : bool
        What X may or must be; categorical columns may hold text; `text`: a column of texts instead
        of a table.
    two_d, one_d, one_d_labels, two_d_labels : bool
        Whether X is a table, may be a single column as a vector, or what is fitted is the labels
        alone.
    requires_y, multi_output, single_output, positive_y : bool
        What y may or must be.
    multi_class, multi_label : bool
        What labels a classifier takes.
    poor_score, non_deterministic, no_validation, requires_fit : bool
        As in scikit-learn.
    exempt : bool
        Whether scikit-learn's checks leave it out, as their own class of that name.
    preserves_dtype : tuple of str
        The dtypes `transform` gives back as they came.

    Examples
    --------
    >>> Tags(estimator_type="regressor", tier="one pass").requires_fit
    True
    """

    estimator_type: EstimatorType | None = None
    transforms: bool = False
    tier: Tier = "all rows"
    sparse: bool = False
    allow_nan: bool = False
    positive_only: bool = False
    pairwise: bool = False
    categorical: bool = False
    two_d: bool = True
    one_d: bool = False
    one_d_labels: bool = False
    two_d_labels: bool = False
    text: bool = False
    requires_y: bool = False
    multi_output: bool = False
    single_output: bool = True
    positive_y: bool = False
    multi_class: bool = True
    multi_label: bool = False
    poor_score: bool = False
    non_deterministic: bool = False
    no_validation: bool = False
    requires_fit: bool = True
    exempt: bool = False
    preserves_dtype: tuple[str, ...] = ("float64",)

    def but(self, **changes: Any) -> Tags:
        """A copy with some tags changed.

        >>> Tags().but(sparse=True).sparse
        True
        """
        return _changed(self, tuple(changes.items()))


@cache  # asked for several times in every fit, and few in number
def _changed(tags: Tags, changes: tuple[tuple[str, Any], ...]) -> Tags:
    return replace(tags, **dict(changes))


class Tagged:
    """Root of the classes that take part in building the tags, each adding to `super()`'s.

    Their methods take streams besides arrays and frames (`base/streams.py`).
    """

    _answers_may_be_missing = False  # NaN and infinity among answers are meant

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        wrap_methods(cls)
        for parent in cls.__mro__[1:]:  # and those of plain mixins, which do not pass here
            if not issubclass(parent, Tagged) and parent.__module__.startswith("stylobate."):
                wrap_methods(parent)

    def _tags(self) -> Tags:
        return Tags()


def to_scikit_learn(tags: Tags) -> Any:
    """The same tags as a ``sklearn.utils.Tags``."""
    from sklearn.utils import (
        ClassifierTags,
        InputTags,
        RegressorTags,
        TargetTags,
        TransformerTags,
    )
    from sklearn.utils import Tags as TheirTags

    kind = tags.estimator_type
    return TheirTags(
        _skip_test=tags.exempt,
        estimator_type=kind,
        target_tags=TargetTags(
            required=tags.requires_y,
            positive_only=tags.positive_y,
            multi_output=tags.multi_output,
            single_output=tags.single_output,
            one_d_labels=tags.one_d_labels,
            two_d_labels=tags.two_d_labels,
        ),
        transformer_tags=(
            TransformerTags(preserves_dtype=list(tags.preserves_dtype)) if tags.transforms else None
        ),
        classifier_tags=(
            ClassifierTags(
                poor_score=tags.poor_score,
                multi_class=tags.multi_class,
                multi_label=tags.multi_label,
            )
            if kind == "classifier"
            else None
        ),
        regressor_tags=RegressorTags(poor_score=tags.poor_score) if kind == "regressor" else None,
        no_validation=tags.no_validation,
        non_deterministic=tags.non_deterministic,
        requires_fit=tags.requires_fit,
        input_tags=InputTags(
            sparse=tags.sparse,
            allow_nan=tags.allow_nan,
            positive_only=tags.positive_only,
            pairwise=tags.pairwise,
            categorical=tags.categorical,
            string=tags.text,
            two_d_array=tags.two_d and not tags.text,
            one_d_array=tags.one_d,
        ),
    )
