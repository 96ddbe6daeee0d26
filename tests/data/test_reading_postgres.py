"""PostgreSQL: a real server, started for the test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from stylobate import read
from stylobate.exceptions import InvalidDataError

psycopg = pytest.importorskip("psycopg")

FOUND = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
BINARIES = FOUND[-1] if FOUND else Path(shutil.which("initdb") or "nowhere/x").parent


def _as_user(command):
    """The server refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    if not (BINARIES / "initdb").exists():
        pytest.skip("there are no binaries of PostgreSQL here")
    if os.geteuid() == 0 and not shutil.which("runuser"):
        pytest.skip("the server does not run as root, and there is no runuser")
    folder = Path("/tmp") / f"stylobate-pg-{os.getpid()}"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    secret = tmp_path_factory.mktemp("pg") / "password"
    secret.write_text("s3cret")
    secret.chmod(0o644)
    for parent in (secret.parent, *secret.parent.parents[:2]):
        parent.chmod(0o755)
    initdb = [str(BINARIES / "initdb"), "-D", str(folder), "-U", "me", "--no-sync"]
    guarded = ["-A", "scram-sha-256", "--pwfile", str(secret)]
    made = subprocess.run(_as_user([*initdb, *guarded]), capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"initdb does not run here: {made.stderr[-200:]}")
    server = [str(BINARIES / "pg_ctl"), "-D", str(folder), "-w"]
    options = f"-p {port} -k {folder} -c fsync=off -c listen_addresses=127.0.0.1"
    log = ["-l", str(folder / "log")]
    subprocess.run(_as_user([*server, *log, "-o", options, "start"]), check=True, timeout=60)
    try:
        yield f"postgresql://me:s3cret@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run(_as_user([*server, "-m", "immediate", "stop"]), check=True, timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def filled(address):
    with psycopg.connect(address) as connection:
        connection.execute(
            "CREATE TABLE sales (id int, price numeric, item text, day date, at timestamptz, "
            "sold boolean)"
        )
        connection.execute(
            "INSERT INTO sales VALUES (1, 2.5, 'NA', '2024-01-31', '2024-01-31 10:00+00', true), "
            "(2, NULL, E'a,\"b\\n', NULL, NULL, false), (3, 1, '', '2024-02-01', now(), NULL)"
        )
        connection.execute("CREATE SCHEMA other; CREATE TABLE other.t AS SELECT 7 AS n")
    return address


def test_tables_and_queries(filled):
    rows = read(filled, table="sales")
    assert list(rows.types.values()) == [
        "BIGINT",
        "DOUBLE",
        "VARCHAR",
        "DATE",
        "TIMESTAMP WITH TIME ZONE",
        "BOOLEAN",
    ]
    got = rows.to_frame("pyarrow").to_pylist()
    assert [row["item"] for row in got] == ["NA", 'a,"b\n', ""]
    assert [row["price"] for row in got] == [2.5, None, 1.0]
    assert [row["sold"] for row in got] == [True, False, None]
    assert read(filled, table="other.t").to_frame("pyarrow").to_pylist() == [{"n": 7}]
    some = read(filled, query="SELECT sum(id) AS s FROM sales WHERE id > 1;")
    assert some.to_frame("pyarrow").to_pylist() == [{"s": 5}]


@pytest.mark.parametrize(
    "query",
    [
        "DROP TABLE sales",
        "DELETE FROM sales RETURNING *",
        "SELECT 1; DROP TABLE sales",
        "SELECT 1) AS x; COMMIT; DROP TABLE sales; SELECT * FROM (SELECT 1",
        "SELECT setval('s', 1)",
    ],
)
def test_nothing_is_written(filled, query):
    with pytest.raises(InvalidDataError, match="PostgreSQL says"):
        read(filled, query=query).to_frame()
    assert len(read(filled, table="sales")) == 3


def test_refusals_never_show_the_password(filled):
    wrong = filled.replace("s3cret", "oth3r")
    for source, options in [
        (wrong, {"table": "sales"}),
        (filled, {"table": "none"}),
        (filled, {}),
        (filled, {"query": "SELECT s3cret"}),
        (filled.replace("127.0.0.1", "127.0.0.2"), {"table": "sales"}),
    ]:
        with pytest.raises(InvalidDataError) as caught:
            read(source, **options)
        assert "s3cret" not in str(caught.value)
        assert "oth3r" not in str(caught.value)
    assert "s3cret" not in repr(read(filled, table="sales"))
    with pytest.raises(InvalidDataError, match=r"There are: other\.t, sales"):
        read(filled)
