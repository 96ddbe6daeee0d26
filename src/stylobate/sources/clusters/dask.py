"""Dask: data frames, arrays and bags of arrays.

Without a client of `distributed` the work is done by Dask's own scheduler of this process.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from stylobate.data.streams.columns import ColumnRoles
from stylobate.data.streams.progress import is_listening
from stylobate.exceptions import ClusterError, InvalidDataError, UnsupportedDataError
from stylobate.sources.clusters.opened import ArrayOpener, FrameOpener
from stylobate.sources.clusters.partitions import Partitions, Told
from stylobate.sources.clusters.tree import levels
from stylobate.sources.clusters.work import merged_message, partition_message, share_message


def partitions_of(X: Any, roles: ColumnRoles) -> Partitions:
    """The partitions of a Dask collection."""
    if hasattr(X, "divisions"):
        return DaskFrame(X, roles)
    if not roles.none:
        raise InvalidDataError(
            f"{roles.owner}: target, features and weight name columns, and a Dask "
            f"{type(X).__name__} has none; pass y= and sample_weight= as Dask arrays, or a Dask "
            "data frame."
        )
    if hasattr(X, "chunks"):
        return DaskArrays((X,), roles.owner)
    if hasattr(X, "to_delayed") and hasattr(X, "npartitions"):
        return DaskBag(X, roles.owner)
    raise UnsupportedDataError(
        f"{roles.owner}: a Dask {type(X).__name__} has no rows; pass a Dask data frame, array or "
        "bag."
    )


class _Pieces(NamedTuple):
    """The keys of each partition, their collections, and what makes its pieces of them."""

    made: Callable[..., list[Any]]
    keys: list[tuple[Any, ...]]
    collections: list[Any]


class _DaskPartitions(Partitions):
    """What all collections of Dask have in common; `_taken` gives a piece for each partition."""

    columns: tuple[str, ...] | None = None

    def __init__(self) -> None:
        import cloudpickle

        self.pickler = cloudpickle
        self._known: _Pieces | None = None

    def pieces(self) -> _Pieces:
        """The pieces, made once."""
        if self._known is None:
            self._known = self._taken()
        return self._known

    def _taken(self) -> _Pieces:
        raise NotImplementedError

    def count(self) -> int | None:
        return len(self.pieces().keys)

    def reduced(self, task: bytes, told: Told) -> bytes:
        return self._passed(task, 0, told)

    def shared(self, task: bytes, shares: int, told: Told) -> bytes:
        return self._passed(task, shares, told)

    def slots(self) -> int:
        client = _client()
        return 1 if client is None else sum(client.nthreads().values())

    def _passed(self, task: bytes, shares: int, told: Told) -> bytes:
        from dask.delayed import Delayed
        from dask.highlevelgraph import HighLevelGraph

        # written as a graph: a thousand calls of `delayed` take seconds
        name, pieces = f"stylobate-{uuid4().hex}", self.pieces()
        tasks: dict[Any, Any] = {f"{name}-task": task}
        leaves = [f"{name}-0-{k}" for k in range(len(pieces.keys))]
        for k, (leaf, keys) in enumerate(zip(leaves, pieces.keys, strict=True)):
            tasks[leaf] = (_of_partition, f"{name}-task", k, pieces.made, *keys)

        def merge(parts: list[str]) -> str:
            tasks[key := f"{name}-{len(tasks)}"] = (_of_several, f"{name}-task", parts)
            return key

        tops = [f"{name}-share-{k}" for k in range(shares)]
        for k, top in enumerate(tops):
            tasks[top] = (_of_share, f"{name}-task", k, leaves)
        root = levels(tops or leaves, merge)
        graph = HighLevelGraph.from_collections(name, tasks, dependencies=pieces.collections)
        client = _client()
        if client is not None and is_listening():
            futures = client.compute([Delayed(leaf, graph, layer=name) for leaf in leaves])
            _tell(futures, told)  # they are held until the root is there
        found: bytes = _computed(Delayed(root, graph, layer=name), client)
        if client is None:
            told(len(leaves))
        return found

    def head(self) -> Any:
        from dask.delayed import Delayed
        from dask.highlevelgraph import HighLevelGraph

        pieces = self.pieces()
        for keys in pieces.keys:
            name = f"stylobate-first-{uuid4().hex}"
            tasks = {name: (_first_row, pieces.made, *keys)}
            graph = HighLevelGraph.from_collections(name, tasks, dependencies=pieces.collections)
            found = _computed(Delayed(name, graph, layer=name), _client())
            if found is not None:
                return found
        return None


def _of_partition(task: bytes, partition: int, made: Any, *parts: Any) -> bytes:
    return partition_message(task, partition, made(*parts))


def _of_several(task: bytes, messages: list[bytes]) -> bytes:
    return merged_message(task, messages)


def _of_share(task: bytes, share: int, messages: list[bytes]) -> bytes:
    return share_message(task, share, messages)


def _first_row(made: Any, *parts: Any) -> Any:
    """A piece with the first row of a partition; None where there is none."""
    for each in made(*parts):
        if isinstance(each, tuple):
            if len(each[0]):
                return tuple(part[:1] for part in each)
        elif each.shape[0]:
            return each[:1]
    return None


def _client() -> Any:
    """The cluster that the caller has connected to; None: there is none."""
    try:
        from distributed import default_client
    except ImportError:
        return None
    try:
        return default_client()
    except ValueError:
        return None


def _computed(value: Any, client: Any) -> Any:
    """The value of a task, refused in a sentence where the cluster fails."""
    if client is None:
        try:
            return value.compute()
        except ValueError as error:
            if "Missing dependency" not in str(error):
                raise
            raise ClusterError(
                _LOST.format(error="the cluster that held the rows is gone")
            ) from error
    from distributed.core import Status

    try:
        if client.status in ("closed", "closing") or client.scheduler is None:
            raise OSError("the client is closed")
        future = client.compute(value)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise
    except Exception as error:
        kind = type(error).__name__
        lost = ("KilledWorker", "CancelledError", "FutureCancelledError", "FuturesCancelledError")
        if kind in lost or isinstance(error, OSError | TimeoutError) or _is_gone(client, Status):
            raise ClusterError(_LOST.format(error=str(error) or kind)) from error
        raise


_LOST = (
    "The Dask cluster could not finish a pass: {error}. Look at its dashboard whether workers die "
    "of memory (smaller partitions help), or start the cluster again."
)


def _is_gone(client: Any, status: Any) -> bool:
    comm = getattr(client, "scheduler_comm", None)
    return comm is None or comm.comm.closed()


def _tell(futures: list[Any], told: Told) -> None:
    """Tell of each partition as it is done; they are merged by their index all the same."""
    from distributed import as_completed

    for _ in as_completed(futures):
        told(1)


class DaskFrame(_DaskPartitions):
    """A data frame; its partitions are pandas'."""

    def __init__(self, frame: Any, roles: ColumnRoles) -> None:
        super().__init__()
        if not hasattr(frame, "columns"):  # a series
            frame = frame.to_frame()
        self.columns = tuple(str(name) for name in frame.columns)
        wanted = list(roles.columns(self.columns)) if not roles.none else list(frame.columns)
        self.frame, self.wanted = frame, wanted
        self.name, self.opened = "the Dask data frame", FrameOpener(roles)

    def _taken(self) -> _Pieces:
        frame = self.frame if self.wanted == list(self.frame.columns) else self.frame[self.wanted]
        pieces = list(frame.to_delayed())
        return _Pieces(_alone, [(piece.key,) for piece in pieces], pieces)

    def count(self) -> int | None:
        return int(self.frame.npartitions)

    def kept(self) -> Partitions:
        made = copy(self)
        made._known = None
        made.frame = self.frame[self.wanted].persist()
        return made

    def answered(self, answer: Any) -> Any:
        whole = copy(self)
        whole._known = None
        whole.wanted = list(self.frame.columns)
        head = whole.head()
        if head is None:
            head = self.frame._meta_nonempty[:1]
        template = answer.of_frame(head)[:0]
        return self.frame.map_partitions(_answered_frame, answer, template, meta=template)


def _optimized(collection: Any) -> Any:
    """A collection whose graph's tasks are fused; as it is where workers hold all of it."""
    graph = collection.__dask_optimize__(collection.__dask_graph__(), collection.__dask_keys__())
    rebuild, arguments = collection.__dask_postpersist__()
    return rebuild(graph, *arguments) if len(graph) else collection


def _alone(frame: Any) -> list[Any]:
    return [frame]


def _answered_frame(frame: Any, answer: Any, template: Any) -> Any:
    return answer.of_frame(frame) if len(frame) else template


class DaskArrays(_DaskPartitions):
    """Arrays of which each chunk of rows is a partition: X, y and weights side by side."""

    def __init__(self, arrays: tuple[Any, ...], owner: str) -> None:
        super().__init__()
        x = arrays[0]
        if x.ndim != 2:
            raise InvalidDataError(
                f"{owner}: X must be a Dask array of two dimensions, got {x.ndim}."
            )
        self.arrays, self.owner = (
            (x.rechunk({1: -1}) if x.numblocks[1] > 1 else x, *arrays[1:]),
            owner,
        )
        self.name, self.opened = "the Dask array", ArrayOpener(owner)

    def beside(self, y: Any, weights: Any) -> Partitions:
        """X together with targets and weights, cut into its chunks of rows."""
        x = self.arrays[0]
        parts = [x]
        for name, each in (("y", y), ("sample_weight", weights)):
            if each is None:
                if name == "y" and weights is not None:
                    raise InvalidDataError(f"{self.owner}: sample_weight needs y= beside it.")
                continue
            parts.append(self._cut(name, each))
        return DaskArrays(tuple(parts), self.owner)

    def _cut(self, name: str, given: Any) -> Any:
        import dask.array as da

        x = self.arrays[0]
        if hasattr(given, "divisions"):  # a series or a frame
            given = given.to_dask_array()
        if not hasattr(given, "chunks"):
            given = da.from_array(np.asarray(given))
        known = not any(np.isnan(n) for n in (*x.chunks[0], *given.chunks[0]))
        if known and given.shape[0] != x.shape[0]:
            raise InvalidDataError(
                f"{self.owner}: X has {x.shape[0]} rows and {name} has {given.shape[0]}; they must "
                "have the same number."
            )
        if known and given.chunks[0] != x.chunks[0]:
            given = given.rechunk({0: x.chunks[0]})
        if not known and len(given.chunks[0]) != len(x.chunks[0]):
            raise InvalidDataError(
                f"{self.owner}: X has {len(x.chunks[0])} chunks of rows and {name} "
                f"{len(given.chunks[0])}, of unknown sizes; call compute_chunk_sizes() on both."
            )
        return given.rechunk({1: -1}) if given.ndim == 2 and given.numblocks[1] > 1 else given

    def _taken(self) -> _Pieces:
        from dask.core import flatten

        arrays = [_optimized(each) for each in self.arrays]
        keys = [list(flatten(each.__dask_keys__())) for each in arrays]
        return _Pieces(_beside, list(zip(*keys, strict=True)), arrays)

    def count(self) -> int | None:
        return int(self.arrays[0].numblocks[0])

    def kept(self) -> Partitions:
        import dask

        made = copy(self)
        made._known = None
        made.arrays = tuple(dask.persist(*self.arrays))
        return made

    def answered(self, answer: Any) -> Any:
        x = self.arrays[0]
        head = self.head()
        row = np.zeros((1, x.shape[1]), x.dtype) if head is None else head[0]
        template = np.asarray(answer.of_array(row))
        chunks = (x.chunks[0],) if template.ndim == 1 else (x.chunks[0], template.shape[1:])
        return x.map_blocks(
            _answered_array,
            answer,
            template[:0],
            drop_axis=1 if template.ndim == 1 else None,
            chunks=chunks,
            dtype=template.dtype,
            meta=template[:0],
        )


def _beside(*blocks: Any) -> list[Any]:
    return [blocks]


def _answered_array(block: Any, answer: Any, template: Any) -> Any:
    return answer.of_array(block) if len(block) else template


class DaskBag(_DaskPartitions):
    """A bag whose items are X, (X, y) or (X, y, weights)."""

    def __init__(self, bag: Any, owner: str) -> None:
        super().__init__()
        self.bag, self.owner = bag, owner
        self.name, self.opened = "the Dask bag", ArrayOpener(owner)

    def _taken(self) -> _Pieces:
        bag = _optimized(self.bag)
        return _Pieces(list, [(key,) for key in bag.__dask_keys__()], [bag])

    def count(self) -> int | None:
        return int(self.bag.npartitions)

    def kept(self) -> Partitions:
        made = copy(self)
        made._known = None
        made.bag = self.bag.persist()
        return made

    def answered(self, answer: Any) -> Any:
        return self.bag.map(answer.of_item)
