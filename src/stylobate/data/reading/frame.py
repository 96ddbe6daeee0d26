"""Data frames of any library as DuckDB takes them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from stylobate.data.reading.errors import refuse
from stylobate.data.words import kind_of


def as_registered(frame: Any) -> Any:
    """The frame itself if DuckDB knows it, else as an Arrow table."""
    root = type(frame).__module__.partition(".")[0]
    if root == "narwhals":
        frame = frame.to_native()
        root = type(frame).__module__.partition(".")[0]
    if root == "pandas":
        return _with_text_names(frame)
    if root == "polars":
        return frame.collect() if hasattr(frame, "collect") else frame
    if not find_spec("pyarrow"):
        refuse(kind_of(frame), "install pyarrow to read this frame.")
    import pyarrow

    return frame if isinstance(frame, pyarrow.Table) else pyarrow.table(frame)


def _with_text_names(frame: Any) -> Any:
    """A pandas frame whose names are text, no two alike; its values are not copied."""
    from stylobate.data.reading.header import unique_names

    names, _ = unique_names([str(name) for name in frame.columns])
    if list(names) == list(frame.columns):
        return frame
    renamed = frame.copy(deep=False)
    renamed.columns = list(names)
    return renamed
