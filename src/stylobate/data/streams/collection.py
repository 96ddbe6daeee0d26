"""All rows of a stream in memory, as far as that is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.config import get_config
from stylobate.data.column_table import ColumnTable
from stylobate.data.sparse import is_sparse
from stylobate.data.streams.stream import Batch, Stream
from stylobate.exceptions import InvalidDataError, UnsupportedDataError


def collect(stream: Stream, owner: str, reason: str) -> Batch:
    """The rows of a stream as one batch, refused beyond the setting ``collect_limit``.

    Parameters
    ----------
    stream : Stream
        What to read, once.
    owner : str
        Who asks, named in refusals.
    reason : str
        Why the rows are needed: the tier of the estimator.

    Examples
    --------
    >>> stream = Stream(lambda: iter([Batch([[1.0]], [1]), Batch([[2.0]], [0])]))
    >>> collect(stream, "RandomForestClassifier", "all rows").y
    [1, 0]
    """
    limit = int(get_config()["collect_limit"])
    kept: list[Batch] = []
    size = 0
    for batch in stream:
        size += sum(_bytes(part) for part in batch if part is not None)
        if size > limit:
            raise UnsupportedDataError(
                f"{owner} learns from {reason} in memory, and those of {stream.name} take more "
                f"than {limit / 1e6:,.0f} MB. Choose an estimator that learns in passes (see the "
                "page on streams), fit to a sample, or raise the limit by "
                "set_config(collect_limit=<bytes>)."
            )
        kept.append(batch)
    if not kept:
        raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")
    return Batch(*(_joined(parts) for parts in zip(*kept, strict=True)))


def _bytes(part: Any) -> int:
    if isinstance(part, ColumnTable):
        return sum(map(_bytes, part.values()))
    if is_sparse(part):
        return int(part.data.nbytes + part.indices.nbytes + part.indptr.nbytes)
    size = getattr(part, "nbytes", None)
    if isinstance(size, int | np.integer):
        objects = isinstance(part, np.ndarray) and part.dtype.kind == "O"
        return int(size) * (8 if objects else 1)
    if hasattr(part, "estimated_size"):
        return int(part.estimated_size())
    if hasattr(part, "memory_usage"):
        return int(part.memory_usage(index=False, deep=True).sum())
    return int(np.asarray(part).nbytes)


def _joined(parts: Sequence[Any]) -> Any:
    """Parts of a column or table, one below the other, in their own container."""
    head = parts[0]
    if head is None or len(parts) == 1:
        return head
    if isinstance(head, list):
        return [row for part in parts for row in part]
    if isinstance(head, np.ndarray):
        return np.concatenate(parts)
    if isinstance(head, ColumnTable):
        names = head.columns
        return ColumnTable({n: np.concatenate([part[n] for part in parts]) for n in names})
    if is_sparse(head):
        from scipy import sparse

        return sparse.vstack(parts, format="csr")
    import narwhals as nw

    frames = [nw.from_native(part, allow_series=True) for part in parts]
    return nw.concat(frames).to_native()
