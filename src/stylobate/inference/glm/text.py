"""The summary of a generalised linear model as a terminal table and as HTML."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from stylobate.inference.summary.html import coefficients_html, measures_html, page
from stylobate.inference.summary.text import (
    WIDTH,
    coefficients_text,
    covariance_label,
    legend,
    notes_text,
    number,
    p_value,
    pairs_text,
    shortened,
    size_label,
    statistic_label,
)

if TYPE_CHECKING:
    from stylobate.inference.glm.summary import GLMSummary

_TITLES = {"binomial": "Logistic regression", "multinomial": "Multinomial logistic regression"}


def glm_text(summary: GLMSummary) -> str:
    """The summary as a terminal table."""
    statistic = statistic_label(summary.distribution)
    blocks = []
    for equation, table in zip(summary.equations, summary.tables, strict=True):
        body = coefficients_text(table, summary.level, statistic)
        against = _against(summary, equation)
        blocks.append(f"{shortened(against, WIDTH)}\n{body}" if against else body)
    head = f"{_title(summary)}\n{size_label(summary)}\n{covariance_label(summary)}"
    proof = ""
    if summary.certificate is not None:
        proof = "\n\n" + textwrap.fill(summary.certificate, WIDTH)
    tables = "\n\n".join(blocks)
    return (
        f"{head}\n\n{tables}\n{legend()}\n\n{pairs_text(_measures(summary))}{proof}"
        f"{notes_text(summary.notes)}"
    )


def glm_html(summary: GLMSummary) -> str:
    """The summary as HTML for notebooks, every name escaped."""
    statistic = statistic_label(summary.distribution)
    tables = "".join(
        coefficients_html(table, summary.level, statistic, _against(summary, equation))
        for equation, table in zip(summary.equations, summary.tables, strict=True)
    )
    proof = () if summary.certificate is None else (summary.certificate,)
    return page(
        _title(summary),
        f"{size_label(summary)}; {covariance_label(summary)}",
        tables,
        measures_html(_measures(summary)),
        (*proof, *summary.notes),
    )


def _title(summary: GLMSummary) -> str:
    known = _TITLES.get(summary.family)
    kind = known or f"{summary.family} regression ({summary.link} link)"
    kind = kind[0].upper() + kind[1:]
    return f"{kind} of {shortened(summary.target, WIDTH - len(kind) - 4)}"


def _against(summary: GLMSummary, equation: str) -> str:
    if summary.reference is None:
        return ""
    return f"{equation} against {summary.reference}"


def _measures(summary: GLMSummary) -> list[tuple[str, str]]:
    per_df = summary.pearson / summary.df_residual if summary.df_residual else math.nan
    return [
        ("log-likelihood", number(summary.log_likelihood)),
        ("null log-likelihood", number(summary.null_log_likelihood)),
        ("deviance", number(summary.deviance)),
        ("null deviance", number(summary.null_deviance)),
        (f"LR against null ({summary.lr_df})", number(summary.lr)),
        ("p of LR", p_value(summary.lr_p)),
        ("Pearson χ²", number(summary.pearson)),
        ("Pearson χ² per df", number(per_df)),
        ("dispersion", number(summary.dispersion)),
        ("pseudo R² (McFadden)", number(summary.pseudo_r2)),
        ("AIC", number(summary.aic)),
        ("BIC", number(summary.bic)),
    ]
