"""What was found about the clusters of a table, as values; prints as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stylobate.arrays import Array, Indices

if TYPE_CHECKING:
    from stylobate.cluster import NClustersEvidence

NOISE = -1  # the label of rows in no cluster
DIFFERENCE, RATIO = "standardised mean difference", "ratio of shares"  # measures of traits


@dataclass(frozen=True, slots=True)
class Trait:
    """One thing that sets a cluster apart from all other rows.

    Attributes
    ----------
    column : str
    value : str or None
        The category meant; None for amounts and for missing values.
    measure : {"standardised mean difference", "ratio of shares"}
    effect : float
        Cohen's d of means, or Cohen's h of shares: 0.2 is small, 0.5 medium, 0.8 large.
    inside, outside : float
        Mean (of dates in days since 1970) or share, in the cluster and elsewhere.
    ratio : float or None
        Of shares; None where the other rows have none.
    words : str
    """

    column: str
    value: str | None
    measure: str
    effect: float
    inside: float
    outside: float
    ratio: float | None
    words: str

    @property
    def title(self) -> str:
        """The column, the category of it, or that it is missing."""
        if self.value is not None:
            return f"{self.column} = {self.value}"
        return self.column if self.measure == DIFFERENCE else f"{self.column} missing"


@dataclass(frozen=True, slots=True)
class ClusterProfile:
    """One cluster.

    Attributes
    ----------
    label : int
        What `predict` calls it; -1 are rows in no cluster.
    size, share : int, float
        Rows, of those at hand.
    silhouette : float or None
        The mean of its rows, of a sample of them.
    traits : tuple of Trait
        The few strongest.
    typical_row : int
        The number of a row in its middle, the first row being 0.
    typical : dict from str to str
        That row's values.
    """

    label: int
    size: int
    share: float
    silhouette: float | None
    traits: tuple[Trait, ...]
    typical_row: int
    typical: dict[str, str]

    @property
    def title(self) -> str:
        """What to call it."""
        return "no cluster" if self.label == NOISE else f"cluster {self.label}"

    @property
    def words(self) -> str:
        """What sets it apart, in words."""
        if not self.traits:
            return "no single column sets it apart"
        return "; ".join(trait.words for trait in self.traits)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Some rows on the plane of the first two principal coordinates.

    Attributes
    ----------
    points : array of shape (m, 2)
    labels : array of int of shape (m,)
    silhouettes : array of shape (m,)
        NaN where there are none.
    explained : tuple of float
        Shares of the variance along both.
    """

    points: Array
    labels: Indices
    silhouettes: Array
    explained: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterReport:
    """The clusters of a table: how many, how sure, what each is; prints as text.

    Made by `stylobate.exploration.describe_clusters`.

    Attributes
    ----------
    source : str
        What was looked at.
    rows : int
        Rows of the source.
    used_rows : int
        Rows the clusters were learnt from and are described by.
    columns : dict from str to str
        The columns used, with their kinds.
    left_out : dict from str to str
        The other columns, with the reason.
    method, method_reason : str
    sentence : str
        How many clusters and how sure.
    confidence : {"high", "moderate", "low"} or None
        How many criteria agree; None where the number was given.
    evidence : NClustersEvidence or None
        On the number of clusters, where k was chosen by it.
    clusters : tuple of ClusterProfile
        The largest first; rows in no cluster last.
    effects : dict from str to list of float
        For the strongest traits, the effect in every cluster, in their order.
    notes : tuple of str
        What was done to rows and cells.
    model : Pipeline
        Gives clusters for new rows by `predict`.
    labels : array of int of shape (used_rows,)
    certainty : array of shape (used_rows,)
        Between 0, on a border, and 1: see `certainty_measure`.
    certainty_measure : str
    row_numbers : array of int of shape (used_rows,)
        Which rows of the source, the first being 0.
    picture : Picture
    """

    source: str
    rows: int
    used_rows: int
    columns: dict[str, str]
    left_out: dict[str, str]
    method: str
    method_reason: str
    sentence: str
    confidence: str | None
    evidence: NClustersEvidence | None
    clusters: tuple[ClusterProfile, ...]
    effects: dict[str, list[float]]
    notes: tuple[str, ...]
    model: Any
    labels: Indices
    certainty: Array
    certainty_measure: str
    row_numbers: Indices
    picture: Picture

    @property
    def n_clusters(self) -> int:
        """How many clusters there are, rows in none not counted."""
        return sum(each.label != NOISE for each in self.clusters)

    @property
    def silhouette(self) -> float | None:
        """The mean silhouette of the rows looked at."""
        from stylobate.exploration.clusters.pictures import mean_of

        return mean_of(self.picture.silhouettes)

    def __len__(self) -> int:
        """Count the clusters."""
        return len(self.clusters)

    def __iter__(self) -> Iterator[ClusterProfile]:
        """Go through the clusters."""
        return iter(self.clusters)

    def __getitem__(self, label: int) -> ClusterProfile:
        """The cluster of a label."""
        for each in self.clusters:
            if each.label == label:
                return each
        raise KeyError(
            f"There is no cluster {label}; there are {[c.label for c in self.clusters]}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; labels and the model are not among them."""
        from stylobate import __version__
        from stylobate.report.plain_values import plain

        left = ("model", "labels", "certainty", "row_numbers", "picture", "evidence", "clusters")
        told = {name: plain(getattr(self, name)) for name in self.__slots__ if name not in left}
        told["n_clusters"] = self.n_clusters
        told["silhouette"] = plain(self.silhouette)
        told["evidence"] = None if self.evidence is None else self.evidence.to_dict()
        told["clusters"] = [plain(each) | {"words": each.words} for each in self.clusters]
        return {"stylobate": __version__} | told

    def to_json(self, path: str | Path | None = None, *, indent: int | None = None) -> str:
        """`to_dict` as JSON text, also written to a file if one is named."""
        from json import dumps

        text = dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def to_html(self, path: str | Path | None = None) -> str:
        """A self-contained page, also written to a file if one is named."""
        from stylobate.exploration.clusters.page import cluster_page

        text = cluster_page(self)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def __str__(self) -> str:
        from stylobate.exploration.clusters.text import report_text

        return report_text(self)

    __repr__ = __str__
