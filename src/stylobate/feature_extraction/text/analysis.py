"""From a document to its terms, in Python: what the compiled analysis must equal.

Small callables that can be stored with a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from stylobate.feature_extraction.text.cleaning import (
    strip_accents_ascii,
    strip_accents_unicode,
    strip_html,
)

_SPACES = re.compile(r"\s\s+")
_ACCENTS: dict[str, Callable[[str], str]] = {
    "ascii": strip_accents_ascii,
    "unicode": strip_accents_unicode,
}


@dataclass(frozen=True)
class Preprocessor:
    """Markup, lower case, accents: what happens to a text before it is cut up."""

    markup: bool
    lowercase: bool
    accents: Any
    custom: Callable[[Any], Any] | None = None

    def __call__(self, text: Any) -> Any:
        if self.markup:
            text = strip_html(text)
        if self.custom is not None:
            return self.custom(text)
        if self.lowercase:
            text = text.lower()
        if self.accents is None:
            return text
        strip = self.accents if callable(self.accents) else _ACCENTS[self.accents]
        return strip(text)


@dataclass(frozen=True)
class WordTerms:
    """n-grams of the words of a text, stop words left out first."""

    tokenize: Callable[[Any], Any]
    lengths: tuple[int, int]
    stop_words: Collection[str] | None

    def __call__(self, text: Any) -> list[Any]:
        words = self.tokenize(text)
        if self.stop_words is not None:
            words = [word for word in words if word not in self.stop_words]
        least, most = self.lengths
        if most == 1:
            return list(words)
        words = list(words)
        terms = list(words) if least == 1 else []
        for n in range(max(least, 2), min(most, len(words)) + 1):
            terms += [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)]
        return terms


@dataclass(frozen=True)
class CharacterTerms:
    """n-grams of the characters of a text; several white spaces are one."""

    lengths: tuple[int, int]

    def __call__(self, text: str) -> list[str]:
        text = _SPACES.sub(" ", text)
        least, most = self.lengths
        return [
            text[i : i + n]
            for n in range(least, min(most, len(text)) + 1)
            for i in range(len(text) - n + 1)
        ]


@dataclass(frozen=True)
class InnerCharacterTerms:
    """n-grams of the characters of each word with a space on either side.

    A word that is shorter than n counts once, whole.
    """

    lengths: tuple[int, int]

    def __call__(self, text: str) -> list[str]:
        terms = []
        for word in text.split():
            padded = f" {word} "
            for n in range(self.lengths[0], self.lengths[1] + 1):
                if n >= len(padded):
                    terms.append(padded)
                    break
                terms += [padded[i : i + n] for i in range(len(padded) - n + 1)]
        return terms


@dataclass(frozen=True)
class Analyzer:
    """Steps applied one after the other."""

    steps: Sequence[Callable[[Any], Any]]

    def __call__(self, document: Any) -> Any:
        for step in self.steps:
            document = step(document)
        return document
