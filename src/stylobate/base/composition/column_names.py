"""Names of the columns that several transformers give, told apart by the transformer's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError

NameStyle = bool | str | Callable[[str, str], str]
_SHOWN = 5


def joint_names(
    parts: Sequence[tuple[str, Sequence[str]]], style: NameStyle
) -> list[NDArray[np.object_]]:
    """The names of all columns, part by part.

    Parameters
    ----------
    parts : sequence of (transformer's name, names of its columns)
    style : bool, str or callable
        True puts ``transformer__`` before each; a string is a format with the fields
        ``transformer_name`` and ``feature_name``; a callable gets the two. False leaves them as
        they are, and refuses names that repeat.

    Returns
    -------
    list of arrays of str

    Examples
    --------
    >>> [list(names) for names in joint_names([("scale", ["age"]), ("keep", ["fare"])], True)]
    [['scale__age'], ['keep__fare']]
    """
    if style is False:
        _refuse_repeats([name for _, names in parts for name in names])
        return [np.array(names, dtype=object) for _, names in parts]
    if callable(style):
        rename = style
    else:
        pattern = style if isinstance(style, str) else "{transformer_name}__{feature_name}"

        def rename(part: str, name: str) -> str:
            return pattern.format(transformer_name=part, feature_name=name)

    return [np.array([rename(part, name) for name in names], dtype=object) for part, names in parts]


def _refuse_repeats(names: Sequence[str]) -> None:
    repeated = sorted(name for name, count in Counter(names).items() if count > 1)
    if not repeated:
        return
    shown = str(repeated[:_SHOWN])
    if len(repeated) > _SHOWN:
        shown = f"{shown[:-1]}, ...]"
    raise InvalidDataError(
        f"Output feature names: {shown} are not unique. Please set "
        "verbose_feature_names_out=True to add prefixes to feature names"
    )
