"""Ctrl-C is KeyboardInterrupt, whichever library was at work."""

from __future__ import annotations

import pytest

from stylobate import read
from stylobate.data.arrow import column_batches
from stylobate.data.interrupts import as_keyboard_interrupt
from stylobate.data.reading import delimited, plain, settle
from stylobate.data.reading.questions import gather


@pytest.mark.parametrize(
    "error", [RuntimeError("Query interrupted"), RuntimeError("INTERRUPT Error: Interrupted!")]
)
def test_words_of_others(error):
    with pytest.raises(KeyboardInterrupt), as_keyboard_interrupt():
        raise error
    with pytest.raises(RuntimeError, match="other"), as_keyboard_interrupt():
        raise RuntimeError("other")


def test_while_duckdb_plans(tmp_path, monkeypatch):
    import duckdb

    def interrupted(*given):
        gather(*given)
        raise duckdb.InterruptException("INTERRUPT Error: Interrupted!")

    monkeypatch.setattr(settle, "gather", interrupted)
    path = tmp_path / "table.csv"
    path.write_text('a,b\n1,"x\ny"\n')  # not plain
    with pytest.raises(KeyboardInterrupt):
        len(read(path))


def test_while_a_plain_file_is_streamed(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "STORED", 0)
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    rows = read(path)
    assert len(rows) == 2

    def interrupted(self, together=None):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(plain.PlainFile, "parts", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(column_batches(rows))
