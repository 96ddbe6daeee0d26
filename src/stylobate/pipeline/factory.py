"""`make_pipeline` and `make_union`: the names are those of the classes."""

from __future__ import annotations

from typing import Any

from stylobate.base.composition.part_names import called_after_classes
from stylobate.pipeline.pipeline import Pipeline
from stylobate.pipeline.union import FeatureUnion


def make_pipeline(
    *steps: Any,
    memory: Any = None,
    transform_input: list[str] | None = None,
    verbose: bool = False,
) -> Pipeline:
    """A `Pipeline` whose steps are called after their classes.

    Parameters
    ----------
    *steps : estimators or "passthrough"
        In order; all but the last transform.
    memory, transform_input, verbose
        As in `Pipeline`.

    Returns
    -------
    Pipeline

    Examples
    --------
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.preprocessing import PolynomialFeatures
    >>> [name for name, _ in make_pipeline(PolynomialFeatures(), Ridge()).steps]
    ['polynomialfeatures', 'ridge']
    """
    return Pipeline(
        called_after_classes(steps),
        memory=memory,
        transform_input=transform_input,
        verbose=verbose,
    )


def make_union(
    *transformers: Any,
    n_jobs: int | None = None,
    verbose: bool = False,
    verbose_feature_names_out: bool = True,
) -> FeatureUnion:
    """A `FeatureUnion` whose transformers are called after their classes.

    Parameters
    ----------
    *transformers : transformers
        Each gets all columns.
    n_jobs, verbose, verbose_feature_names_out
        As in `FeatureUnion`.

    Returns
    -------
    FeatureUnion

    Examples
    --------
    >>> from stylobate.preprocessing import PolynomialFeatures
    >>> make_union(PolynomialFeatures(2), PolynomialFeatures(3)).named_transformers.keys()
    dict_keys(['polynomialfeatures-1', 'polynomialfeatures-2'])
    """
    return FeatureUnion(
        called_after_classes(transformers),
        n_jobs=n_jobs,
        verbose=verbose,
        verbose_feature_names_out=verbose_feature_names_out,
    )
