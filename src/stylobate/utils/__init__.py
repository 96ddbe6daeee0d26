"""Tools for scripts and for estimators of your own, under the names scikit-learn gave them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.base.availability import available_if
    from stylobate.datasets.bunch import Bunch
    from stylobate.utils import (
        class_weight,
        extmath,
        metaestimators,
        multiclass,
        parallel,
        random,
        validation,
    )
    from stylobate.utils.arrays import (
        as_float_array,
        assert_all_finite,
        check_array,
        check_consistent_length,
        check_symmetric,
        check_X_y,
        column_or_1d,
        indexable,
    )
    from stylobate.utils.class_weight import compute_class_weight, compute_sample_weight
    from stylobate.utils.rows import (
        check_random_state,
        gen_batches,
        gen_even_slices,
        resample,
        safe_mask,
        shuffle,
    )

__all__ = [
    "Bunch",
    "as_float_array",
    "assert_all_finite",
    "available_if",
    "check_X_y",
    "check_array",
    "check_consistent_length",
    "check_random_state",
    "check_symmetric",
    "class_weight",
    "column_or_1d",
    "compute_class_weight",
    "compute_sample_weight",
    "extmath",
    "gen_batches",
    "gen_even_slices",
    "indexable",
    "metaestimators",
    "multiclass",
    "parallel",
    "random",
    "resample",
    "safe_mask",
    "shuffle",
    "validation",
]

_HOMES = {
    "Bunch": "bunch",
    "available_if": "metaestimators",
    "as_float_array": "arrays",
    "assert_all_finite": "arrays",
    "check_X_y": "arrays",
    "check_array": "arrays",
    "check_consistent_length": "arrays",
    "check_random_state": "rows",
    "check_symmetric": "arrays",
    "column_or_1d": "arrays",
    "compute_class_weight": "class_weight",
    "compute_sample_weight": "class_weight",
    "gen_batches": "rows",
    "gen_even_slices": "rows",
    "indexable": "arrays",
    "resample": "rows",
    "safe_mask": "rows",
    "shuffle": "rows",
}
_MODULES = (
    "class_weight",
    "extmath",
    "metaestimators",
    "multiclass",
    "parallel",
    "random",
    "validation",
)
__getattr__, __dir__ = lazy_names(__name__, dict.fromkeys(_MODULES) | _HOMES)
