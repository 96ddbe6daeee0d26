"""The summary of a column of texts."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.variables import TextSummary, WordCount

MOST = 20
_LONGEST = 2_000  # characters of a text in which words are looked for
_WORD = re.compile(r"[^\W\d_]{3,}")


def summarise_texts(values: NDArray[Any], counts: NDArray[np.intp]) -> TextSummary | None:
    """Lengths and frequent words of distinct texts; words of fewer than three letters are not."""
    if len(values) == 0:
        return None
    lengths = np.array([len(value) for value in values])
    words: Counter[str] = Counter()
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        for word in _WORD.findall(value[:_LONGEST].lower()):
            words[word] += count
    listed = sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]
    return TextSummary(
        int(lengths.min()),
        float(lengths @ counts / counts.sum()),
        int(lengths.max()),
        tuple(WordCount(word, count) for word, count in listed),
    )
