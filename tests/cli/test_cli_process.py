"""The command as a process: the console script, exit statuses, Ctrl-C, what it loads."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import stylobate
from stylobate.datasets import list_datasets

COMMAND = (sys.executable, "-m", "stylobate")


def test_version_datasets_and_info(run):
    assert run("--version").stdout == f"stylobate {stylobate.__version__}\n"
    listed = run("datasets").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(list_datasets())
    info = run("info").stdout
    for label in ("Stylobate", "threads", "instruction set", "BLAS"):
        assert label in info
    assert f"{stylobate.get_threads()} of " in info


def test_the_process_exits_with_the_status_and_prints_json():
    good = subprocess.run(
        [*COMMAND, "fit", "penguins", "--target", "body_mass_g", "--json"],
        capture_output=True,
        text=True,
    )
    assert good.returncode == 0, good.stderr
    assert json.loads(good.stdout)["rows"] == {"read": 344, "used": 342}
    bad = subprocess.run([*COMMAND, "fit", "pengiuns"], capture_output=True, text=True)
    assert bad.returncode == 2
    assert bad.stdout == ""
    assert bad.stderr.startswith("Error: There is no file")
    assert bad.stderr.count("\n") == 1


def test_the_console_script_is_the_same_command():
    beside = Path(sys.executable).parent / "stylobate"
    script = str(beside) if beside.exists() else shutil.which("stylobate")
    if script is None:
        pytest.skip("the package is not installed here, so there is no console script")
    done = subprocess.run([script, "--version"], capture_output=True, text=True)
    assert done.stdout == f"stylobate {stylobate.__version__}\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a named pipe")
def test_ctrl_c_ends_quietly_with_130(tmp_path):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*COMMAND, "fit", str(pipe), "--target", "y"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with pipe.open("w") as file:  # opens once the command reads, and keeps it waiting
        file.write("x,y\n1,2\n")
        file.flush()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert out == ""
    assert err.strip() == ""


def test_an_answered_ctrl_c_is_forgotten(tmp_path):
    """CPython remembers one that left `exec` of a text, as when Ctrl-C meets a loading module."""
    (tmp_path / "sitecustomize.py").write_text(
        "import stylobate.cli\n"
        "def main():\n"
        "    try:\n"
        "        exec('raise KeyboardInterrupt')\n"
        "    except KeyboardInterrupt:\n"
        "        raise SystemExit(130)\n"
        "stylobate.cli.main = main\n"
    )
    told = subprocess.run(
        [sys.executable, "-m", "stylobate"], env={**os.environ, "PYTHONPATH": str(tmp_path)}
    )
    assert told.returncode == 130


def test_a_closed_pipe_is_no_traceback():
    process = subprocess.Popen(
        [*COMMAND, "fit", "penguins", "--target", "year"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=30)
    assert b"Traceback" not in err


def test_importing_the_command_loads_no_typer_and_no_rich():
    program = (
        "import sys, stylobate.cli; print(sorted({'typer', 'rich', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
