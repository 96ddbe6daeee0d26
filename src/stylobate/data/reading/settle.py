"""Types of columns, guessed from the first rows and proved on all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from stylobate.data.interrupts import is_interrupt
from stylobate.data.kinds.spellings import NEARLY_ALL
from stylobate.data.reading.absent import (
    beside_numbers,
    blank_beside_words,
    count_cells,
    count_nulls,
    missing_note,
)
from stylobate.data.reading.connection import identifier
from stylobate.data.reading.dots import listed, read_dots
from stylobate.data.reading.engine_words import first_line
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.guess import Guess
from stylobate.data.reading.notation import AMOUNT, COMMA, PLAIN, TRUTH, Notation, exchanged
from stylobate.data.reading.plain import PlainRows
from stylobate.data.reading.questions import gather
from stylobate.data.reading.ragged import find_ragged, widened
from stylobate.data.reading.scan import Scan
from stylobate.data.reading.units import mixed_units

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_EXACT = 2.0**53  # whole numbers up to here are exact as doubles
_MOST_TRIALS = 4
TABLE = "stored_rows"


class Settled(NamedTuple):
    """SQL that gives the rows with their types, what there is to say, the Arrow table that the SQL
    calls `TABLE`, if there is one, or else a stream of the rows that is faster than the SQL.
    """

    sql: str
    notes: tuple[str, ...]
    stored: Any = None
    stream: Any = None


class Settling:
    """Scans of one or more files with the same columns, on the way to their types.

    With `store`, the rows are kept in a table of the connection, so that the files are taken apart
    only once; otherwise one pass proves the types and every later pass reads the files again.
    """

    def __init__(
        self,
        connection: DuckDBPyConnection,
        scans: Sequence[Scan],
        guesses: dict[str, Guess],
        *,
        missing: Sequence[str],
        store: bool,
        plain: PlainRows | None = None,
    ) -> None:
        """Take the files and the first guess of every column; `plain` if that was right."""
        self.connection = connection
        self.scans = list(scans)
        self.delimiter = scans[0].delimiter
        self.guesses = guesses
        self.missing = missing
        self.store = store
        self.plain = plain
        self.notes: list[str] = []
        self.facts: dict[str, Any] = {}
        self.stored: Any = None
        self.source = ""
        self.spelled: Counter[str] = Counter()  # how missing values are written
        self.good: dict[str, list[Notation]] = {}  # notations that read all of a column
        self.written: dict[str, list[str]] = {}  # columns by their notation

    def run(self) -> Settled:
        """Read until every column has a type that all of its values have."""
        if self.plain is not None:
            return self._settled_plain(self.plain)
        import duckdb

        for trial in range(_MOST_TRIALS):
            try:
                source = self._source()
                self.facts = gather(self.connection, source, self.guesses, self.missing)
            except duckdb.Error as error:
                if is_interrupt(error):
                    raise
                self._repair(error, trial)
                continue
            wrong = [name for name, found in self.guesses.items() if self._unsafe(name, found)]
            if not wrong:
                return self._settled(source)
            self._demote(wrong)
        refuse(self.scans[0].name, "its rows cannot be taken apart into cells.")

    # --- one trial -------------------------------------------------------------------------

    def _formats(self) -> dict[str, str]:
        by_type = {"DATE": "dateformat", "TIMESTAMP": "timestampformat"}
        return {
            by_type[g.read_as]: g.format
            for g in self.guesses.values()
            if g.read_as in by_type and g.format
        }

    def _union(self, types: dict[str, str], more: str = "") -> str:
        formats = self._formats()
        parts = [f"SELECT * FROM {scan.sql(types, formats, more)}" for scan in self.scans]
        return " UNION ALL BY NAME ".join(parts)

    def _types(self) -> dict[str, str]:
        return {name: found.read_as for name, found in self.guesses.items()}

    def _source(self) -> str:
        sql = self._union(self._types())
        if not self.store:
            return f"({sql})"
        if find_spec("pyarrow"):  # an Arrow table costs less to make than one of DuckDB
            self.stored = self.connection.sql(sql).to_arrow_table()
            self.connection.register(TABLE, self.stored)
        else:
            self.connection.execute(f"CREATE OR REPLACE TABLE {TABLE} AS {sql}")
        return TABLE

    def _cell(self, name: str) -> str:
        """SQL of a cell that may be a number or a date, NULL where it stands for no value."""
        return beside_numbers(name, self.missing)

    # --- what a trial says -----------------------------------------------------------------

    def _unsafe(self, name: str, found: Guess) -> bool:
        """Whether a cast may have lost digits, thousands, or made a number infinite."""
        if found.read_as != "DOUBLE":
            return False
        largest, whole = self.facts[name]
        if found.whole and whole is False:
            return True  # whole numbers first and 1.613 later: 1613, perhaps
        return largest is not None and largest >= _EXACT

    def _demote(self, names: Sequence[str]) -> None:
        for name in names:
            self.guesses[name] = self.guesses[name].as_text(self.delimiter)

    def _repair(self, error: Exception, trial: int) -> None:
        """Find out what a trial failed of, and read that otherwise in the next one."""
        wrong: list[str] = []
        repaired = False
        for k, scan in enumerate(self.scans):
            rejects = find_ragged(self.connection, scan, self._types(), self._formats())
            wrong += [name for name in rejects.columns if name in self.guesses]
            if rejects.rows:
                self.scans[k], note = widened(scan, rejects.rows)
                self.notes.append(note)
                repaired = True
                for name in self.scans[k].names:
                    self.guesses.setdefault(name, Guess("VARCHAR").as_text(scan.delimiter))
        if not wrong and not repaired:
            refuse(self.scans[0].name, f"it cannot be read as a table: {first_line(error)}")
        if trial == _MOST_TRIALS - 2:  # too many surprises: prove every column as text
            wrong = [name for name, found in self.guesses.items() if found.read_as != "VARCHAR"]
        self._demote(list(dict.fromkeys(wrong)))

    def _settled_plain(self, plain: PlainRows) -> Settled:
        """All is known of rows that were plain, but for texts that may be numbers or dates."""
        if not self.store:
            self.facts = plain.facts
            return self._settled("")._replace(stream=plain.rows)
        self.stored = plain.rows
        self.connection.register(TABLE, self.stored)
        open_ones = {name: g for name, g in self.guesses.items() if name not in plain.facts}
        found = gather(self.connection, TABLE, open_ones, self.missing)
        self.facts = plain.facts | found
        return self._settled(TABLE)

    # --- the end ---------------------------------------------------------------------------

    def _settled(self, source: str) -> Settled:
        types = self._types()
        chosen = []
        self.source = source
        self.spelled.update(
            count_nulls(self.connection, self.scans) if self.plain is None else self.plain.spelled
        )
        self.good = {name: self._good(name, found) for name, found in self.guesses.items()}
        self.notes += read_dots(self.good, self._fractions(), self._example, self.delimiter)
        for name, found in self.guesses.items():
            column = identifier(name)
            if found.read_as == "DOUBLE" and self.facts[name][1]:
                if not self.store:
                    types[name] = "BIGINT"
                elif self.plain is None:
                    column = f"CAST({column} AS BIGINT)"
            elif found.read_as == "VARCHAR":
                column = self._expression(name, found)
            chosen.append(f"{column} AS {identifier(name)}")
        table = source if self.store else f"({self._union(types)})"
        sql = f"SELECT {', '.join(chosen)} FROM {table}"
        if self.stored is not None:
            sql = self._keep(dict(zip(self.guesses, chosen, strict=True)))
        said = (*missing_note(self.spelled), *self.notes, *self._said())
        return Settled(sql, said, self.stored)

    def _keep(self, chosen: dict[str, str]) -> str:
        """Put the columns in their types into the Arrow table; those that have them stay."""
        plain = {name: f"{identifier(name)} AS {identifier(name)}" for name in chosen}
        changed = [name for name, sql in chosen.items() if sql != plain[name]]
        if changed:
            asked = ", ".join(chosen[name] for name in changed)
            found = self.connection.sql(f"SELECT {asked} FROM {TABLE}").to_arrow_table()
            for name in changed:
                at = self.stored.column_names.index(name)
                self.stored = self.stored.set_column(at, name, found.column(name))
        self.stored = self.stored.select(list(chosen))
        self.connection.register(TABLE, self.stored)
        return f"SELECT * FROM {TABLE}"

    def _good(self, name: str, found: Guess) -> list[Notation]:
        """The notations that read every value of a column of text."""
        if found.read_as != "VARCHAR" or not found.candidates or not self.facts[name][2]:
            return []
        bad = self.facts[name][3:]
        good = [n for n, wrong in zip(found.candidates, bad, strict=True) if wrong == 0]
        if good and good[0] in (AMOUNT, COMMA):
            note = mixed_units(self.connection, self.source, name, self._cell(name))
            self.notes += note
            return [] if note else good
        return good

    def _fractions(self) -> bool:
        """Whether a column read as numbers from the start has some with a decimal point."""
        numbers = [name for name, found in self.guesses.items() if found.read_as == "DOUBLE"]
        return any(self.facts[name][1] is False for name in numbers)

    def _example(self, name: str) -> str:
        asked = f"SELECT min({self._cell(name)}) FROM {self.source} WHERE {identifier(name)} "
        return str(self.connection.execute(f"{asked} LIKE '%.%'").fetchall()[0][0])

    def _expression(self, name: str, found: Guess) -> str:
        """SQL of a column read as text: in the first notation that reads all, else as it is."""
        text = f"trim({identifier(name)})" if found.padded else identifier(name)
        if self.good[name]:
            self._say(name, self.good[name])
            self._count(name, f"{self._cell(name)} IS NULL")
            return self.good[name][0].emit.replace("@", self._cell(name))
        if found.candidates and self._nearly(name, found):
            self._count(name, f"{self._cell(name)} IS NULL")
            return f"CASE WHEN {self._cell(name)} IS NOT NULL THEN {text} END"
        if not self.facts[name][1]:
            return text
        gone = blank_beside_words(self.connection, self.source, name)
        self._count(name, gone)
        return f"CASE WHEN NOT {gone} THEN {text} END"

    def _nearly(self, name: str, found: Guess) -> bool:
        """Whether nearly all values read in some notation; the others are told."""
        _, _, present, *bad = self.facts[name]
        least = min(bad)
        if not present or not least or least > (1 - NEARLY_ALL) * present:
            return False
        what = found.candidates[bad.index(least)].name
        self.notes.append(
            f"{name!r}: {least} of {present} values do not read as {what}; kept as text"
        )
        return True

    def _count(self, name: str, gone: str) -> None:
        """Count the spellings of missing values of a column, if it has some."""
        filled, blank, *rest = self.facts[name]
        if blank or (rest and filled > rest[0]):
            self.spelled.update(count_cells(self.connection, self.source, name, gone))

    def _say(self, name: str, good: Sequence[Notation]) -> None:
        if good[0] in (*PLAIN, TRUTH):
            return
        what = good[0].name
        if any(exchanged(good[0], other) for other in good):
            what += " (no row tells day from month)"
        self.written.setdefault(what, []).append(name)

    def _said(self) -> list[str]:
        """How columns are written, those written alike together."""
        return [f"{what} in {listed(names)}" for what, names in self.written.items()]
