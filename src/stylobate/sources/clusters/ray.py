"""Ray: datasets, block by block."""

from __future__ import annotations

from copy import copy
from typing import Any

from stylobate.data.streams.columns import ColumnRoles
from stylobate.exceptions import ClusterError, UnsupportedDataError
from stylobate.sources.clusters.opened import FrameOpener
from stylobate.sources.clusters.partitions import Partitions, Told
from stylobate.sources.clusters.tree import levels
from stylobate.sources.clusters.work import merged_message, partition_message, share_message

RETRIES = 3  # of a task whose worker was lost


def partitions_of(X: Any, roles: ColumnRoles) -> Partitions:
    """The blocks of a dataset."""
    if not hasattr(X, "map_batches"):
        raise UnsupportedDataError(
            f"{roles.owner}: a Ray {type(X).__name__} has no rows; pass a ray.data.Dataset."
        )
    return RayBlocks(X, roles)


class RayBlocks(Partitions):
    """A dataset, whose blocks in Arrow's form are the partitions, in the order it has."""

    def __init__(self, dataset: Any, roles: ColumnRoles) -> None:
        from ray import cloudpickle

        self.pickler = cloudpickle
        names = _asked(lambda: dataset.columns())
        self.columns = None if names is None else tuple(names)
        if self.columns is not None and not roles.none:
            wanted = list(roles.columns(self.columns))
            if wanted != list(self.columns):
                self.chosen: list[str] | None = wanted
            else:
                self.chosen = None
        else:
            self.chosen = None
        self.dataset = dataset
        self.name, self.opened = "the Ray dataset", FrameOpener(roles)
        self._blocks: list[Any] | None = None

    def blocks(self) -> list[Any]:
        """References to the blocks; the dataset is computed once, and held by the cluster."""
        if self._blocks is None:
            dataset = self.dataset
            dataset.context.execution_options.preserve_order = True
            if self.chosen is not None:
                dataset = dataset.select_columns(self.chosen)
            self._blocks = _asked(dataset.to_arrow_refs)
        return self._blocks

    def count(self) -> int | None:
        return len(self.blocks())

    def reduced(self, task: bytes, told: Told) -> bytes:
        return self._passed(task, 0, told)

    def shared(self, task: bytes, shares: int, told: Told) -> bytes:
        return self._passed(task, shares, told)

    def slots(self) -> int:
        import ray

        return int(_asked(ray.cluster_resources).get("CPU", 1))

    def _passed(self, task: bytes, shares: int, told: Told) -> bytes:
        def passed() -> bytes:
            import ray

            shared = ray.put(task)
            of_partition = ray.remote(num_cpus=1, max_retries=RETRIES)(_of_partition)
            of_several = ray.remote(num_cpus=1, max_retries=RETRIES)(_of_several)
            leaves = [of_partition.remote(shared, k, b) for k, b in enumerate(self.blocks())]
            if not leaves:
                return partition_message(task, 0, [])
            of_share = ray.remote(num_cpus=1, max_retries=RETRIES)(_of_share)
            tops = [of_share.remote(shared, k, *leaves) for k in range(shares)]
            root = levels(tops or leaves, lambda parts: of_several.remote(shared, *parts))
            _watch(list(leaves), told)
            found: bytes = ray.get(root)
            return found

        return _asked(passed)  # type: ignore[no-any-return]

    def head(self) -> Any:
        def first() -> Any:
            import ray

            first_row = ray.remote(num_cpus=1, max_retries=RETRIES)(_first_row)
            for block in self.blocks():
                found = ray.get(first_row.remote(block))
                if found is not None:
                    return found
            return None

        return _asked(first)

    def kept(self) -> Partitions:
        self.blocks()
        return copy(self)

    def answered(self, answer: Any) -> Any:
        return self.dataset.map_batches(answer.of_arrow, batch_format="pyarrow", batch_size=None)


def _of_partition(task: bytes, partition: int, block: Any) -> bytes:
    return partition_message(task, partition, [block])


def _of_several(task: bytes, *messages: bytes) -> bytes:
    return merged_message(task, messages)


def _of_share(task: bytes, share: int, *messages: bytes) -> bytes:
    return share_message(task, share, messages)


def _first_row(block: Any) -> Any:
    return block.slice(0, 1) if block.num_rows else None


def _watch(waiting: list[Any], told: Told) -> None:
    import ray

    while waiting:
        done, waiting = ray.wait(waiting, num_returns=1, timeout=1.0)
        told(len(done))


def _asked(ask: Any) -> Any:
    """What Ray answers, refused in a sentence where the cluster fails."""
    import ray.exceptions as lost

    try:
        return ask()
    except (lost.RayTaskError, lost.UserCodeException) as error:
        raise ClusterError(f"A task of Ray failed: {_last_line(error)}") from error
    except (lost.RayError, lost.RaySystemError, ConnectionError) as error:
        raise ClusterError(
            f"The Ray cluster could not finish a pass: {_last_line(error)} Look at its dashboard "
            "whether workers die of memory (smaller blocks help), or start Ray again."
        ) from error


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300].rstrip(".") + "."
