"""Spark: data frames, whose partitions reach Python as Arrow batches (`mapInArrow`)."""

from __future__ import annotations

import sys
import warnings
import weakref
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

from stylobate.data.streams.columns import ColumnRoles
from stylobate.exceptions import ClusterError, InvalidDataError, UnsupportedDataError
from stylobate.sources.clusters.opened import FrameOpener
from stylobate.sources.clusters.partitions import Partitions, Told
from stylobate.sources.clusters.tree import WIDTH, levels
from stylobate.sources.clusters.work import merged_message, partition_message, share_message

GROUP = WIDTH * WIDTH  # partitions whose messages a worker merges where they are many
MANY = 512
_SCHEMA = "part long, message binary"
_SHARED = "share long, part long, message binary"


def partitions_of(X: Any, roles: ColumnRoles) -> Partitions:
    """The partitions of a data frame."""
    if not hasattr(X, "mapInArrow"):
        raise UnsupportedDataError(
            f"{roles.owner}: a Spark {type(X).__name__} has no rows; pass a Spark DataFrame."
        )
    return SparkFrame(X, roles)


class SparkFrame(Partitions):
    """A data frame; what reaches the driver is a message of each partition, or of 64 of them."""

    def __init__(self, frame: Any, roles: ColumnRoles) -> None:
        from pyspark import cloudpickle

        self.pickler = cloudpickle
        self.whole = frame
        self.columns = tuple(frame.columns)
        wanted = list(self.columns) if roles.none else list(roles.columns(self.columns))
        self.frame = frame.select(*(_quoted(name) for name in wanted))
        self.name, self.opened = "the Spark data frame", FrameOpener(roles)

    def count(self) -> int | None:
        try:
            return int(self.frame.rdd.getNumPartitions())
        except Exception:  # Spark Connect has no such thing
            return None

    def reduced(self, task: bytes, told: Told) -> bytes:
        def passed() -> bytes:
            shared = _shared(self.frame, task)
            messages = self.frame.mapInArrow(_Leaf(shared), _SCHEMA)
            many = (self.count() or 0) > MANY
            if many:
                from pyspark.sql import functions as f

                group = f.floor(f.col("part") / GROUP)
                messages = messages.groupBy(group).applyInArrow(_branch(shared), _SCHEMA)
            rows = sorted((row.part, bytes(row.message)) for row in messages.collect())
            told(self.count() or len(rows))
            leaves = [message for _, message in rows]
            if not leaves:
                return partition_message(task, 0, [])
            return levels(leaves, lambda parts: merged_message(task, parts))

        return _asked(passed)  # type: ignore[no-any-return]

    def shared(self, task: bytes, shares: int, told: Told) -> bytes:
        def passed() -> bytes:
            shared = _shared(self.frame, task)
            leaves = self.frame.mapInArrow(_SharedLeaf(shared, shares), _SHARED)
            made = leaves.groupBy("share").applyInArrow(_share(shared), _SCHEMA)
            rows = sorted((row.part, bytes(row.message)) for row in made.collect())
            told(self.count() or 0)
            if not rows:
                return partition_message(task, 0, [])
            tops = [message for _, message in rows]
            return levels(tops, lambda parts: merged_message(task, parts))

        return _asked(passed)  # type: ignore[no-any-return]

    def slots(self) -> int:
        try:
            return int(self.frame.sparkSession.sparkContext.defaultParallelism)
        except Exception:  # Spark Connect does not say
            return 1

    def head(self) -> Any:
        found = _asked(lambda: self.frame.limit(1).toArrow())
        return found if found.num_rows else None

    def kept(self) -> Partitions:
        from pyspark import StorageLevel

        made = copy(self)
        made.frame = self.frame.persist(StorageLevel.MEMORY_AND_DISK)
        weakref.finalize(made, _release, made.frame)
        return made

    def answered(self, answer: Any) -> Any:
        from pyspark.sql.pandas.types import from_arrow_schema

        head = _asked(lambda: self.whole.limit(1).toArrow())
        if not head.num_rows:
            raise ClusterError(f"{self.name} has no rows.")
        schema = from_arrow_schema(answer.of_arrow(head).schema)
        return _asked(lambda: self.whole.mapInArrow(_Answers(answer), schema))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _release(frame: Any) -> None:
    try:
        frame.unpersist()
    except Exception:  # the session has ended, and all it held with it
        return


class _Shared:
    """Bytes that the executors fetch once (a broadcast), or carry along where there is none."""

    def __init__(self, broadcast: Any, plain: bytes | None) -> None:
        self.broadcast, self.plain = broadcast, plain

    @property
    def value(self) -> bytes:
        return self.broadcast.value if self.plain is None else self.plain


def _shared(frame: Any, task: bytes) -> _Shared:
    if len(task) < 1 << 16:
        return _Shared(None, task)
    return _Shared(frame.sparkSession.sparkContext.broadcast(task), None)


class _Leaf:
    """The message of a partition."""

    def __init__(self, shared: _Shared) -> None:
        self.shared = shared

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        partition, message = self.message(batches)
        yield _row(pyarrow.RecordBatch, partition, message)

    def message(self, batches: Iterator[Any]) -> tuple[int, bytes]:
        """The number of this partition, and its message."""
        from pyspark import TaskContext

        context = TaskContext.get()
        partition = 0 if context is None else context.partitionId()
        return partition, partition_message(self.shared.value, partition, batches)


class _SharedLeaf(_Leaf):
    """The message of a partition, once for each of the shares."""

    def __init__(self, shared: _Shared, shares: int) -> None:
        super().__init__(shared)
        self.shares = shares

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        partition, message = self.message(batches)
        for share in range(self.shares):
            row = _row(pyarrow.RecordBatch, partition, message)
            number = pyarrow.array([share], pyarrow.int64())
            names = ["share", "part", "message"]
            yield pyarrow.RecordBatch.from_arrays([number, *row.columns], names=names)


def _share(shared: _Shared) -> Callable[[Any], Any]:
    """The message of a share, from those of all partitions; Spark counts the arguments."""

    def share(table: Any) -> Any:
        import pyarrow

        columns = table.to_pydict()
        rows = sorted(zip(columns["part"], columns["message"], strict=True))
        number = columns["share"][0]
        message = share_message(shared.value, number, [each for _, each in rows])
        return _row(pyarrow.Table, number, message)

    return share


def _branch(shared: _Shared) -> Callable[[Any], Any]:
    """The message of 64 partitions that follow each other; Spark counts the arguments."""

    def branch(table: Any) -> Any:
        import pyarrow

        columns = table.to_pydict()
        rows = sorted(zip(columns["part"], columns["message"], strict=True))
        task = shared.value
        message = levels([each for _, each in rows], lambda parts: merged_message(task, parts))
        return _row(pyarrow.Table, rows[0][0], message)

    return branch


def _row(kind: Any, partition: int, message: bytes) -> Any:
    import pyarrow

    columns = [
        pyarrow.array([partition], pyarrow.int64()),
        pyarrow.array([message], pyarrow.binary()),
    ]
    return kind.from_arrays(columns, names=["part", "message"])


class _Answers:
    """What a model answers to a partition, batch by batch."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            if batch.num_rows:
                yield from self.answer.of_arrow(batch).to_batches()


def _is_of_data(error: Any) -> bool:
    """Whether a cell is not what its column's type says (states 22… of SQL)."""
    state = getattr(error, "getSqlState", lambda: None)()
    return str(state or "").startswith("22")


def _asked(ask: Any) -> Any:
    """What Spark answers, refused in a sentence where it fails."""
    from py4j.protocol import Py4JError, Py4JNetworkError
    from pyspark.errors import PySparkException

    try:
        with warnings.catch_warnings():  # of pandas' version: what is sent here is Arrow's alone
            warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
            return ask()
    except (Py4JNetworkError, ConnectionError) as error:
        raise ClusterError(
            "The Spark session is gone; start it again (SparkSession.builder.getOrCreate())."
        ) from error
    except (PySparkException, Py4JError) as error:
        if "No module named" in str(error):
            missing = str(error).split("No module named", 1)[1].split()[0]
            raise ClusterError(
                f"Spark's workers run a Python that lacks a package this one has: {missing}. Set "
                f"PYSPARK_PYTHON to one that has it, here {sys.executable}, before Spark starts."
            ) from error
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        if _is_of_data(error):
            raise InvalidDataError(f"Spark cannot read the rows: {lines[0][:300]}") from error
        raise ClusterError(
            f"Spark could not finish a pass: {' '.join(lines)[:300]} Look at its page whether "
            "executors die of memory (smaller partitions help)."
        ) from error
    except AttributeError as error:
        if "_jsc" not in str(error) and "NoneType" not in str(error):
            raise
        raise ClusterError(
            "The Spark session is gone; start it again (SparkSession.builder.getOrCreate())."
        ) from error
