"""Images side by side: filters, feature maps, originals above their reconstructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.drawing import panels_and_theme
from stylobate.plot.shared.texts import plain

_MOST = 100  # images that can still be told apart


def plot_images(
    images: Any, *, titles: Sequence[Any] | None = None, signed: bool = False,
    n_columns: int | None = None, axes: Any = None,
) -> NDArray[Any]:  # fmt: skip
    """Images in rows, all on one scale of grey or colour.

    Parameters
    ----------
    images : array-like of shape (n, height, width)
        At most 100.
    titles : sequence of n, optional
        What stands above them.
    signed : bool, default=False
        Whether zero is the middle of the colours, as for weights of filters.
    n_columns : int in [1, inf), optional
        Images in a row.
    axes : array of matplotlib Axes, optional
        As many as rows × columns; a new figure by default.

    Returns
    -------
    array of matplotlib Axes
        Of shape (rows, columns).

    Examples
    --------
    >>> images = np.random.default_rng(0).random((10, 8, 8))
    >>> plot_images(images, titles=range(10), n_columns=5).shape
    (2, 5)
    """
    shown = _checked(images, "plot_images")
    if titles is not None and len(titles) != len(shown):
        raise InvalidParameterError(
            f"plot_images: {len(titles)} titles for {len(shown)} images; give one each."
        )
    few = len(shown) <= 8
    columns = n_columns or (len(shown) if few else int(np.ceil(np.sqrt(2.0 * len(shown)))))
    columns = min(columns, len(shown))
    rows = -(-len(shown) // columns)
    height = 1.05 + 0.22 * (titles is not None)
    size = (1.05 * columns, height * rows)
    panels, theme = panels_and_theme(axes, (rows, columns), size, "plot_images", grid=None)
    scale = _scale(shown, theme, signed)
    for place, ax in enumerate(panels.flat):
        if place >= len(shown):
            ax.set_axis_off()
            continue
        _empty(ax, theme)
        ax.imshow(shown[place], **scale)
        if titles is not None:
            ax.set_title(plain(str(titles[place])), fontsize="small", color=theme.ink)
    return panels


def plot_filters(weights: Any, *, axes: Any = None) -> NDArray[Any]:
    """The filters of a convolution, or what the units of a dense layer look for.

    Parameters
    ----------
    weights : array-like of shape (filters, channels, height, width) or (filters, height, width)
        Such as ``network.weights()["1 Conv2d W"]``; several channels are averaged.
    axes : array of matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of matplotlib Axes

    Examples
    --------
    >>> from stylobate.neural_network import Conv2d, Network
    >>> network = Network([Conv2d(6, 5)], (1, 28, 28))
    >>> plot_filters(network.weights()["1 Conv2d W"]).shape
    (1, 6)
    """
    given = np.asarray(weights, dtype=np.float64)
    return plot_images(given.mean(axis=1) if given.ndim == 4 else given, signed=True, axes=axes)


def plot_reconstructions(
    originals: Any, reconstructions: Any, *, image_shape: tuple[int, int] | None = None,
    n_rows: int = 8, axes: Any = None,
) -> NDArray[Any]:  # fmt: skip
    """Rows above what an autoencoder, or a projection, makes of them.

    Parameters
    ----------
    originals, reconstructions : array-like of shape (n, n_features)
        Rows, and what `reconstruct` (or `inverse_transform`) gives.
    image_shape : pair of int, optional
        Height and width of rows that are images; by default they are drawn as lines.
    n_rows : int in [1, inf), default=8
        How many, from the first on.
    axes : array of 2 × n_rows matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of matplotlib Axes
        Of shape (2, n_rows).

    Examples
    --------
    >>> from stylobate.decomposition import PCA
    >>> x = np.random.default_rng(0).random((40, 64))
    >>> model = PCA(8).fit(x)
    >>> back = model.inverse_transform(model.transform(x))
    >>> plot_reconstructions(x, back, image_shape=(8, 8), n_rows=5).shape
    (2, 5)
    """
    above, below = (np.asarray(each, dtype=np.float64) for each in (originals, reconstructions))
    if above.shape != below.shape or above.ndim != 2 or not len(above):
        raise InvalidDataError(
            "plot_reconstructions: originals and reconstructions must be rows of one shape, got "
            f"{above.shape} and {below.shape}."
        )
    if image_shape is not None and int(np.prod(image_shape)) != above.shape[1]:
        raise InvalidParameterError(
            f"plot_reconstructions: images of {image_shape[0]} × {image_shape[1]} do not have "
            f"{above.shape[1]} entries."
        )
    count = min(n_rows, len(above))
    both = np.stack([above[:count], below[:count]])
    size = (1.05 * count + 0.4, 2.5)
    panels, theme = panels_and_theme(axes, (2, count), size, "plot_reconstructions", grid=None)
    scale = _scale(both[0], theme, signed=False)
    for line, ax in zip(both.reshape(-1, both.shape[2]), panels.flat, strict=True):
        _empty(ax, theme)
        if image_shape is not None:
            ax.imshow(line.reshape(image_shape), **scale)
        else:
            ax.plot(line, color=theme.color(0), lw=1.2)
            ax.set_ylim(both.min(), both.max())
    for ax, word in zip(panels[:, 0], ("original", "reconstruction"), strict=True):
        ax.set_ylabel(word, fontsize="small")
    return panels


def _checked(images: Any, function: str) -> NDArray[np.float64]:
    shown = np.asarray(images, dtype=np.float64)
    if shown.ndim != 3 or not 1 <= len(shown) <= _MOST or not np.isfinite(shown).all():
        raise InvalidDataError(
            f"{function}: images must be 1 to {_MOST} finite ones of shape (n, height, width), got "
            f"shape {shown.shape}."
        )
    return shown


def _scale(images: Any, theme: Any, signed: bool) -> dict[str, Any]:
    if signed:
        most = float(np.abs(images).max()) or 1.0
        return {"cmap": theme.balance(), "vmin": -most, "vmax": most, "interpolation": "nearest"}
    low, high = float(images.min()), float(images.max())
    return {"cmap": theme.ramp(theme.ink), "vmin": low, "vmax": high if high > low else low + 1.0}


def _empty(ax: Any, theme: Any) -> None:
    """A thin frame, so that the ends of pale images show."""
    ax.grid(False)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set(visible=True, color=theme.faint, linewidth=0.6)
