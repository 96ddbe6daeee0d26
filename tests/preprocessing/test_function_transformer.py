"""Functions as transformers of frames."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.preprocessing import FunctionTransformer


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_bear_the_names_that_are_promised(library):
    frames = pytest.importorskip(library)
    table = frames.DataFrame({"a": [1, 2, 3], "b": [10, 20, 100]})

    def doubled(_, names):
        return [f"{name}_2" for name in names]

    model = FunctionTransformer(lambda rows: rows * 2, feature_names_out=doubled)
    made = model.fit_transform(table)
    assert list(made.columns) == list(model.get_feature_names_out()) == ["a_2", "b_2"]
    np.testing.assert_allclose(np.asarray(made), 2 * np.asarray(table))

    def renamed(rows):
        names = {"a": "c"}
        return rows.rename(columns=names) if library == "pandas" else rows.rename(names)

    with pytest.raises(ValueError, match="different column names"):
        FunctionTransformer(renamed, feature_names_out="one-to-one").fit_transform(table)
