"""Tf-idf weights of a hundred thousand documents of a hundred words."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload


def make(size: Size, seed: int) -> Data:
    """Words of two to ten letters, as frequent as Zipf's law has it."""
    rng = np.random.default_rng(seed)
    letters = rng.integers(97, 123, size=(size["words"], 10), dtype=np.uint8)
    letters[np.arange(10) >= rng.integers(2, 11, size=size["words"])[:, None]] = 0
    share = 1.0 / np.arange(1, size["words"] + 1)
    drawn = rng.choice(size["words"], size=(size["documents"], 100), p=share / share.sum())
    words = np.char.decode(letters.view("S10").ravel(), "ascii").astype(object)
    texts = "\n".join(" ".join(row) for row in words[drawn])
    return {"texts": np.frombuffer(texts.encode("ascii"), dtype=np.uint8)}


_documents: dict[int, list[str]] = {}


def documents(data: Data) -> list[str]:
    """The documents as strings, made once: every contender starts from these."""
    if id(data) not in _documents:
        _documents.clear()
        _documents[id(data)] = data["texts"].tobytes().decode("ascii").split("\n")
    return _documents[id(data)]


def vectorized(data: Data, package: str) -> Any:
    """The class of ours or of scikit-learn."""
    from importlib import import_module

    texts = documents(data)
    return (
        import_module(f"{package}.feature_extraction.text").TfidfVectorizer().fit_transform(texts)
    )


def polars(data: Data) -> Any:
    """Words by a regular expression, counted by group_by; a sparse matrix of the counts."""
    import polars as pl
    from scipy import sparse

    texts = documents(data)
    words = (
        pl.LazyFrame({"row": np.arange(len(texts)), "word": texts})
        .with_columns(pl.col("word").str.to_lowercase().str.extract_all(r"\b\w\w+\b"))
        .explode("word")
        .group_by("row", "word")
        .len()
        .with_columns(column=pl.col("word").rank("dense") - 1)
        .collect()
    )
    rows, columns, counts = (words[name].to_numpy() for name in ("row", "column", "len"))
    matrix = sparse.csr_matrix((counts.astype(float), (rows, columns)))
    seen = np.bincount(matrix.indices, minlength=matrix.shape[1])
    matrix.data *= (np.log((1 + matrix.shape[0]) / (1 + seen)) + 1)[matrix.indices]
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return (sparse.diags(1 / lengths) @ matrix).tocsr()


def quality(matrix: Any, data: Data) -> float:
    """1 + the largest error of the first hundred rows, computed by hand."""
    texts = [text.split() for text in documents(data)]
    terms = sorted({word for text in texts for word in text})
    column = {term: k for k, term in enumerate(terms)}
    seen = np.zeros(len(terms))
    for text in texts:
        seen[[column[word] for word in set(text)]] += 1
    idf = np.log((1 + len(texts)) / (1 + seen)) + 1
    if matrix.shape != (len(texts), len(terms)):
        return float("inf")
    error = 0.0
    for i, text in enumerate(texts[:100]):
        row = np.zeros(len(terms))
        np.add.at(row, [column[word] for word in text], 1)
        row *= idf
        error = max(error, float(np.abs(row / np.linalg.norm(row) - matrix[i].toarray()[0]).max()))
    return 1.0 + (0.0 if error < 1e-12 else error)


def work(size: Size) -> tuple[float, float]:
    """Every character is looked at; every entry is written."""
    return 1500.0 * size["documents"], 100.0 * size["documents"] * (7 + 12)


WORKLOAD = Workload(
    name="tfidf",
    title="tf-idf of documents of 100 words",
    sizes={
        "small": {"documents": 500, "words": 5_000},
        "standard": {"documents": 100_000, "words": 50_000},
        "large": {"documents": 500_000, "words": 200_000},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(vectorized, package="stylobate"), "ours"),
        Contender("sklearn", "sklearn", partial(vectorized, package="sklearn")),
        Contender("polars group_by", "polars", polars),
    ),
    quality=quality,
    floor=work,
    goals=(Faster("sklearn", 12),),
)
