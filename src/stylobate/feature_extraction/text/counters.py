"""Counts of terms in documents: by the compiled core, or in Python for what the core cannot do."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Integers
from stylobate.exceptions import InvalidDataError
from stylobate.feature_extraction.text.documents import ReadsText, documents_in, refuse_non_text

Csr = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]  # values, columns, offsets

# the shortest word of patterns that match whole runs of word characters
_RUNS = {
    flag + edge + word + edge: shortest
    for flag in ("", "(?u)")
    for edge in ("", r"\b")
    for word, shortest in ((r"\w+", 1), (r"\w\w+", 2))
}
_STEPS = ("decode", "build_preprocessor", "build_tokenizer", "build_analyzer", "get_stop_words")
_BLOCK_DOCUMENTS, _BLOCK_CHARACTERS, _SLICE = 1 << 15, 1 << 25, 1 << 10


@dataclass(frozen=True)
class CompiledAnalysis:
    """Texts are prepared in Python where that is asked for, and cut up and counted in the core."""

    analysis: Any
    reader: ReadsText
    prepares: bool  # whether Python has anything to do to a text

    def blocks(self, raw: Any) -> Iterator[list[str]]:
        """Texts, so many at a time that memory stays bounded when they come one by one."""
        documents = documents_in(raw, type(self.reader).__name__)
        held = isinstance(documents, Sequence) and not self.prepares
        rest, block, size, start = iter(documents), list[str](), 0, 0
        while part := list(islice(rest, _SLICE)):
            texts = self._texts(part, start)
            start += len(part)
            block += texts
            size += 0 if held else sum(map(len, texts))
            if not held and (len(block) >= _BLOCK_DOCUMENTS or size >= _BLOCK_CHARACTERS):
                yield block
                block, size = [], 0
        yield block

    def _texts(self, documents: list[Any], start: int) -> list[str]:
        reader = self.reader
        plain = set(map(type, documents)) <= {str}
        if plain and reader.input == "content" and not self.prepares:
            return documents
        if not plain or reader.input != "content":
            documents = [reader.decode(each) for each in documents]
        if self.prepares:
            prepare, markup = reader.build_preprocessor(), reader.strip_html
            if markup or reader.preprocessor is None:
                _refuse_non_texts(documents, start, reader)
            documents = [prepare(each) for each in documents]
        _refuse_non_texts(documents, start, reader)
        return documents


def _refuse_non_texts(documents: list[Any], start: int, reader: ReadsText) -> None:
    if not all(isinstance(each, str) for each in documents):
        for position, each in enumerate(documents):
            refuse_non_text(each, start + position, type(reader).__name__)


def compiled_analysis(reader: ReadsText) -> CompiledAnalysis | None:
    """A vectoriser's analysis by the core; None where its parameters ask for Python."""
    kind = type(reader)
    changed = any(getattr(kind, name) is not getattr(ReadsText, name) for name in _STEPS)
    if changed or callable(reader.analyzer) or not vars(reader).keys().isdisjoint(_STEPS):
        return None
    words = reader.analyzer == "word"
    shortest = _RUNS.get(reader.token_pattern or "", 0) if words else 1
    if shortest == 0 or (words and reader.tokenizer is not None):
        return None
    stop_words = (reader.get_stop_words() or ()) if words else ()
    if stop_words:
        reader.build_analyzer()  # warns of stop words that no text is cut into
    prepares = (
        reader.preprocessor is not None or reader.strip_accents is not None or reader.strip_html
    )
    least, most = reader.ngram_range
    analysis = _core.TextAnalysis(
        reader.analyzer,
        bool(reader.lowercase) and not prepares,
        shortest,
        int(least),
        int(most),
        sorted(stop_words),
    )
    return CompiledAnalysis(analysis, reader, bool(prepares))


def terms_in(reader: ReadsText, raw: Any) -> Iterator[Iterable[Any]]:
    """The terms of each document, in Python."""
    analyze = reader.build_analyzer()
    owner = type(reader).__name__
    free = callable(reader.analyzer) or reader.preprocessor is not None
    for position, document in enumerate(documents_in(raw, owner)):
        if not free and reader.input == "content" and not isinstance(document, bytes):
            refuse_non_text(reader.decode(document), position, owner)
        yield analyze(document)


class PlainCounter:
    """What `_core.TermCounter` does, for terms of any kind."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._entries = _Entries()
        self._order: list[Any] = []

    @property
    def n_documents(self) -> int:
        """Documents counted so far."""
        return len(self._entries.offsets) - 1

    def add(self, documents: Iterable[Iterable[Hashable]]) -> None:
        """Counts the terms of documents."""
        numbers = self._numbers
        for terms in documents:
            counted: dict[int, int] = {}
            for term in terms:
                number = numbers.setdefault(term, len(numbers))
                counted[number] = counted.get(number, 0) + 1
            self._entries.add(counted)

    def sorted(self) -> tuple[Integers, Integers]:
        """Sorts the terms; the documents that have each, and its occurrences."""
        self._order = sorted(self._numbers)
        order = [self._numbers[term] for term in self._order]
        values, columns, _ = self._entries.csr()
        n = len(order)
        occurrences = np.bincount(columns, weights=values, minlength=n).astype(np.int64)
        return np.bincount(columns, minlength=n)[order], occurrences[order]

    def terms(self, kept: Integers) -> list[Any]:
        """Terms by their positions."""
        return [self._order[position] for position in kept]

    def counts(self, kept: Integers, binary: bool, floating: bool) -> Csr:
        """Values, columns, offsets of the terms kept."""
        from scipy import sparse

        values, columns, offsets = self._entries.csr()
        place = np.full(len(self._numbers), -1, dtype=np.int64)
        place[[self._numbers[self._order[k]] for k in kept]] = np.arange(len(kept))
        columns, stays = place[columns], place[columns] >= 0
        offsets = np.concatenate([[0], np.cumsum(stays)])[offsets]
        shape = (len(offsets) - 1, len(kept))
        matrix = sparse.csr_array((values[stays], columns[stays], offsets), shape=shape)
        return _finished(matrix, binary, floating)


class TermTally:
    """Terms of many batches: the documents that have each, and its occurrences."""

    def __init__(self) -> None:
        self._counts: dict[Any, list[int]] = {}

    def add(self, terms: Sequence[Any], documents_with: Integers, occurrences: Integers) -> None:
        """Adds the counts of a batch."""
        counts = self._counts
        columns = zip(terms, documents_with.tolist(), occurrences.tolist(), strict=True)
        for term, documents, times in columns:
            known = counts.setdefault(term, [0, 0])
            known[0] += documents
            known[1] += times

    def merge(self, other: TermTally) -> TermTally:
        """Of both parts' documents; this one is the larger of them from now on."""
        for term, (documents, times) in other._counts.items():
            known = self._counts.setdefault(term, [0, 0])
            known[0] += documents
            known[1] += times
        return self

    def __len__(self) -> int:
        """How many different terms there are."""
        return len(self._counts)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The terms in order, as arrays."""
        terms, documents_with, occurrences = self.sorted()
        found = {"documents": documents_with, "occurrences": occurrences}
        if all(type(term) is str for term in terms):
            texts = [term.encode("utf-8", "surrogatepass") for term in terms]
            ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
            return found | {"bytes": np.frombuffer(b"".join(texts), np.uint8), "ends": ends}
        values = np.empty(len(terms), dtype=object)  # what an analyser of the caller's makes
        values[:] = terms
        return found | {"terms": values}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> TermTally:
        """The tally that gave these arrays."""
        if "terms" in arrays:
            terms = list(arrays["terms"])
        else:
            whole, ends = arrays["bytes"].tobytes(), [0, *arrays["ends"].tolist()]
            terms = [whole[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(ends)]
        made = cls()
        made.add(terms, arrays["documents"], arrays["occurrences"])
        return made

    def sorted(self) -> tuple[list[Any], Integers, Integers]:
        """The terms in order, and their counts."""
        terms = sorted(self._counts)
        counts = np.array([self._counts[term] for term in terms], dtype=np.int64).reshape(-1, 2)
        return terms, counts[:, 0], counts[:, 1]


class _Entries:
    """Entries of a growing matrix."""

    def __init__(self) -> None:
        self.values, self.columns, self.offsets = array("q"), array("q"), array("q", [0])

    def add(self, row: Mapping[int, int]) -> None:
        self.columns.extend(row.keys())
        self.values.extend(row.values())
        self.offsets.append(len(self.columns))

    def csr(self) -> Csr:
        arrays = (self.values, self.columns, self.offsets)
        values, columns, offsets = (np.array(each, dtype=np.int64) for each in arrays)
        return values, columns, offsets


def joined_csr(parts: Sequence[Csr]) -> Csr:
    """The rows of several matrices, one below the other."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0] + [len(values) for values, _, _ in parts])
    index = np.int32 if starts[-1] <= np.iinfo(np.int32).max else np.int64
    offsets = [np.zeros(1, dtype=np.int64)] + [
        part[2][1:].astype(np.int64) + start for part, start in zip(parts, starts[:-1], strict=True)
    ]
    return (
        np.concatenate([values for values, _, _ in parts]),
        np.concatenate([columns for _, columns, _ in parts]).astype(index, copy=False),
        np.concatenate(offsets).astype(index),
    )


def plain_counts(
    documents: Iterable[Iterable[Hashable]],
    vocabulary: Mapping[Any, int],
    binary: bool,
    floating: bool,
) -> Csr:
    """Values, columns, offsets of counts of known terms; others are passed over."""
    from scipy import sparse

    entries = _Entries()
    for terms in documents:
        counted: dict[int, int] = {}
        for term in terms:
            column = vocabulary.get(term)
            if column is not None:
                counted[column] = counted.get(column, 0) + 1
        entries.add(counted)
    values, columns, offsets = entries.csr()
    shape = (len(offsets) - 1, len(vocabulary))
    return _finished(sparse.csr_array((values, columns, offsets), shape=shape), binary, floating)


def plain_hashes(
    documents: Iterable[Iterable[str]], columns: int, alternate: bool, binary: bool
) -> Csr:
    """Values, columns, offsets of terms counted by their hash."""
    from scipy import sparse

    entries = _Entries()
    for terms in documents:
        counted: dict[int, int] = {}
        for term in terms:
            if not isinstance(term, str | bytes):
                raise InvalidDataError(
                    f"HashingVectorizer: terms must be strings, the analyzer gave {term!r:.60}."
                )
            data = term if isinstance(term, bytes) else term.encode("utf-8", "surrogatepass")
            number = _core.murmur3(data)
            negative = number >> 31
            column = (2**32 - number if negative else number) % columns
            sign = -1 if alternate and negative else 1
            counted[column] = counted.get(column, 0) + sign
        entries.add(counted)
    values, where, offsets = entries.csr()
    shape = (len(offsets) - 1, columns)
    return _finished(sparse.csr_array((values, where, offsets), shape=shape), binary, True)


def _finished(matrix: Any, binary: bool, floating: bool) -> Csr:
    matrix.sort_indices()
    values = np.ones_like(matrix.data) if binary else matrix.data
    index = np.int32 if len(values) <= np.iinfo(np.int32).max else np.int64
    kind = np.float64 if floating else np.int64
    return values.astype(kind), matrix.indices.astype(index), matrix.indptr.astype(index)
