"""A report on clusters as one page that needs nothing but itself."""

from __future__ import annotations

from stylobate.exploration.clusters.methods import TITLES
from stylobate.exploration.clusters.page_evidence import evidence_section
from stylobate.exploration.clusters.report import NOISE, ClusterProfile, ClusterReport
from stylobate.exploration.page.compared_columns import columns_section
from stylobate.exploration.page.compared_rows import Compared
from stylobate.report import (
    Cell,
    Child,
    Heading,
    Html,
    Row,
    charts,
    facts,
    fixed,
    listing,
    name,
    number,
    number_cell,
    percent,
    section,
    table,
    tag,
    tiles,
)

_SURE = {"high": "sure", "moderate": "fairly sure", "low": "unsure"}


def cluster_page(report: ClusterReport) -> str:
    """The report as HTML; whatever comes from the table is shown as text.

    Parameters
    ----------
    report : ClusterReport
        What `describe_clusters` found.

    Returns
    -------
    str
        For a file with the encoding UTF-8.
    """
    made = [
        ("answer", "Answer", _answer(report)),
        ("clusters", "Clusters", _clusters(report)),
        ("pictures", "Pictures", _pictures(report)),
        ("number", "How many", evidence_section(report)),
        ("columns", "Columns", columns_section(report.columns, report.left_out, report.notes)),
        ("using", "New rows", _using()),
    ]
    compared = Compared(report.source, report.rows, len(report.columns))
    return compared.document("Clusters of", "Cluster analysis", made)


def _answer(report: ClusterReport) -> Html:
    largest = report.clusters[0]
    items: list[tuple[Child, Child, Child]] = [
        ("Clusters", f"{report.n_clusters:,}", _SURE.get(report.confidence or "", "as asked for")),
        ("Rows", number(report.rows), _learnt(report)),
        ("Largest cluster", percent(largest.share), f"{number(largest.size)} rows"),
    ]
    if report.silhouette is not None:
        items.append(("Mean silhouette", f"{report.silhouette:.2f}", "1 apart, 0 touching"))
    method = f"Found by {TITLES[report.method]}: {report.method_reason}."
    short, _, reason = report.sentence.partition(": ")
    return section(
        "answer",
        "Answer",
        tag("p", short, "" if short.endswith(".") else ".", class_="answer"),
        tag("p", reason[:1].upper(), reason[1:], class_="said") if reason else None,
        tiles(items),
        tag("p", method, class_="said spaced"),
    )


def _learnt(report: ClusterReport) -> str:
    if report.used_rows == report.rows:
        return "all of them looked at"
    return f"learnt from {number(report.used_rows)} of them"


def _clusters(report: ClusterReport) -> Html:
    headings = [
        Heading("Cluster"),
        Heading("Rows", numeric=True),
        Heading("Share"),
        Heading("Silhouette", numeric=True, hint="Mean of its rows: 1 apart, 0 touching"),
        Heading("What sets it apart", sortable=False),
        Heading("A row in its middle", sortable=False),
    ]
    rows = [_row(each) for each in report.clusters]
    caution = (
        "Differences are effect sizes: d is a difference of means in standard deviations, × a "
        "ratio of shares, both against all other rows. They have no p-values: clusters are made of "
        "the same columns, so that a test would always find them different."
    )
    return section(
        "clusters",
        "Clusters",
        table(headings, rows, caption="Clusters", limit=None),
        tag("p", caution, class_="quiet spaced"),
    )


def _row(cluster: ClusterProfile) -> Row:
    traits = [tag("li", trait.words) for trait in cluster.traits] or [tag("li", cluster.words)]
    cells = facts(
        [(name(key, 30), name(value, 30)) for key, value in list(cluster.typical.items())[:10]]
    )
    middle = tag(
        "details", tag("summary", f"row {number(cluster.typical_row + 1)}"), cells, class_="rest"
    )
    return Row(
        [
            Cell(_label(cluster.label), float(cluster.label), heads=True),
            number_cell(cluster.size),
            Cell([charts.share_bar(cluster.share), " ", percent(cluster.share)], cluster.share),
            Cell(fixed(cluster.silhouette, 2), cluster.silhouette),
            Cell(tag("ul", traits, class_="notes")),
            Cell(middle),
        ]
    )


def _label(label: int) -> str:
    return "none" if label == NOISE else str(label)


def _pictures(report: ClusterReport) -> Html:
    order = [each.label for each in report.clusters]
    picture = report.picture
    groups = [
        [(float(x), float(y)) for x, y in picture.points[picture.labels == label]]
        for label in order
    ]
    shares = [percent(share) for share in picture.explained]
    axes = charts.Axes(
        x=f"first principal coordinate ({shares[0]} of the variance)",
        y=f"second ({shares[1]})",
        width=520.0,
        height=380.0,
    )
    parts: list[Child] = [
        tag(
            "figure",
            tag("figcaption", "Rows on the plane that shows most of their variance"),
            charts.clouds(groups, title="Rows by their principal coordinates", axes=axes),
        )
    ]
    values = [
        sorted(v for v in picture.silhouettes[picture.labels == label].tolist() if v == v)
        for label in order
    ]
    if any(values):
        drawn = charts.silhouettes(values, title="Silhouettes of the rows", height=380.0)
        caption = tag(
            "figcaption", "Silhouettes: right, in its cluster; left of 0, nearer to another"
        )
        parts.append(tag("figure", caption, drawn))
    return section(
        "pictures",
        "Pictures",
        charts.key([_label(label) for label in order]),
        tag("div", [tag("div", part) for part in parts], class_="pair"),
        _profile(report),
    )


def _profile(report: ClusterReport) -> Html | None:
    if report.n_clusters < 2 or not report.effects:
        return None
    names = [_label(each.label) for each in report.clusters]
    legend = tag(
        "span",
        tag("span", "less than elsewhere", class_="swatch down"),
        tag("span", "alike", class_="swatch none"),
        tag("span", "more than elsewhere", class_="swatch up"),
        class_="legend",
    )
    grid = charts.effect_grid(names, report.effects, title="Effects by cluster")
    return tag(
        "figure",
        tag("h3", "Profile of the clusters"),
        tag("figcaption", "Effect sizes against all other rows; full colour from 2 on", legend),
        tag("div", grid, class_="scroll"),
    )


def _using() -> Html:
    lines = [
        "stylobate predict model.stylobate new.csv --out clusters.csv",
        "",
        "import pandas",
        "import stylobate",
        "",
        "model = stylobate.load('model.stylobate')",
        "rows = pandas.read_csv('new.csv')",
        "rows['cluster'] = model.predict(rows[list(model.feature_names_in_)])",
    ]
    lead = "The model file gives clusters for new rows, on the command line and in Python."
    return section("using", "New rows", listing(lines), lead=lead)
