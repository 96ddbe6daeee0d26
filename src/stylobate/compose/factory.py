"""`make_column_transformer`: the names are those of the classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.base.composition.part_names import called_after_classes
from stylobate.compose.column_transformer import ColumnTransformer


def make_column_transformer(
    *transformers: tuple[Any, Any],
    remainder: Any = "drop",
    sparse_threshold: float = 0.3,
    n_jobs: int | None = None,
    verbose: bool = False,
    verbose_feature_names_out: bool | str | Callable[[str, str], str] = True,
) -> ColumnTransformer:
    """A `ColumnTransformer` whose transformers are called after their classes.

    Parameters
    ----------
    *transformers : (transformer, columns)
        As in `ColumnTransformer`, without the names.
    remainder, sparse_threshold, n_jobs, verbose, verbose_feature_names_out
        As in `ColumnTransformer`.

    Returns
    -------
    ColumnTransformer

    Examples
    --------
    >>> from stylobate.preprocessing import PolynomialFeatures
    >>> make_column_transformer((PolynomialFeatures(), ["age"]), ("passthrough", ["fare"]))
    ColumnTransformer(transformers=[('polynomialfeatures', PolynomialFeatures(),
                                     ['age']),
                                    ('passthrough', 'passthrough', ['fare'])])
    """
    named = called_after_classes([transformer for transformer, _ in transformers])
    columns = [each for _, each in transformers]
    return ColumnTransformer(
        [(name, part, each) for (name, part), each in zip(named, columns, strict=True)],
        remainder=remainder,
        sparse_threshold=sparse_threshold,
        n_jobs=n_jobs,
        verbose=verbose,
        verbose_feature_names_out=verbose_feature_names_out,
    )
