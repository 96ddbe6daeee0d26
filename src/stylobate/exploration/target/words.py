"""Which words of a text go with the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.exploration.association.columns import AnyColumn, CategoryColumn
from stylobate.feature_extraction.text import CountVectorizer
from stylobate.inference.summary.text import number

_MOST_ROWS = 20_000
_FEWEST = 5  # rows that have the word, and that have not
_MOST_WORDS = 20_000
_TOP = 10  # of a column and class
_MOST_CLASSES = 12
_LEVEL = 0.05  # chance that any word of a column is told by chance alone


@dataclass(frozen=True, slots=True, repr=False)
class TellingWord:
    """A word of a text that goes with the target.

    Parameters
    ----------
    column, word : str
    rows : int
        Rows that have it.
    of_class : str or None
        The class it speaks for; None for numbers.
    with_it, without : float
        The share of the class, or the mean target, of rows with the word and of the others.
    z : float
        Their difference in standard errors.
    """

    column: str
    word: str
    rows: int
    of_class: str | None
    with_it: float
    without: float
    z: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        if self.of_class is None:
            shown = f"mean {number(self.with_it, 3)} with it, {number(self.without, 3)} without"
        else:
            shown = (
                f"{self.of_class} in {100 * self.with_it:.3g} % of rows with it, "
                f"{100 * self.without:.3g} % without"
            )
        return f"{self.column}: {self.word!r} ({self.rows} rows) {shown}"


def telling_words(name: str, texts: Sequence[str | None], target: AnyColumn) -> list[TellingWord]:
    r"""Words whose rows differ in the target by more than chance among all words tried.

    .. math:: z = (\bar y_1 - \bar y_0) / \sqrt{s^2 (1 / n_1 + 1 / n_0)}

    for rows with and without the word; of classes y is 1 in a class and 0 in the others.

    Parameters
    ----------
    name : str
        Of the column.
    texts : sequence of str or None
        A text for each row.
    target : NumberColumn or CategoryColumn

    Examples
    --------
    >>> from stylobate.exploration.association import category_column
    >>> said = ["good film", "bad film"] * 30
    >>> liked = category_column("liked", ["yes", "no"] * 30)
    >>> telling_words("said", said, liked)[0]
    said: 'bad' (30 rows) no in 100 % of rows with it, 0 % without
    """
    known = np.flatnonzero(target.present)
    rows = known[np.linspace(0, len(known) - 1, min(len(known), _MOST_ROWS)).astype(int)]
    if len(rows) < 2 * _FEWEST:
        return []
    vectorizer = CountVectorizer(binary=True, min_df=_FEWEST, max_features=_MOST_WORDS)
    try:
        has = vectorizer.fit_transform([texts[i] or "" for i in rows]).astype(np.float64)
    except InvalidDataError:  # no word comes back
        return []
    words = vectorizer.get_feature_names_out()
    if not isinstance(target, CategoryColumn):
        return _strongest(name, words, has, target.values[rows], None)
    codes, found = target.codes[rows], []
    commonest = np.argsort(-np.bincount(codes, minlength=len(target.labels)), kind="stable")
    for code in np.sort(commonest[:_MOST_CLASSES]).tolist():
        inside = (codes == code).astype(np.float64)
        found += _strongest(name, words, has, inside, str(target.labels[code]))
    return sorted(found, key=lambda each: -abs(each.z))


def _strongest(
    name: str, words: Any, has: Any, y: Array, of_class: str | None
) -> list[TellingWord]:
    n, n1 = len(y), np.asarray(has.sum(axis=0)).ravel()
    n0 = n - n1
    enough = (n1 >= _FEWEST) & (n0 >= _FEWEST)
    variance = float(y.var())
    if not enough.any() or variance == 0.0:
        return []
    total = np.asarray(has.T @ y).ravel()
    with np.errstate(divide="ignore", invalid="ignore"):
        with_it, without = total / n1, (y.sum() - total) / n0
        z = np.where(enough, (with_it - without) / np.sqrt(variance * (1 / n1 + 1 / n0)), 0.0)
    from scipy.special import ndtri

    least = -float(ndtri(_LEVEL / (2 * len(words))))
    # a word that speaks against one class speaks for another
    order = np.argsort(-np.abs(z) if of_class is None else -z, kind="stable")[:_TOP]
    return [
        TellingWord(
            name, str(words[k]), int(n1[k]), of_class, float(with_it[k]), float(without[k]),
            float(z[k]),
        )
        for k in order.tolist()
        if (abs(z[k]) if of_class is None else z[k]) >= least
    ]  # fmt: skip
