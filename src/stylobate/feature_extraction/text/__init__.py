"""Texts as bags of terms: counts, tf-idf weights, hashed columns."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.feature_extraction.text.cleaning import (
        strip_accents_ascii,
        strip_accents_unicode,
        strip_html,
        strip_tags,
    )
    from stylobate.feature_extraction.text.count_vectorizer import CountVectorizer
    from stylobate.feature_extraction.text.frequencies import DocumentFrequencies
    from stylobate.feature_extraction.text.hashing_vectorizer import HashingVectorizer
    from stylobate.feature_extraction.text.stop_words import ENGLISH_STOP_WORDS
    from stylobate.feature_extraction.text.tfidf import TfidfVectorizer
    from stylobate.feature_extraction.text.tfidf_transformer import TfidfTransformer

__all__ = [
    "ENGLISH_STOP_WORDS",
    "CountVectorizer",
    "DocumentFrequencies",
    "HashingVectorizer",
    "TfidfTransformer",
    "TfidfVectorizer",
    "strip_accents_ascii",
    "strip_accents_unicode",
    "strip_html",
    "strip_tags",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ENGLISH_STOP_WORDS": "stop_words",
        "CountVectorizer": "count_vectorizer",
        "DocumentFrequencies": "frequencies",
        "HashingVectorizer": "hashing_vectorizer",
        "TfidfTransformer": "tfidf_transformer",
        "TfidfVectorizer": "tfidf",
        "strip_accents_ascii": "cleaning",
        "strip_accents_unicode": "cleaning",
        "strip_html": "cleaning",
        "strip_tags": "cleaning",
    },
)
