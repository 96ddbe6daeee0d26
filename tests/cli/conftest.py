from __future__ import annotations

import pytest
from typer.testing import CliRunner

from stylobate.cli.app import app


@pytest.fixture
def run(monkeypatch):
    """Run the command in this process; the result has exit_code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, [str(each) for each in arguments])


@pytest.fixture
def table(tmp_path):
    """Write a CSV file and give its path."""

    def write(content, name="table.csv"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    return write
