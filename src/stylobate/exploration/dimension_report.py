"""What `dimensionality` found, in numbers and sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DimensionalityReport:
    r"""How much of the curse of dimensionality a table has.

    Attributes
    ----------
    rows, columns : int
        Rows looked at, and columns that vary.
    contrast : float
        Median over rows of (farthest − nearest) / nearest distance; it tends to 0 with the
        dimension of independent columns.
    variation : float
        Standard deviation / mean of the distances between rows.
    mean_angle, angle_spread : float
        Of the angles between centred rows, in degrees; near 90 ± 0 in many dimensions.
    nearest_angle : float
        Median over rows of the angle to the row nearest by angle, in degrees. In few dimensions
        some row lies in nearly the same direction; in many even that one is nearly perpendicular.
    intrinsic_dimension, dimension_low, dimension_high : float
        Of the set the rows lie on, by the ratio of the two nearest distances, with a 95 %
        interval.
    hubness : float
        Skewness of how often a row is among the others' k nearest; above about 1 a few rows are
        everybody's neighbours.
    hub_share : float
        The share of all neighbours that the 1 % most popular rows are.
    verdict : {"fine", "doubtful", "fails"}
        Whether models that rely on distances will work.
    nearest, farthest : float
        Medians over rows of the distances to the nearest and to the farthest, / mean distance.
    distance_edges, distance_shares : tuple of float
        A histogram of the distances / mean distance: ends of bins, shares of the pairs in them.
    corner_share : float
        The share of rows that lie in the corners of the box of the data: farther from its middle
        than the ellipsoid that touches its sides. For a uniform cube :math:`1 - V_D / 2^D`, which
        tends to 1.
    tail_share : float
        The share of rows with at least one column among the 5 % of its extreme values; about
        :math:`1 - 0.95^D` for independent columns.
    empty_share : float
        The share of the :math:`2^D` cells that the medians of the columns cut space into that
        hold no row.
    """

    rows: int
    columns: int
    n_neighbors: int
    contrast: float
    variation: float
    mean_angle: float
    angle_spread: float
    intrinsic_dimension: float
    dimension_low: float
    dimension_high: float
    hubness: float
    hub_share: float
    verdict: str
    nearest: float
    farthest: float
    distance_edges: tuple[float, ...]
    distance_shares: tuple[float, ...]
    nearest_angle: float
    corner_share: float
    tail_share: float
    empty_share: float

    def plot(self, ax: Any = None) -> Any:
        """Draw the distances: `stylobate.plot.plot_distances`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot import plot_distances

        return plot_distances(self, ax=ax)

    @property
    def sentence(self) -> str:
        """What to do about it."""
        about = f"about {self.intrinsic_dimension:.2g} dimensions"
        if self.verdict == "fine":
            return (
                "Distances tell rows apart: the nearest row is much nearer than the others, and "
                f"the rows lie on a set of {about}. Neighbours, kernels and clusters can be used."
            )
        if self.verdict == "doubtful":
            return (
                f"Distances tell rows apart only in part ({about} matter, distances vary by "
                f"{self.variation:.0%} of their mean). Compare models of neighbours and kernels "
                "with linear ones or trees before you trust them; fewer columns or principal "
                "components may help."
            )
        return (
            f"Nearly all rows are equally far from each other ({about} matter, distances vary by "
            f"{self.variation:.0%} of their mean): the nearest row is hardly nearer than any. Do "
            "not rely on neighbours, kernels or clusters of all columns; select columns or reduce "
            "the dimension first, or use linear models or trees."
        )

    @property
    def space_sentence(self) -> str:
        """Where in space the rows are."""
        return (
            f"{_percent(self.corner_share)} of the rows lie in the corners of their box, outside "
            f"the ellipsoid within it; {_percent(self.tail_share)} are extreme in some column "
            f"(one in 20 would be in a single one); {_percent(self.empty_share)} of space is "
            "empty, where a model has seen nothing."
        )

    def to_dict(self) -> dict[str, Any]:
        """The numbers and the sentences, as plain values."""
        words = {"sentence": self.sentence, "space_sentence": self.space_sentence}
        return asdict(self) | words

    def __str__(self) -> str:
        """A short table and the sentence."""
        lines = [
            f"Dimensionality of {self.rows:,} rows × {self.columns} columns",
            f"  contrast (farthest − nearest) / nearest   {self.contrast:.3g}",
            f"  variation of distances                    {self.variation:.1%} of their mean",
            f"  angle between rows                        {self.mean_angle:.1f}° ± "
            f"{self.angle_spread:.1f}°",
            f"  angle to the nearest row                  {self.nearest_angle:.1f}°",
            f"  intrinsic dimension                       {self.intrinsic_dimension:.3g}  "
            f"[{self.dimension_low:.3g}, {self.dimension_high:.3g}]",
            f"  hubness (skewness of popularity)          {self.hubness:.2f}; the 1 % most popular "
            f"rows are {self.hub_share:.1%} of all neighbours",
            f"  in corners, in tails, space that is empty  {_percent(self.corner_share)}, "
            f"{_percent(self.tail_share)}, {_percent(self.empty_share)}",
            self.sentence,
        ]
        return "\n".join(lines)


def _percent(share: float) -> str:
    """A share in percent, which is 100 only if it is all."""
    return f"{share:.1%}" if share <= 0.9995 or share == 1.0 else "more than 99.9%"
