"""Sources beyond plain files: addresses, workbooks, pipes, streams, with and without pyarrow."""

from __future__ import annotations

import http.server
import os
import sqlite3
import subprocess
import sys
import threading
from datetime import date
from functools import partial
from pathlib import Path

import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stylobate import read
from stylobate.data.kinds import infer_schema
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

ROWS = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/short.csv":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"a,b\n1,x\n")
        elif self.path == "/huge.csv":
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 50))
            self.end_headers()
        else:
            super().do_GET()


@pytest.fixture
def server(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,x\n2,y\n")
    pd.DataFrame(ROWS).to_parquet(tmp_path / "a.parquet")
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Handler, directory=str(tmp_path))
    ) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_addresses(server):
    for name in ("a.csv", "a.parquet", "a.csv?version=2"):
        assert read(f"{server}/{name}").to_frame("pyarrow").to_pylist() == ROWS
    with pytest.raises(InvalidDataError, match="404"):
        read(f"{server}/b.csv")
    with pytest.raises(InvalidDataError, match="after 8 of 1000 bytes"):
        read(f"{server}/short.csv")
    with pytest.raises(InvalidDataError, match="download it yourself"):
        read(f"{server}/huge.csv")
    with pytest.raises(InvalidDataError, match="cannot be fetched"):
        read("http://127.0.0.1:9/a.csv")
    secret = server.replace("http://", "http://me:secret@")
    with pytest.raises(InvalidDataError) as caught:
        read(f"{secret}/b.csv?token=secret")
    assert "secret" not in str(caught.value)


def test_workbooks(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "first"
    for row in (["Sales of 2024"], [], ["day", "item", "n", "sold"]):
        book.active.append(row)
    book.active.append([date(2024, 1, 31), "007", 3, True])
    book.active.append([date(2024, 2, 1), "=1+1", 2.5, False])
    book.create_sheet("empty")
    path = tmp_path / "a.xlsx"
    book.save(path)
    rows = read(path)
    assert rows.types == {"day": "DATE", "item": "VARCHAR", "n": "DOUBLE", "sold": "BOOLEAN"}
    assert rows.to_frame("pyarrow").to_pylist()[0] == {
        "day": date(2024, 1, 31),
        "item": "007",
        "n": 3.0,
        "sold": True,
    }
    assert "the first of the sheets first, empty" in str(rows)
    with pytest.raises(InvalidDataError, match="the sheet is empty"):
        read(path, sheet="empty")
    with pytest.raises(InvalidDataError, match=r"no sheet 'third'\. There are: first, empty"):
        read(path, sheet="third")
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04" + b"xl/" * 50)
    with pytest.raises(InvalidDataError, match="no Excel workbook"):
        read(tmp_path / "bad.xlsx")


def test_values_of_sqlite_keep_their_types(tmp_path):
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (i, f, s, big, mixed, bytes, none)")
        values = [
            (1, 0.1, "NA", 2**62 + 1, 1, b"\x00\xff", None),
            (-2, 1e300, '"\n', 0, "x", b"", None),
        ]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    connection.close()
    rows = read(path)
    assert list(rows.types.values())[:5] == ["BIGINT", "DOUBLE", "VARCHAR", "BIGINT", "VARCHAR"]
    got = [tuple(row.values()) for row in rows.to_frame("pyarrow").to_pylist()]
    assert got == [
        (1, 0.1, "NA", 2**62 + 1, "1", "00ff", None),
        (-2, 1e300, '"\n', 0, "x", "", None),
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_pipes(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("a,b\n1,x\n2,y\n",))
    writer.start()
    assert read(pipe).to_frame("pyarrow").to_pylist() == ROWS
    writer.join()
    with pytest.raises(InvalidDataError, match="a device"):
        read("/dev/zero")


def test_compressed(tmp_path):
    text = b"a,b\n1,x\n2,y\n"
    with pa.output_stream(str(tmp_path / "a.csv.zst"), compression="zstd") as out:
        out.write(text)
    assert read(tmp_path / "a.csv.zst").to_frame("pyarrow").to_pylist() == ROWS


class Stream:
    """A frame of a library nobody knows."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_frames_of_any_library():
    table = pa.Table.from_pylist(ROWS)
    frame = pd.DataFrame(ROWS)
    sources = [Stream(table), nw.from_native(frame), nw.from_native(pl.from_arrow(table).lazy())]
    for source in (*sources, table.to_reader(), table.to_batches()[0]):
        assert read(source).to_frame("pyarrow").to_pylist() == ROWS
    named = read(pd.DataFrame([[1, "x"]], columns=[0, "0"]))
    assert named.columns == ("0", "0_2")


def test_a_relation_is_an_arrow_stream():
    rows = read("penguins")
    assert pl.from_arrow(pa.RecordBatchReader.from_stream(rows).read_all()).height == 344
    assert pl.DataFrame(rows).shape == (344, 8)
    assert pa.table(rows).num_rows == 344
    assert pa.table(rows).num_rows == 344  # a second pass
    assert read(rows).shape == (344, 8)
    assert infer_schema(rows) == rows.schema


PROGRAM = """
import sys
sys.modules["pyarrow"] = None
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "pyarrow" else found(name, *more)
import stylobate
rows = stylobate.read("penguins")
print(rows.shape, type(rows.__arrow_c_stream__()).__name__)
parts = list(rows.batches(100, library="numpy"))
print(len(parts), sum(len(part["year"]) for part in parts), parts[0]["body_mass_g"].dtype)
print(sum(len(X) for X, y in rows.batches(100, target="species", library="pandas")))
print(rows.schema["sex"].kind)
try:
    rows.to_frame("polars")
except stylobate.exceptions.UnsupportedDataError as error:
    print(error)
"""


def test_without_pyarrow():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "(344, 8) PyCapsule",
        "4 344 float64",
        "344",
        "binary",
        "read: library='polars' needs pyarrow here; install it, or ask for 'pandas' or 'numpy'.",
    ], done.stderr


def test_a_sentence_without_openpyxl(tmp_path, monkeypatch):
    path = Path(tmp_path / "a.xlsx")
    path.write_bytes(b"PK\x03\x04" + bytes(60))
    monkeypatch.setattr("stylobate.data.reading.excel.find_spec", lambda name: None)
    with pytest.raises(InvalidDataError, match="install openpyxl"):
        read(path)


def test_what_is_no_frame():
    with pytest.raises(UnsupportedDataError):
        read(pl.Series([1, 2]))
