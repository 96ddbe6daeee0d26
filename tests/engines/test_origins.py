"""Everything rows can be read from, as a stream: the answer is that of rows in memory."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import polars
import pytest

import stylobate
from stylobate.engines import windows
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.naive_bayes import GaussianNB

ROWS = 700
NAMES = ["a", "b", "c"]


def rows():
    rng = np.random.default_rng(7)
    X = np.round(rng.normal(size=(ROWS, 3)) + np.array([0.0, 100.0, -3.0]), 4)
    y = np.round(X @ [1.0, -2.0, 0.5] + rng.normal(size=ROWS), 4)
    columns = dict(zip(NAMES, X.T, strict=True))
    return polars.DataFrame(columns | {"y": y, "k": (y > np.median(y)).astype(int)})


FRAME = rows()


def csv(folder):
    FRAME.write_csv(folder / "rows.csv")
    return stylobate.read(folder / "rows.csv")


def awkward_csv(folder):
    """Decimal commas, thousands, quotes, a footnote of blanks: nothing a plain reader takes."""
    lines = [";".join([*NAMES, "y", "k", "note"])]
    for row in FRAME.iter_rows():
        cells = [repr(cell).replace(".", ",") for cell in row]
        lines.append(";".join([*cells, '"one; two"']))
    path = folder / "rows.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-16")
    return stylobate.read(path)


def compressed_csv(folder):
    import gzip

    path = folder / "rows.csv.gz"
    path.write_bytes(gzip.compress(FRAME.write_csv().encode()))
    return stylobate.read(path)


def many_csv(folder):
    for k in range(4):
        FRAME[k * 175 : (k + 1) * 175].write_csv(folder / f"part{k}.csv")
    return stylobate.read(str(folder / "part*.csv"))


def many_parquet(folder):
    for k in range(4):
        FRAME[k * 175 : (k + 1) * 175].write_parquet(folder / f"part{k}.parquet")
    return stylobate.read(str(folder / "part*.parquet"))


def parquet(folder):
    FRAME.write_parquet(folder / "rows.parquet", row_group_size=90)
    return stylobate.read(folder / "rows.parquet")


def path_alone(folder):
    FRAME.write_parquet(folder / "rows.parquet", row_group_size=90)
    return folder / "rows.parquet"


def json(folder):
    FRAME.write_ndjson(folder / "rows.jsonl")
    return stylobate.read(folder / "rows.jsonl")


def excel(folder):
    import openpyxl

    book = openpyxl.Workbook()
    for row in (FRAME.columns, *FRAME.iter_rows()):
        book.active.append(list(row))
    book.save(folder / "rows.xlsx")
    return stylobate.read(folder / "rows.xlsx")


def sqlite(folder):
    with sqlite3.connect(folder / "rows.sqlite") as connection:
        connection.execute("CREATE TABLE rows (a REAL, b REAL, c REAL, y REAL, k INTEGER)")
        connection.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", FRAME.rows())
    connection.close()
    return stylobate.read(folder / "rows.sqlite", query="SELECT * FROM rows ORDER BY rowid")


def duckdb_file(folder):
    with duckdb.connect(str(folder / "rows.duckdb")) as connection:
        connection.register("frame", FRAME)
        connection.execute("CREATE TABLE rows AS SELECT * FROM frame")
    return stylobate.read(folder / "rows.duckdb", table="rows")


def duckdb_relation(folder):
    connection = duckdb.connect()
    connection.register("frame", FRAME)
    return connection.sql("SELECT *, 'x' AS note FROM frame")


def postgresql(folder):
    from postgres_server import connection

    server = connection()
    server.execute("DROP TABLE IF EXISTS public.stream_rows")
    server.execute(
        "CREATE TABLE public.stream_rows "
        "(a float8, b float8, c float8, y float8, k int, number int)"
    )
    with server.cursor() as cursor, cursor.copy("COPY public.stream_rows FROM STDIN") as copy:
        for number, row in enumerate(FRAME.iter_rows()):
            copy.write_row((*row, number))
    address = f"postgresql://postgres@/postgres?host={server.info.host}"
    return stylobate.read(
        address, query="SELECT a, b, c, y, k FROM public.stream_rows ORDER BY number"
    )


def dataset(folder):
    import pyarrow.dataset

    FRAME.write_parquet(folder / "rows.parquet", row_group_size=90)
    return pyarrow.dataset.dataset(folder / "rows.parquet")


def lazy_frame(folder):
    FRAME.write_parquet(folder / "rows.parquet", row_group_size=90)
    return polars.scan_parquet(folder / "rows.parquet")


def frames(folder):
    return [FRAME[:300], FRAME[300:300], FRAME[300:]]


def function_of_frames(folder):
    return lambda: iter([FRAME[:300], FRAME[300:]])


AGAIN = [
    csv,
    awkward_csv,
    compressed_csv,
    many_csv,
    many_parquet,
    parquet,
    path_alone,
    json,
    excel,
    sqlite,
    duckdb_file,
    duckdb_relation,
    postgresql,
    dataset,
    lazy_frame,
    frames,
    function_of_frames,
]


def pandas_reader(folder):
    import pandas

    FRAME.write_csv(folder / "rows.csv")
    return pandas.read_csv(folder / "rows.csv", chunksize=130)


def arrow_reader(folder):
    return FRAME.to_arrow().to_reader(max_chunksize=130)


def generator(folder):
    return (FRAME[k : k + 130] for k in range(0, ROWS, 130))


ONCE = [pandas_reader, arrow_reader, generator]


@pytest.fixture(autouse=True)
def small_windows(monkeypatch):
    monkeypatch.setattr(windows, "MOST_ROWS", 256)
    monkeypatch.setattr(windows, "UNIT_ROWS", 256)


def by_name(each):
    return each.__name__


@pytest.mark.parametrize("origin", [*AGAIN, *ONCE], ids=by_name)
def test_one_pass(origin, tmp_path):
    streamed = Ridge().fit(origin(tmp_path), target="y", features=NAMES)
    assert list(streamed.feature_names_in_) == NAMES
    direct = Ridge().fit(FRAME.select(NAMES), FRAME["y"])
    assert (streamed.statistic_.scatter == direct.statistic_.scatter).all()
    assert (streamed.statistic_.mean == direct.statistic_.mean).all()
    assert streamed.coef_ == pytest.approx(direct.coef_, rel=1e-10)


@pytest.mark.parametrize("origin", ONCE, ids=by_name)
def test_classes_of_readers(origin, tmp_path):
    streamed = GaussianNB().fit(origin(tmp_path), target="k", features=NAMES)
    direct = GaussianNB().fit(FRAME.select(NAMES), FRAME["k"])
    assert (streamed.theta_ == direct.theta_).all()
    assert (streamed.var_ == direct.var_).all()


@pytest.mark.parametrize("origin", AGAIN, ids=by_name)
def test_many_passes(origin, tmp_path):
    streamed = LogisticRegression().fit(origin(tmp_path), target="k", features=NAMES)
    direct = LogisticRegression().fit(FRAME.select(NAMES), FRAME["k"])
    assert streamed.coef_ == pytest.approx(direct.coef_, rel=1e-7)


@pytest.mark.parametrize("origin", [sqlite, postgresql, excel, awkward_csv, json], ids=by_name)
def test_copies_go_with_the_relation(origin, tmp_path, monkeypatch):
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    relation = origin(tmp_path)
    Ridge().fit(relation, target="y", features=NAMES)
    del relation
    assert list(copies.iterdir()) == []


def test_columns_that_are_not_asked_for_are_not_read(tmp_path):
    FRAME.with_columns(text=polars.lit("words")).write_parquet(tmp_path / "rows.parquet")
    Ridge().fit(stylobate.read(Path(tmp_path / "rows.parquet")), target="y", features=["a"])


@pytest.mark.parametrize("origin", AGAIN[:12], ids=by_name)
def test_transformed_streams(origin, tmp_path):
    from stylobate.preprocessing import StandardScaler

    relation = origin(tmp_path)
    relation = stylobate.read(relation) if isinstance(relation, Path) else relation
    scaler = StandardScaler().fit(relation, features=NAMES)
    parts = [np.column_stack(batch.x.values()) for batch in scaler.transform(relation)]
    found = np.concatenate(parts)
    assert found == pytest.approx(scaler.transform(FRAME.select(NAMES)).to_numpy(), rel=1e-12)


def test_an_iterator_of_texts_is_no_stream_of_batches():
    from stylobate.feature_extraction.text import CountVectorizer
    from stylobate.pipeline import make_pipeline
    from stylobate.preprocessing import MaxAbsScaler

    for model in (CountVectorizer(), make_pipeline(CountVectorizer(), MaxAbsScaler())):
        model.fit(text for text in ["two words", "words again"])
        assert model.transform(["words"]).shape == (1, 3)
