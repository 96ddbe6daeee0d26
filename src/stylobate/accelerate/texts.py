"""Terms of texts: the counting replaced, the rest of scikit-learn's `fit` kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stylobate.accelerate.adapter import described_parameters, refused_parameter, with_parameters_of

_FREE = (
    "ngram_range", "max_df", "min_df", "max_features", "binary", "dtype", "norm", "use_idf",
    "smooth_idf", "sublinear_tf", "lowercase",
)  # fmt: skip
_FIXED = {"stop_words": (None, "english"), "analyzer": ("word",)}


@dataclass(frozen=True)
class TextAdapter:
    """`_count_vocab`: the vocabulary in any order and the counts of its terms.

    Parameters
    ----------
    name : str
        The class.
    smallest : int
        Texts from which ours is not slower.
    """

    name: str
    smallest: int = 200
    home: str = "feature_extraction.text"
    method: str = "_count_vocab"

    def prepared(self, model: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The texts, or a reason."""
        if options or len(args) != 2:
            return "other arguments"
        texts, fixed = args
        if fixed:
            return "a given vocabulary"
        if (refused := refused_parameter(model, _FREE, _FIXED)) is not None:
            return refused
        if not isinstance(texts, list):
            return "texts that are no list"
        if len(texts) < self.smallest:
            return "few texts"
        return texts if all(type(text) is str for text in texts) else "documents that are no texts"

    def answer(self, model: Any, prepared: Any) -> Any:
        """The vocabulary and the counts, before limits and order, which scikit-learn applies."""
        model.build_analyzer()  # warns of stop words, as counting does
        ours = with_parameters_of(
            model, "feature_extraction.text", "CountVectorizer",
            max_df=1.0, min_df=1, max_features=None, binary=False,
        )  # fmt: skip
        counts = ours.fit_transform(prepared)
        return dict(ours.vocabulary_), counts.astype(model.dtype)

    def learnt_by(self, model: Any) -> dict[str, Any]:
        """Nothing is learnt yet where the terms are counted."""
        return {}

    def describe(self) -> str:
        """The conditions in words."""
        return f"lists of {self.smallest:,} texts or more; {described_parameters(_FREE, _FIXED)}"


TEXTS = TextAdapter("CountVectorizer"), TextAdapter("TfidfVectorizer")
