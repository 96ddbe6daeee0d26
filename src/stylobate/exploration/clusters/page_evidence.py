"""The evidence on the number of clusters, as a section of the page."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster import NClustersEvidence
from stylobate.exploration.clusters.report import ClusterReport
from stylobate.report import Html, charts, section, tag

_SAYS = {
    "silhouette": "Silhouette: the largest mean says",
    "gap": "Gap: the first within a standard error of the largest says",
    "elbow": "Elbow: where the dispersion bends says",
    "stability": "Stability: the largest that other halves of the rows find again says",
}


def evidence_section(report: ClusterReport) -> Html | None:
    """Four charts, where the number was chosen by them."""
    evidence = report.evidence
    if evidence is None or len(evidence.n_clusters) < 2:
        return None
    figures = [_silhouette(evidence), _gap(evidence), _elbow(evidence), _stability(evidence)]
    return section(
        "number",
        "How many",
        tag("div", [each for each in figures if each is not None], class_="multiples"),
        lead=evidence.sentence,
    )


def _figure(evidence: NClustersEvidence, name: str, lines: list[charts.Curve], y: str) -> Html:
    vote = evidence.votes.get(name)
    said = f"{_SAYS[name]} {vote}" if vote is not None else name.capitalize()
    axes = charts.Axes(x="clusters", y=y, height=200.0)
    return tag("figure", tag("figcaption", said), charts.curves(lines, title=said, axes=axes))


def _curve(ks: Indices, values: Array, errors: Array | None = None, hue: int = 0) -> charts.Curve:
    known = np.isfinite(values)
    points = list(zip(ks[known].astype(float).tolist(), values[known].tolist(), strict=True))
    if errors is None:
        return charts.Curve(points, hue=hue, dots=True)
    low, high = (values - errors)[known].tolist(), (values + errors)[known].tolist()
    return charts.Curve(points, low, high, hue=hue, dots=True)


def _silhouette(evidence: NClustersEvidence) -> Html | None:
    if "silhouette" not in evidence.votes:
        return None
    line = _curve(evidence.n_clusters, evidence.silhouette, evidence.silhouette_error)
    return _figure(evidence, "silhouette", [line], "mean silhouette")


def _gap(evidence: NClustersEvidence) -> Html | None:
    if evidence.gap is None:
        return None
    line = _curve(evidence.n_clusters, evidence.gap.gap, evidence.gap.standard_error)
    return _figure(evidence, "gap", [line], "gap statistic")


def _elbow(evidence: NClustersEvidence) -> Html:
    line = _curve(evidence.n_clusters, evidence.inertia)
    return _figure(evidence, "elbow", [line], "dispersion within clusters")


def _stability(evidence: NClustersEvidence) -> Html | None:
    found = evidence.stability
    if found is None:
        return None
    by_chance = _curve(evidence.n_clusters, found.reference.mean(axis=1), hue=1)
    line = _curve(evidence.n_clusters, found.mean, found.standard_error)
    figure = _figure(
        evidence, "stability", [by_chance, line], "worst cluster found again (orange: by chance)"
    )
    return figure
