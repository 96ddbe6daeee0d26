"""The summary of a column of texts."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.variables import TextSummary, WordCount
from stylobate.statistics.columns.text_lengths import TextLengths

MOST = 20
_MOST_TEXTS = 10_000  # different ones in which words are counted
_LONGEST = 2_000  # characters of a text in which words are looked for
_WORD = re.compile(r"[^\W\d_]{3,}")


def summarise_texts(
    values: NDArray[Any], counts: NDArray[np.intp], known: TextLengths | None = None
) -> TextSummary | None:
    """Lengths and frequent words of distinct texts; words of fewer than three letters are not.

    `known` are the lengths of all rows where the texts are a sample.
    """
    if len(values) == 0:
        return None
    words: Counter[str] = Counter()
    step = max(1, len(values) // _MOST_TEXTS)
    for value, count in zip(values[::step].tolist(), counts[::step].tolist(), strict=True):
        for word in _WORD.findall(value[:_LONGEST].lower()):
            words[word] += count
    listed = sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]
    found = tuple(WordCount(word, count) for word, count in listed)
    if known is not None and known.count:
        return TextSummary(
            known.least_characters, known.mean_characters, known.most_characters, found
        )
    lengths = np.array([len(value) for value in values])
    return TextSummary(
        int(lengths.min()),
        float(lengths @ counts / counts.sum()),
        int(lengths.max()),
        found,
    )
