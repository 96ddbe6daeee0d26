"""Profiles as plain values, as `to_dict` gives them, with a text of choice in every place."""

from __future__ import annotations

from typing import Any

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "'><svg/onload=alert(3)>",
    "</style><style>*{all:unset}",
    "</title></script><h1>taken over",
    '=HYPERLINK("http://x.test","a")',
    "javascript:alert(4)",
    "http://example.test/a?b=1&c=2",
    "&lt;b&gt; &amp; &#60;i&#62;",
    "right \u202eleft\u202c and \u2066so on",
    "zero\u200bwidth\ufeff",
    "line\nfeed\ttab\x00nul\x1besc",
    "\ud800 alone",
    "{{7*7}} ${7*7} <!-- -->",
    "]]><!DOCTYPE x>",
    "مرحبا 你好 👩‍👩‍👧 é",
)


def numeric(**changes: Any) -> dict[str, Any]:
    """Numbers of a column of 100 values from 0 to 10."""
    return {
        "min": 0.0,
        "max": 10.0,
        "mean": 4.5,
        "sd": 2.5,
        "skewness": 0.1,
        "kurtosis": -0.3,
        "zeros": 2,
        "negatives": 0,
        "infinite": 0,
        "quantiles": {"0.05": 0.5, "0.25": 2.5, "0.5": 4.5, "0.75": 6.5, "0.95": 9.0},
        "rank_error": 0.0,
        "outliers": {
            "box": {"lower": -3.5, "upper": 12.5, "below": 0, "above": 0},
            "percentile": {"lower": 0.2, "upper": 9.7, "below": 3, "above": 3},
        },
        "histogram": {"edges": [0.0, 2.5, 5.0, 7.5, 10.0], "counts": [20, 40, 30, 10]},
        "density": {"x": [0.0, 5.0, 10.0], "y": [0.05, 0.15, 0.02], "bandwidth": 0.8},
    } | changes


def variable(name: str, kind: str, **parts: Any) -> dict[str, Any]:
    """One column; its numbers, counts, moments or words as parts."""
    empty = dict.fromkeys(("numeric", "counts", "datetime", "text", "mixed"))
    return (
        {
            "name": name,
            "kind": kind,
            "reason": "because",
            "type": "float64",
            "missing": 0,
            "missing_share": 0.0,
            "distinct": 100,
            "distinct_exact": True,
            "distinct_error": None,
            "examples": [],
        }
        | empty
        | parts
    )


def profile_of(variables: list[dict[str, Any]], **parts: Any) -> dict[str, Any]:
    """A profile of these columns and nothing else."""
    return {
        "stylobate": "0.1.0",
        "source": "table.csv",
        "rows": 100,
        "columns": len(variables),
        "sampled_rows": None,
        "seconds": 0.25,
        "notes": [],
        "warnings": [],
        "variables": variables,
        "duplicates": {"rows": 0, "exact": True, "examples": [], "columns": []},
        "missingness": {"complete_rows": 100, "patterns": [], "correlations": []},
        "associations": [],
        "target": None,
        "trends": [],
    } | parts


def profile_with(text: str) -> dict[str, Any]:
    """A profile with every part there is, and ``text`` wherever a text can be."""
    a, b, c = text, f"{text} b", f"{text} c"
    share = {"count": 50, "share": 0.5, "low": 0.4, "high": 0.6}
    shares = [share | {"label": label} for label in (a, b)]
    estimate = {"value": 0.5, "low": 0.4, "high": 0.6, "p_value": 0.01, "q_value": 0.02, "n": 100}
    counts = {"values": [{"value": v, "count": 9, "share": 0.1} for v in (a, b)], "others": 82}
    moments = {
        "first": "2024-01-01",
        "last": text,
        "median_step": 60.0,
        "gaps": 1,
        "per": text,
        "trend": [{"start": text, "count": 4}, {"start": b, "count": 6}],
    }
    words = {"min_length": 1, "mean_length": 3.0, "max_length": 9}
    words["words"] = [{"word": text, "count": 3}]
    listed = [
        variable(a, text, reason=text, type=text, numeric=numeric(), mixed=text, missing=5),
        variable(b, text, counts=counts, examples=[text, b], datetime=moments),
        variable(c, "text", text=words, examples=[text], missing=3, missing_share=0.03),
    ]
    feature = estimate | {"name": a, "kind": text, "measure": text, "explains": 0.2, "reason": text}
    means = [{"group": g, "n": 50, "mean": 1.0, "low": 0.5, "high": 1.5, "sd": 1.0} for g in (a, b)]
    classes = [{"label": g, "n": 50, "mean": 1.0, "counts": [3, 4]} for g in (a, b)]
    target = {
        "name": a,
        "kind": text,
        "rows": 100,
        "missing": 1,
        "balance": {"classes": shares, "sentence": text},
        "features": [
            feature
            | {"table": [{"group": g, "n": 9, "shares": shares} for g in (a, b)]}
            | {"classes": classes, "edges": [0.0, 1.0, 2.0]},
            feature | {"table": means},
        ],
        "pairs": [
            {"a": a, "b": b, "gain": 0.1, "explains": 0.3, "groups_a": [a], "groups_b": [b, c]}
            | {"cells": [{"row": 0, "column": 1, "group": text, "n": 9, "shares": shares}]}
        ],
        "suspects": [{"column": a, "topic": text, "reason": text}],
        "notes": [text],
    }
    point = {"mean": 1.0, "low": 0.5, "high": 1.5, "n": 9}
    return profile_of(
        listed,
        source=text,
        seed=0,
        notes=[text],
        warnings=[
            {"level": "high", "topic": text, "columns": [a, b], "text": f"Mind {text!r} here."},
            {"level": text, "topic": text, "columns": [a], "text": "Mind this."},
        ],
        duplicates={
            "rows": 2,
            "exact": False,
            "examples": [{"values": {a: text, b: None}, "count": 2}],
            "columns": [[a, b]],
        },
        missingness={
            "complete_rows": 92,
            "patterns": [{"columns": [a, c], "rows": 3, "share": 0.03}],
            "correlations": [{"a": a, "b": c, "value": -0.4}],
        },
        associations=[
            estimate | {"a": a, "b": b, "measure": measure, "exact": False}
            for measure in ("pearson", "cramers_v", "mutual_information", text)
        ],
        target=target,
        trends=[{"time": b, "column": a, "per": text, "points": [point | {"start": text}] * 2}],
    )


def table_profile() -> dict[str, Any]:
    """Columns whose order differs by every key, for sorting and filtering."""
    listed = [
        variable("beta", "numeric", numeric=numeric(max=9.0), distinct=9),
        variable("alpha", "nominal", missing=50, missing_share=0.5, distinct=100, counts={
            "values": [{"value": "x", "count": 60, "share": 0.6}], "others": 40}),
        variable("Gamma", "numeric", numeric=numeric(max=100.0), missing=5, missing_share=0.05,
                 distinct=20),
        variable("delta10", "text", distinct=3, text={
            "min_length": 1, "mean_length": 2.0, "max_length": 3, "words": []}),
        variable("delta9", "nominal", missing=20, missing_share=0.2, distinct=1000),
    ]  # fmt: skip
    return profile_of(listed)
