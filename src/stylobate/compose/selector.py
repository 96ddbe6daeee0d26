"""`make_column_selector`: columns by the kind of their values and by their names."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError

_TEXT = ("object", "str", "string", object, str)
_WHOLE = ("integer", "int", int, np.integer)
_REAL = ("floating", "float", float, np.floating)
_TRUTH = ("bool", "boolean", bool, np.bool_)
_DATE = ("datetime", "datetime64", np.datetime64)
_SPAN = ("timedelta", "timedelta64", np.timedelta64)


class make_column_selector:
    """A callable that picks columns of a data frame, for `ColumnTransformer`.

    Columns must meet all conditions given.

    Parameters
    ----------
    pattern : str or None, default=None
        A regular expression to be found in the name.
    dtype_include, dtype_exclude : dtype, str, or list of them, default=None
        Kinds to take or to leave out, in the words of ``pandas.DataFrame.select_dtypes``:
        "number", "object", "category", "bool", "datetime", `numpy.number`, … Frames of polars,
        pyarrow and others take the same words, and dtypes of their own.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"name": ["Ada"], "age": [36], "height": [1.7]})
    >>> make_column_selector(dtype_include="number")(people)
    ['age', 'height']
    >>> make_column_selector("^h", dtype_include="number")(people)
    ['height']
    """

    def __init__(
        self, pattern: str | None = None, *, dtype_include: Any = None, dtype_exclude: Any = None
    ) -> None:
        self.pattern = pattern
        self.dtype_include = dtype_include
        self.dtype_exclude = dtype_exclude

    def __call__(self, df: Any) -> list[Any]:
        """The names of the columns that meet the conditions, in the frame's order.

        Parameters
        ----------
        df : data frame
            Of pandas, polars, pyarrow or any library narwhals knows.
        """
        from stylobate.data.columns import origin_of

        origin = origin_of(df)
        if not origin.is_frame:
            raise InvalidDataError(
                "make_column_selector can only be applied to dataframes, as it looks at names and "
                f"kinds of columns; got {type(df).__name__}."
            )
        choose = self._of_pandas if origin.kind == "pandas" else self._of_others
        names = choose(df)
        if self.pattern is None:
            return names
        return [name for name in names if re.search(self.pattern, str(name))]

    def __repr__(self) -> str:
        given = {k: v for k, v in vars(self).items() if v is not None}
        return f"make_column_selector({', '.join(f'{k}={v!r}' for k, v in given.items())})"

    def _of_pandas(self, df: Any) -> list[Any]:
        if self.dtype_include is None and self.dtype_exclude is None:
            return list(df.columns)
        with warnings.catch_warnings():
            # that "object" still means text as well is what the caller relies on
            warnings.simplefilter("ignore")
            row = df.iloc[:1].select_dtypes(include=self.dtype_include, exclude=self.dtype_exclude)
        return list(row.columns)

    def _of_others(self, df: Any) -> list[str]:
        import narwhals as nw

        frame: Any = nw.from_native(df)
        natives = _native_dtypes(df, frame)
        wanted, unwanted = _tests(self.dtype_include), _tests(self.dtype_exclude)
        return [
            name
            for (name, dtype), native in zip(frame.schema.items(), natives, strict=True)
            if (wanted is None or any(test(dtype, native) for test in wanted))
            and not any(test(dtype, native) for test in unwanted or ())
        ]


Test = Callable[[Any, Any], bool]


def _tests(words: Any) -> list[Test] | None:
    if words is None:
        return None
    listed = words if isinstance(words, list | tuple | set) else [words]
    return [_test(word) for word in listed]


def _test(word: Any) -> Test:
    """Whether a column, by its dtype in narwhals and in its own library, is what a word means."""
    import narwhals as nw

    if _among(word, ("number", np.number)):
        return lambda dtype, native: bool(dtype.is_numeric())
    if _among(word, _WHOLE):
        return lambda dtype, native: bool(dtype.is_integer())
    if _among(word, _REAL):
        return lambda dtype, native: bool(dtype.is_float())
    kinds: dict[Any, tuple[Any, ...]] = {
        _TEXT: (nw.String,),
        ("category",): (nw.Categorical, nw.Enum),
        _TRUTH: (nw.Boolean,),
        _DATE: (nw.Datetime, nw.Date),
        _SPAN: (nw.Duration,),
    }
    for words, dtypes in kinds.items():
        if _among(word, words):
            return lambda dtype, native, dtypes=dtypes: dtype in dtypes  # type: ignore[misc]
    if isinstance(word, str):
        return lambda dtype, native: str(dtype).lower() == word.lower()
    if isinstance(word, np.dtype) or (isinstance(word, type) and issubclass(word, np.generic)):
        return lambda dtype, native: str(dtype).lower() == np.dtype(word).name
    if type(word).__module__.partition(".")[0] == "builtins" and not isinstance(word, type):
        raise InvalidParameterError(
            f"make_column_selector: {word!r} is no kind of column; use words such as 'number', "
            "'object', 'category', 'bool' and 'datetime', or a dtype."
        )
    return lambda dtype, native: bool(native == word or dtype == word)


def _among(word: Any, words: tuple[Any, ...]) -> bool:
    return any(word is each or (isinstance(word, str) and word == each) for each in words)


def _native_dtypes(df: Any, frame: Any) -> list[Any]:
    if hasattr(df, "dtypes"):
        return list(df.dtypes)
    if hasattr(df, "schema") and hasattr(df.schema, "types"):
        return list(df.schema.types)
    return list(frame.schema.values())
