"""What goes wrong on clusters: lost workers, odd partitions, bad input. One sentence each."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from itertools import pairwise

import numpy as np
import pytest

import stylobate
from stylobate.data.streams.progress import listening
from stylobate.exceptions import (
    ClusterError,
    InvalidDataError,
    InvalidParameterError,
    UnsupportedDataError,
)
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.preprocessing import FunctionTransformer, StandardScaler
from stylobate.sources.clusters import messages, work
from stylobate.statistics import Moments

pd = pytest.importorskip("pandas")

ENGINES = ("dask", "ray", "spark")


def frame(n=240, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    made = pd.DataFrame(X, columns=["a", "b", "c"])
    made["y"] = X @ [1.0, -2.0, 0.5] + rng.normal(size=n)
    made["label"] = np.where(made["y"] > 0, "yes", "no")
    made["w"] = rng.integers(0, 3, n).astype(float)
    return made


FEATURES = ["a", "b", "c"]


def at(table, ends):
    return [table.iloc[a:b] for a, b in pairwise(ends)]


def test_weights_and_several_targets(engine, pieces):
    table = frame()
    table["z"] = table["y"] ** 2
    rows = engine.rows(pieces(table))
    found = LinearRegression().fit(rows, target=["y", "z"], features=FEATURES, weight="w")
    expected = LinearRegression().fit(table[FEATURES], table[["y", "z"]], table["w"])
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-10)
    assert found.feature_names_in_.tolist() == FEATURES


def test_skew_and_empty_partitions(dask_engine):
    table = frame()
    even = Ridge().fit(
        dask_engine.rows(at(table, [0, 80, 160, 240])), target="y", features=FEATURES
    )
    for ends in ([0, 0, 239, 239, 240], [0, 1, 2, 3, 240], [0, 240, 240, 240]):
        rows = dask_engine.rows(at(table, ends))
        found = Ridge().fit(rows, target="y", features=FEATURES)
        np.testing.assert_allclose(found.coef_, even.coef_, rtol=1e-12)
        model = LogisticRegression().fit(rows, target="label", features=FEATURES)
        expected = LogisticRegression().fit(table[FEATURES], table["label"])
        np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-7)
    with pytest.raises(InvalidDataError, match="no rows to learn from"):
        Ridge().fit(dask_engine.rows(at(table, [0, 0, 0])), target="y", features=FEATURES)


def test_empty_blocks_of_other_engines(engines):
    table = frame()
    expected = Ridge().fit(table[FEATURES], table["y"])
    rows = engines("ray").rows(at(table, [0, 0, 100, 100, 240]))
    found = Ridge().fit(rows, target="y", features=FEATURES)
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-12)
    rows = engines("spark").rows([table[:3]])  # five partitions, of which two are empty
    found = StandardScaler().fit(rows, features=FEATURES)
    np.testing.assert_allclose(found.mean_, table[FEATURES][:3].mean(), rtol=1e-12)


def test_the_same_partitions_give_the_same_bits_on_one_worker_and_on_two(dask_engine):
    import dask

    table = frame(1000)
    rows = dask_engine.rows(at(table, [0, 10, 400, 410, 700, 1000]))
    two = LogisticRegression().fit(rows, target="label", features=FEATURES)
    from distributed import worker_client  # noqa: F401  # the client of two workers is the default

    with dask.config.set(scheduler="synchronous"):
        twin = _without_client(
            dask_engine, lambda: LogisticRegression().fit(rows, target="label", features=FEATURES)
        )
    assert (two.coef_ == twin.coef_).all()
    assert (two.intercept_ == twin.intercept_).all()


def _without_client(engine, call):
    """A call while no client is the default one, so that Dask's own scheduler works here."""
    from distributed.client import _set_global_client

    _set_global_client(None)
    try:
        return call()
    finally:
        _set_global_client(engine.client)


def test_the_same_partitions_give_the_same_bits_on_every_engine(engines):
    table = frame(500)
    ends = np.linspace(0, 500, 6).astype(int)  # as Spark cuts five
    found = [
        LinearRegression().fit(engines(name).rows(at(table, ends)), target="y", features=FEATURES)
        for name in ENGINES
    ]
    for other in found[1:]:
        assert (found[0].coef_ == other.coef_).all()


def test_a_thousand_partitions(dask_engine):
    import dask.array as da

    table = frame(2000)
    X, y = table[FEATURES].to_numpy(), table["y"].to_numpy()
    found = LinearRegression().fit(da.from_array(X, chunks=(2, 3)), da.from_array(y, chunks=500))
    expected = LinearRegression().fit(table[FEATURES], table["y"])
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-11)


def test_a_pass_is_a_task_for_each_partition_and_the_merges(dask_engine, monkeypatch):
    import dask.array as da

    from stylobate.sources.clusters import dask as engine

    X = frame(640)[FEATURES].to_numpy()
    rows = dask_engine.client.persist(da.from_array(X, chunks=(10, 3)))
    graphs, plain = [], engine._computed
    monkeypatch.setattr(
        engine, "_computed", lambda v, c: graphs.append(dict(v.dask)) or plain(v, c)
    )
    found = StandardScaler().fit(rows)
    np.testing.assert_allclose(found.mean_, X.mean(axis=0), rtol=1e-12)
    own = [key for key in graphs[-1] if str(key).startswith("stylobate")]
    assert len(own) == 64 + 8 + 1 + 1  # eight at a time; and the bytes that say what is asked
    assert len(graphs[-1]) == len(own) + 64  # the chunks that the workers hold


def test_spark_merges_many_partitions_on_workers(engines, monkeypatch):
    from stylobate.sources.clusters import spark

    table = frame(500)
    engine = engines("spark")
    plain = LinearRegression().fit(engine.rows([table]), target="y", features=FEATURES)
    monkeypatch.setattr(spark, "MANY", 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grouped = LinearRegression().fit(engine.rows([table]), target="y", features=FEATURES)
    assert (plain.coef_ == grouped.coef_).all()


class SlowOnce:
    """A step that waits the first time it is run by a process of the cluster."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __call__(self, X):
        name = os.path.join(self.folder, f"{os.getpid()}")
        if not os.path.exists(name):
            with open(name, "w"):
                pass
            time.sleep(1.0)
        return X


def test_a_killed_worker_changes_no_bit(dask_engine, tmp_path):
    table = frame(600)
    rows = dask_engine.rows(at(table, list(range(0, 601, 50))))
    whole = StandardScaler().fit(rows, features=FEATURES)
    slow = FunctionTransformer(SlowOnce(tmp_path))
    changed = stylobate.data.streams.open_rows(rows, "test", features=FEATURES).stream.map(
        slow.fit(table[FEATURES]).transform
    )
    before = set(dask_engine.client.run(os.getpid).values())

    def kill():
        until = time.monotonic() + 30
        victims = []
        while not victims and time.monotonic() < until:
            time.sleep(0.01)
            victims = [int(each) for each in os.listdir(tmp_path) if int(each) in before]
        if victims:
            os.kill(victims[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    found = StandardScaler().fit(changed)
    killer.join()
    dask_engine.client.wait_for_workers(2, timeout=60)
    assert before != set(dask_engine.client.run(os.getpid).values()), "no worker was killed"
    assert (found.mean_ == whole.mean_).all()
    assert (found.var_ == whole.var_).all()


def kill_first(folder, killed):
    """Kill -9 the first process that notes its number in a folder."""
    until = time.monotonic() + 60
    while not killed and time.monotonic() < until:
        time.sleep(0.01)
        for name in os.listdir(folder)[:1]:
            os.kill(int(name), signal.SIGKILL)
            killed.append(name)


@pytest.mark.parametrize("name", ["ray", "spark"])
def test_a_killed_worker_of_other_engines(name, engines, tmp_path):
    """Ray tries again, and no bit changes; Spark does on a cluster, and says so on one machine."""
    engine, table = engines(name), frame(300)
    rows = engine.rows(at(table, [0, 60, 120, 180, 240, 300]))
    whole = StandardScaler().fit(rows, features=FEATURES)
    slow = FunctionTransformer(SlowOnce(tmp_path)).fit(table[FEATURES])
    opened = stylobate.data.streams.open_rows(rows, "test", features=FEATURES).stream
    first = opened.head()
    changed = opened.map(slow.transform)
    changed.head = lambda: first  # so that this process does not wait, and is not killed
    killed = []
    killer = threading.Thread(target=kill_first, args=(tmp_path, killed))
    killer.start()
    if name == "ray":
        found = StandardScaler().fit(changed)
        assert (found.mean_ == whole.mean_).all()
        assert (found.var_ == whole.var_).all()
    else:  # local[2] does not try a task again
        with pytest.raises(ClusterError, match="Spark could not finish a pass"):
            StandardScaler().fit(changed)
    killer.join()
    assert killed
    again = StandardScaler().fit(rows, features=FEATURES)  # the engine is well
    assert (again.mean_ == whole.mean_).all()


def test_types_that_differ_on_ray(engines):
    """Ray's blocks keep their types."""
    engines("ray")
    import ray

    table = frame(40)[["a", "b", "y"]]
    rows = ray.data.from_pandas([table, table.assign(b="five")])
    with pytest.raises(UnsupportedDataError, match=r"five.*partition 1 of the Ray dataset"):
        Ridge().fit(rows, target="y", features=["a", "b"])


def test_types_that_differ_on_spark(engines):
    """Spark's frames have one type for all rows, and refuse a cell."""
    spark = engines("spark")
    table = frame(40)[["a", "b", "y"]]
    rows = spark.rows([table]).unionByName(spark.rows([table.assign(b="five")]))
    with pytest.raises(InvalidDataError, match=r"Spark cannot read the rows.*five"):
        Ridge().fit(rows, target="y", features=["a", "b"])


def test_columns_that_differ_by_partition(dask_engine):
    import dask
    import dask.dataframe as dd

    table = frame()[["a", "b", "y"]]
    other = table.rename(columns={"b": "q"})
    parts = [dask.delayed(table), dask.delayed(other)]
    rows = dd.from_delayed(parts, meta=table[:0], verify_meta=False)
    with pytest.raises(
        InvalidDataError, match=r"no column 'b'.*partition 1 of the Dask data frame"
    ):
        Ridge().fit(rows, target="y", features=["a", "b"])


def test_types_that_differ_by_partition(dask_engine):
    import dask
    import dask.dataframe as dd

    table = frame()[["a", "b", "y"]]
    other = table.assign(b="five")
    parts = [dask.delayed(table), dask.delayed(other)]
    rows = dd.from_delayed(parts, meta=table[:0], verify_meta=False)
    with pytest.raises(UnsupportedDataError, match=r"five.*partition 1 of the Dask data frame"):
        Ridge().fit(rows, target="y", features=["a", "b"])


def test_bad_cells_and_targets_are_named(engine, pieces):
    table = frame()
    table.loc[200, "b"] = np.inf
    with pytest.raises(InvalidDataError, match=r"partition \d of " + engine.frame):
        Ridge().fit(engine.rows(pieces(table)), target="y", features=FEATURES)
    with pytest.raises((InvalidDataError, UnsupportedDataError), match="Ridge"):
        Ridge().fit(engine.rows(pieces(frame())), target="label", features=FEATURES)
    with pytest.raises(InvalidDataError, match="no column 'target'"):
        Ridge().fit(engine.rows(pieces(frame())), target="target")
    with pytest.raises(InvalidParameterError, match="name their columns by target="):
        Ridge().fit(engine.rows(pieces(frame())), np.zeros(240))


def test_what_cannot_be_sent_is_refused(dask_engine, pieces):
    lock = threading.Lock()

    def locked(X):
        with lock:
            return X

    rows = stylobate.data.streams.open_rows(
        dask_engine.rows(pieces(frame())), "test", features=FEATURES
    ).stream
    with pytest.raises(ClusterError, match="cannot be sent to the workers"):
        StandardScaler().fit(rows.map(locked))


def test_an_error_of_the_callers_function_is_told(dask_engine, pieces):
    def broken(X):
        raise ZeroDivisionError("nothing to divide by")

    rows = stylobate.data.streams.open_rows(
        dask_engine.rows(pieces(frame())), "test", features=FEATURES
    ).stream
    first = rows.head()
    rows.head = lambda: first
    with pytest.raises(ZeroDivisionError, match=r"nothing to divide by.*partition 0") as told:
        rows.map(broken).reduced(lambda batch, first: 1, int.__add__)
    assert "On the worker" in "".join(told.value.__notes__)


def test_a_cluster_that_is_gone_is_said():
    code = """
import warnings
warnings.simplefilter("ignore")
import logging
import pandas as pd, dask.dataframe as dd
from distributed import Client, LocalCluster
from stylobate.linear_model import Ridge
from stylobate.exceptions import ClusterError
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None,
                           silence_logs=logging.CRITICAL)
    client = Client(cluster)
    table = pd.DataFrame({"a": [1., 2, 3], "y": [1., 2, 4]})
    rows = client.persist(dd.from_pandas(table, npartitions=2))
    cluster.close()
    try:
        Ridge().fit(rows, target="y")
    except ClusterError as error:
        print("said:", error)
"""
    pytest.importorskip("distributed")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=90, check=False
    )
    assert "said: The Dask cluster could not finish a pass" in done.stdout, done.stderr[-2000:]


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_that_is_not_installed_is_not_needed(name):
    code = f"""
import sys
for each in ("dask", "distributed", "ray", "pyspark", "cloudpickle"):
    sys.modules[each] = None
import numpy as np
from stylobate.linear_model import Ridge
print(Ridge().fit(np.eye(3), [1., 2, 3]).coef_.shape, "{name}")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("(3,)"), done.stderr


def test_progress_tells_partitions_and_passes(engine, pieces):
    told = []
    rows = engine.rows(pieces(frame()))
    with listening(
        lambda each: told.append((each.number, each.partitions, each.partitions_done, each.done))
    ):
        LogisticRegression().fit(rows, target="label", features=FEATURES)
    ended = [each for each in told if each[3]]
    assert len(ended) > 2
    assert all(done == whole > 0 for _, whole, done, _ in ended)
    assert ended[-1][0] > 1


def test_no_rows_come_to_the_driver(engine, pieces, monkeypatch):
    """Messages and the first row are all that is fetched; a Moments message has p² numbers."""
    table = pd.concat([frame(2000, seed) for seed in range(5)], ignore_index=True)
    rows = engine.rows(pieces(table))
    fetched = watch(engine, monkeypatch)
    LinearRegression().fit(rows, target="y", features=FEATURES)
    LogisticRegression().fit(rows, target="label", features=FEATURES)
    assert fetched, "nothing was seen to be fetched"
    assert max(fetched) < 20_000  # bytes, where the rows take 10,000 × 4 × 8


def watch(engine, monkeypatch):
    """The sizes of everything an engine hands to the driver from now on."""
    import pickle

    sizes = []

    def sized(found):
        sizes.append(len(pickle.dumps(found)))
        return found

    if engine.name == "dask":
        from distributed import Client, Future

        result, gather = Future.result, Client.gather
        monkeypatch.setattr(Future, "result", lambda self, *a, **k: sized(result(self, *a, **k)))
        monkeypatch.setattr(Client, "gather", lambda self, *a, **k: sized(gather(self, *a, **k)))
    elif engine.name == "ray":
        import ray

        get = ray.get
        monkeypatch.setattr(ray, "get", lambda *a, **k: sized(get(*a, **k)))
    else:
        from pyspark.sql.classic.dataframe import DataFrame

        for name in ("collect", "toArrow", "toPandas"):
            method = getattr(DataFrame, name)

            def seen(self, *args, method=method, **options):
                return sized(method(self, *args, **options))

            monkeypatch.setattr(DataFrame, name, seen)
    return sizes


def test_messages_keep_every_bit_and_refuse_other_versions(monkeypatch):
    values = {
        "numbers": np.array([1.0, np.nan, -0.0, np.inf]),
        "texts": np.array(["a", "bc"]),
        "objects": np.array(["a", None, 3], dtype=object),
        "whole": (2**80, -1, 0.1, None, True, "ä", [1.5], b"\x00\xff"),
        "set": {3, 1, 2},
        "none": np.zeros((0, 3)),
        "scalar": np.float32(0.1),
    }
    found = messages.decode(messages.encode(values))
    for name, each in values.items():
        if isinstance(each, np.ndarray):
            assert each.dtype == found[name].dtype
            assert each.shape == found[name].shape
            assert all(
                a is b or a == b or (a != a and b != b)
                for a, b in zip(each.ravel(), found[name].ravel(), strict=True)
            )
        else:
            assert found[name] == each
            assert type(found[name]) is type(each)
    moments = Moments.of(stylobate.data.read_table([[1.0], [3.0]], owner="test"))
    again = messages.decode(messages.encode(moments))
    assert again.mean == moments.mean
    assert again.n_rows == 2
    message = messages.encode(moments)
    monkeypatch.setattr(messages, "library_version", lambda: "99.0")
    with pytest.raises(ClusterError, match=r"runs stylobate .* and this one 99\.0"):
        messages.decode(message)
    with pytest.raises(ClusterError, match="cannot be sent"):
        messages.encode({"open": threading.Lock()})
    with pytest.raises(ClusterError, match="no statistic"):
        messages.decode(b"something else")


def test_no_rows_are_the_identity_of_merging():
    summary = work.RowCounts()
    some, none = work.Partial([3], 3), work.Partial(None, 0)
    for merged in (some.merge(none, summary), none.merge(some, summary)):
        assert (merged.value, merged.rows) == ([3], 3)
    first = work.Refusal("InvalidDataError", "one.", 1, -1, 0)
    second = work.Refusal("InvalidDataError", "two.", 2, -1, 0)
    refused = work.Partial(None, 0, first).merge(work.Partial(None, 0, second), summary)
    assert refused.refusal is first
