"""Progress of passes for people: a bar in terminals, lines where asked for, nothing elsewhere."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import stylobate
from stylobate.data.streams import Batch, Stream
from stylobate.data.streams import console as console_of
from stylobate.data.streams.progress import Pass, listening
from stylobate.linear_model import PoissonRegressor, Ridge
from stylobate.preprocessing import StandardScaler

X = np.random.default_rng(0).normal(size=(1000, 2))
Y = np.exp(X[:, 0])


def stream(length=1000, size=2_000_000):
    parts = [Batch(X[k : k + 100], Y[k : k + 100]) for k in range(0, 1000, 100)]
    return Stream(lambda: iter(parts), "rows.parquet", length=length, bytes=size)


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(console_of, "_WAIT", 0.0)


def test_nothing_is_shown_where_nobody_looks(capsys, at_once):
    for shown in (None, False):
        with stylobate.progress(shown):
            Ridge().fit(stream())
    assert capsys.readouterr() == ("", "")


def test_lines_where_asked_for(capsys, at_once):
    with stylobate.progress(True):
        StandardScaler().fit(stream())
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "rows.parquet: pass 1: 1,000 of 1,000 rows (2.0 MB), 0 s\n"


def test_passes_are_counted(capsys, at_once):
    with stylobate.progress(True):
        PoissonRegressor().fit(stream())
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 2
    for number, line in enumerate(lines, start=1):
        assert f"pass {number}: 1,000 of 1,000" in line


def test_lines_of_a_long_pass(capsys, at_once, monkeypatch):
    monkeypatch.setattr(console_of, "_LINES", 0.0)
    report = Pass("here", 2, 100_000_000, 3_500_000_000, rows=34_000_000, began=-1.0)
    lines = console_of.Lines()
    lines.tell(report)
    said = capsys.readouterr().err
    assert said.startswith("here: pass 2: 34,000,000 of 100,000,000 rows (1.2 GB), ")
    unknown = Pass("here", 1, None, None, rows=5)
    assert str(unknown) == "pass 1: 5 rows, 0 s"


def test_short_passes_are_not_shown(capsys):
    with stylobate.progress(True):
        Ridge().fit(stream())
    assert capsys.readouterr().err == ""


def test_a_transformed_stream_is_told_once():
    told = set()
    scaler = StandardScaler().fit(X)
    with listening(lambda each: told.add(id(each))):
        list(scaler.transform(stream()))
    assert len(told) == 1


def test_an_error_leaves_no_listener(capsys, at_once):
    with pytest.raises(ZeroDivisionError), stylobate.progress(True):
        raise ZeroDivisionError
    Ridge().fit(stream())
    assert capsys.readouterr().err == ""


def test_a_bar_in_a_terminal():
    code = textwrap.dedent("""
        import time
        import numpy as np
        import stylobate
        from stylobate.data.streams import Batch, Stream
        from stylobate.linear_model import Ridge
        X = np.random.default_rng(0).normal(size=(1000, 2))
        def batches():
            for k in range(8):
                time.sleep(0.15)
                yield Batch(X, X[:, 0])
        with stylobate.progress():
            Ridge().fit(Stream(batches, "rows.parquet", length=8000, bytes=10**7))
    """)
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen([sys.executable, "-c", code], stderr=theirs, env=environment)
    os.close(theirs)
    seen = io.BytesIO()
    while True:
        try:
            block = os.read(ours, 65536)
        except OSError:  # the other end was closed
            break
        if not block:
            break
        seen.write(block)
    os.close(ours)
    assert process.wait(timeout=60) == 0
    text = seen.getvalue().decode()
    assert "rows.parquet" in text
    assert "pass 1: " in text
    assert "of 8,000 rows" in text
    assert "\x1b[2K\x1b[?25h" in text[-20:]  # the line is wiped, the cursor is back
