"""Confusion matrices, as scikit-learn displays them."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.metrics.classification.confusion import confusion_matrix
from stylobate.metrics.classification.confusion_counts import ConfusionMatrix
from stylobate.metrics.displays.display import Display


class ConfusionMatrixDisplay(Display):
    """A confusion matrix that was computed, to be drawn; see also `ConfusionMatrix`.

    Parameters
    ----------
    confusion_matrix : array of shape (k, k)
        Counts or shares.
    display_labels : array of shape (k,), optional
        The classes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> display = ConfusionMatrixDisplay.from_predictions([0, 1, 1], [0, 1, 0], ax=ax)
    >>> display.text_[1, 0].get_text()
    '1'
    """

    def __init__(self, confusion_matrix: Any, *, display_labels: Any = None) -> None:
        self.confusion_matrix, self.display_labels = confusion_matrix, display_labels

    def plot(
        self,
        *,
        include_values: bool = True,
        cmap: Any = "viridis",
        xticks_rotation: Any = "horizontal",
        values_format: str | None = None,
        ax: Any = None,
        colorbar: bool = True,
        im_kw: dict[str, Any] | None = None,
        text_kw: dict[str, Any] | None = None,
    ) -> ConfusionMatrixDisplay:
        """Draw the matrix.

        Parameters
        ----------
        include_values : bool, default=True
            Whether to write the numbers.
        cmap : str or Colormap, default="viridis"
            Colours.
        xticks_rotation : {"vertical", "horizontal"} or float, default="horizontal"
            Of the classes across.
        values_format : str, optional
            Format of the numbers.
        ax : matplotlib Axes, optional
            Where; a new figure of pyplot by default.
        colorbar : bool, default=True
            Whether to draw the scale of the colours.
        im_kw, text_kw : dict, optional
            Options of the picture and of the numbers.

        Returns
        -------
        ConfusionMatrixDisplay
            With `im_`, `text_`, `ax_` and `figure_`.
        """
        ax = self._axes(ax)
        cells = np.asarray(self.confusion_matrix)
        options: dict[str, Any] = {"interpolation": "nearest", "cmap": cmap, **(im_kw or {})}
        self.im_ = ax.imshow(cells, **options)
        self.text_ = self._write(cells, values_format, text_kw or {}) if include_values else None
        names = np.arange(len(cells)) if self.display_labels is None else self.display_labels
        if colorbar:
            self.figure_.colorbar(self.im_, ax=ax)
        places = np.arange(len(cells))
        ax.set(xticks=places, yticks=places, xticklabels=names, yticklabels=names)
        ax.set(ylabel="True label", xlabel="Predicted label", ylim=(len(cells) - 0.5, -0.5))
        for tick in ax.get_xticklabels():
            tick.set_rotation(xticks_rotation)
        return self

    def _write(self, cells: Any, style: str | None, options: dict[str, Any]) -> Any:
        texts = np.empty(cells.shape, dtype=object)
        low, high = self.im_.cmap(0), self.im_.cmap(1.0)
        middle = (cells.max() + cells.min()) / 2.0
        for (i, j), value in np.ndenumerate(cells):
            text = format(value, style or ("d" if cells.dtype.kind in "iu" else ".2g"))
            color = high if value < middle else low
            more = {"ha": "center", "va": "center", "color": color, **options}
            texts[i, j] = self.ax_.text(j, i, text, **more)
        return texts

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        normalize: str | None = None,
        display_labels: Any = None,
        **options: Any,
    ) -> ConfusionMatrixDisplay:
        """Count labels and predictions, and draw; options as of `plot`."""
        matrix = confusion_matrix(
            y_true, y_pred, labels=labels, sample_weight=sample_weight, normalize=normalize
        )
        names = labels if display_labels is None else display_labels
        if names is None:
            names = ConfusionMatrix.from_predictions(y_true, y_pred).labels
        return cls(matrix, display_labels=names).plot(**options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, labels: Any = None, **options: Any
    ) -> ConfusionMatrixDisplay:
        """Predict with a fitted classifier, count, and draw."""
        if not hasattr(estimator, "predict"):
            raise InvalidDataError(
                f"ConfusionMatrixDisplay: {type(estimator).__name__} does not predict; pass a "
                "fitted classifier."
            )
        return cls.from_predictions(y, estimator.predict(X), labels=labels, **options)
