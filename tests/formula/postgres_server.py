"""A PostgreSQL server of one's own for as long as the tests run, if there is one to start.

The binaries are those of the package pgserver; its own way to start them as root adds a user to the
system, so they are started here, as nobody.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest


def _binaries() -> Path | None:
    found = find_spec("pgserver")
    if found is None or not found.submodule_search_locations or find_spec("psycopg") is None:
        return None
    folder = Path(next(iter(found.submodule_search_locations))) / "pginstall" / "bin"
    return folder if (folder / "initdb").exists() else None


HAS_POSTGRES = _binaries() is not None


@cache
def connection():
    """A connection to the server, which is started once; skips where that is not possible."""
    import psycopg

    folder = Path(tempfile.mkdtemp(prefix="pg"))  # short: names of sockets are
    run = _runner(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    options = ["--auth=trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"]
    made = run("initdb", "-D", str(folder / "data"), *options)
    if made.returncode:
        pytest.skip(f"PostgreSQL cannot be set up here: {made.stderr[-200:]}")
    settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    settings += " -c statement_timeout=30s -c max_parallel_workers_per_gather=0"
    log = str(folder / "log")
    started = run("pg_ctl", "-w", "-D", str(folder / "data"), "-l", log, "-o", settings, "start")
    if started.returncode:
        pytest.skip("PostgreSQL cannot be started here.")
    atexit.register(run, "pg_ctl", "-D", str(folder / "data"), "-m", "immediate", "stop")
    return psycopg.connect(host=str(folder), user="postgres", dbname="postgres", autocommit=True)


def _runner(folder):
    """Runs the server's programs, which refuse to be root."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("There is no PostgreSQL here (the package pgserver).")
    person = {}
    if os.geteuid() == 0:
        import pwd

        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        person = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    def run(program, *arguments):
        command = [str(binaries / program), *arguments]
        with (folder / "said").open("w+") as said:  # the server would hold a pipe open
            done = subprocess.run(command, cwd=folder, stdout=said, stderr=said, **person)
            said.seek(0)
            done.stderr = said.read()
        return done

    return run
