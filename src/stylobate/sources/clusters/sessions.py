"""Files and frames as an engine's own collections, on the cluster there is or on a local one."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

from stylobate.data.streams.origins import is_stream
from stylobate.exceptions import InvalidParameterError, UnsupportedDataError
from stylobate.parallel import get_threads

ENGINES = ("dask", "ray", "spark")
_BATCH_ROWS = 1 << 17
# {engine: (modules it needs, what its collections' modules begin with)}
_NEEDS = {
    "dask": (("dask.dataframe", "distributed"), "dask"),
    "ray": (("ray.data",), "ray"),
    "spark": (("pyspark.sql", "pyarrow"), "pyspark"),
}


def check_engine(engine: Any, owner: str) -> str:
    """The name of an engine; refuses other words, and engines that are not installed.

    Examples
    --------
    >>> check_engine("flink", "Study")
    Traceback (most recent call last):
        ...
    stylobate.exceptions.InvalidParameterError: Study: engine='flink' must be 'dask', 'ray' or \
'spark'.
    """
    if engine not in ENGINES:
        raise InvalidParameterError(f"{owner}: engine={engine!r} must be 'dask', 'ray' or 'spark'.")
    for module in _NEEDS[engine][0]:
        try:
            import_module(module)
        except ImportError as error:
            missing = module.partition(".")[0]
            raise ImportError(
                f"{owner}: engine={engine!r} needs {missing}, which is not installed: "
                f'pip install "stylobate[{engine}]".'
            ) from error
    return str(engine)


def rows_on(engine: str, source: Any, owner: str) -> Any:
    """The rows of a source as a collection of an engine; its collections are handed on.

    Parquet files are read by the workers. Anything else that `stylobate.read` takes is read here
    and handed over in parts, so that types are those of `read`.

    Parameters
    ----------
    engine : {"dask", "ray", "spark"}
    source : path, Relation, data frame or collection of the engine
    owner : str
        Who asks.
    """
    check_engine(engine, owner)
    if is_stream(source) and type(source).__module__.partition(".")[0] == _NEEDS[engine][1]:
        return source
    start, of_parquet, of_parts = _MADE_BY[engine]
    path = _parquet_path(source)
    parts = _parts_of(source) if path is None else []
    start()
    return of_parts(parts) if path is None else of_parquet(path)


def _parquet_path(source: Any) -> str | None:
    """The Parquet file or address that a source names, or is."""
    request = getattr(source, "_request", None)
    if request is not None:
        paths = request.source.paths
        source = paths[0] if len(paths) == 1 and request.query is None else None
    text = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
    return text if text.endswith((".parquet", ".pq")) else None


def _parts_of(source: Any) -> list[Any]:
    """The rows as Arrow's tables, about three for each thread, of some length at least."""
    import pyarrow as pa

    from stylobate.data.reading import Relation, read

    if is_stream(source) and not hasattr(source, "__arrow_c_stream__"):
        raise UnsupportedDataError(
            f"rows of {type(source).__module__.partition('.')[0]} belong to another engine; leave "
            "engine out, or name that one."
        )
    relation = source if isinstance(source, Relation) else read(source)
    table = pa.table(relation)
    size = min(max(-(-table.num_rows // (3 * get_threads())), 1), _BATCH_ROWS)
    return [table.slice(k, size) for k in range(0, max(table.num_rows, 1), size)]


# --- the engines ----------------------------------------------------------------------------------


def _start_dask() -> None:
    from distributed import Client, default_client

    try:
        default_client()
    except ValueError:
        if os.environ.get("DASK_SCHEDULER_ADDRESS"):
            Client()
        else:
            Client(n_workers=get_threads(), threads_per_worker=1, dashboard_address=None)


def _dask_parquet(path: str) -> Any:
    import dask.dataframe as dd

    return dd.read_parquet(path)


def _dask_parts(parts: list[Any]) -> Any:
    import dask
    import dask.dataframe as dd

    frames = [part.to_pandas() for part in parts]
    return dd.from_delayed([dask.delayed(each) for each in frames], meta=frames[0][:0])


def _start_ray() -> None:
    import ray

    if not ray.is_initialized():
        address = os.environ.get("RAY_ADDRESS")
        local: dict[str, Any] = {} if address else {"num_cpus": get_threads()}
        ray.init(log_to_driver=False, logging_level="error", **local)


def _ray_parquet(path: str) -> Any:
    import ray

    return ray.data.read_parquet(path)


def _ray_parts(parts: list[Any]) -> Any:
    import ray

    return ray.data.from_arrow(parts)


def _start_spark() -> None:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def _session() -> Any:
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    build = SparkSession.builder.config("spark.ui.showConsoleProgress", "false")
    if not os.environ.get("SPARK_REMOTE") and not os.environ.get("MASTER"):
        build = build.master(f"local[{get_threads()}]")
    session = build.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def _spark_parquet(path: str) -> Any:
    return _session().read.parquet(path)


def _spark_parts(parts: list[Any]) -> Any:
    import pyarrow as pa

    with warnings.catch_warnings():  # of pandas' version: what is handed over is Arrow's
        warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
        return _session().createDataFrame(pa.concat_tables(parts))


_MADE_BY: dict[str, tuple[Callable[[], None], Callable[[str], Any], Callable[[Any], Any]]] = {
    "dask": (_start_dask, _dask_parquet, _dask_parts),
    "ray": (_start_ray, _ray_parquet, _ray_parts),
    "spark": (_start_spark, _spark_parquet, _spark_parts),
}
