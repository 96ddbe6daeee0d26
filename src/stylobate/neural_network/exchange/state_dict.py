"""Weights with the names and layout of torch: arrays and safetensors files, never pickles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, ModelFileError, StylobateError
from stylobate.neural_network.layers.branches import Residual
from stylobate.neural_network.layers.dense import Dense
from stylobate.neural_network.layers.embedding import Embedding
from stylobate.neural_network.layers.normalization import BatchNorm
from stylobate.neural_network.layout import Place

if TYPE_CHECKING:
    from stylobate.neural_network.network import Network

_NAMES = {"W": "weight", "b": "bias", "a": "weight", "scale": "weight", "shift": "bias"}
_MOMENTS = {"mean": "running_mean", "variance": "running_var"}
_COUNTER = "num_batches_tracked"  # torch's; nothing of ours depends on it


@dataclass(frozen=True, slots=True)
class Entry:
    """An array of a network and what torch calls it.

    Parameters
    ----------
    module, name : str
        Such as "3.branches.0.1" and "weight".
    at : int
        Where it begins in the vector of parameters, or of moments.
    shape : tuple of int
    moment : bool
        Whether it is a running moment.
    transposed : bool
        Whether torch has it the other way round.
    """

    module: str
    name: str
    at: int
    shape: tuple[int, ...]
    moment: bool = False
    transposed: bool = False

    def taken(self, vector: NDArray[Any]) -> NDArray[Any]:
        """The array within a vector, as torch has it."""
        count = int(np.prod(self.shape, dtype=np.int64))
        array = vector[self.at : self.at + count].reshape(self.shape)
        return np.ascontiguousarray(array.T if self.transposed else array)

    def put(self, vector: NDArray[Any], given: NDArray[Any], key: str) -> None:
        """Write an array of torch's into a vector."""
        wanted = self.shape[::-1] if self.transposed else self.shape
        if given.shape != wanted:
            raise InvalidDataError(f"Network: {key!r} must have shape {wanted}, got {given.shape}.")
        if given.dtype.kind not in "fiu" or not np.isfinite(given).all():
            raise InvalidDataError(f"Network: {key!r} must hold finite numbers.")
        flat = (given.T if self.transposed else given).reshape(-1)
        vector[self.at : self.at + len(flat)] = flat


def entries_of(places: Sequence[Place], prefix: str = "") -> Iterator[Entry]:
    """All arrays of layers, in their order."""
    for number, place in enumerate(places):
        module, layer = f"{prefix}{number}", place.layer
        for name, (at, shape) in place.weights.items():
            if isinstance(layer, Embedding):  # one table a column
                yield Entry(f"{module}.{name[1:]}", "weight", at, shape)
                continue
            turned = isinstance(layer, Dense) and name == "W"
            yield Entry(module, _NAMES[name], at, shape, transposed=turned)
        for name, (at, shape) in place.state.items():
            yield Entry(module, _MOMENTS[name], at, shape, moment=True)
        for inner, held in _within(place, module):
            yield from entries_of(held, inner)


def _within(place: Place, module: str) -> Iterator[tuple[str, Sequence[Place]]]:
    """Prefixes of the layers a composite holds, and these layers."""
    names = [f"branches.{branch}" for branch in range(len(place.branches))]
    if isinstance(place.layer, Residual):
        names = ["layers", "shortcut"]
    for name, held in zip(names, place.branches, strict=False):
        yield f"{module}.{name}.", held


def _norms_of(places: Sequence[Place], prefix: str = "") -> Iterator[tuple[str, int, bool]]:
    """Module, channels and whether there is a scale of every batch normalisation."""
    for number, place in enumerate(places):
        module = f"{prefix}{number}"
        if isinstance(place.layer, BatchNorm):
            yield module, place.shape[0], place.layer.scale
        for inner, held in _within(place, module):
            yield from _norms_of(held, inner)


def _key(entry: Entry, names: Mapping[str, str]) -> str:
    return f"{names.get(entry.module, entry.module)}.{entry.name}"


def state_dict(network: Network, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """As `Network.state_dict`."""
    called, dtype = names or {}, network.parameters.dtype
    found: dict[str, NDArray[Any]] = {}
    for entry in entries_of(network._places):
        vector = network.state if entry.moment else network.parameters
        found[_key(entry, called)] = entry.taken(vector).astype(dtype)
    for module, channels, scaled in _norms_of(network._places):
        prefix = called.get(module, module)
        found[f"{prefix}.{_COUNTER}"] = np.array(0, dtype=np.int64)
        if not scaled:  # torch has no shift without a scale
            found[f"{prefix}.weight"] = np.ones(channels, dtype=dtype)
    return found


def with_state_dict(
    network: Network, arrays: Mapping[str, Any], names: Mapping[str, str] | None = None
) -> Network:
    """As `Network.load_state_dict`."""
    called, given = names or {}, dict(arrays)
    entries = {_key(entry, called): entry for entry in entries_of(network._places)}
    for module, channels, scaled in _norms_of(network._places):
        prefix = called.get(module, module)
        given.pop(f"{prefix}.{_COUNTER}", None)
        key = f"{prefix}.weight"
        if not scaled and key in given:
            ones = np.asarray(given.pop(key))
            if ones.shape != (channels,) or not (ones == 1).all():
                raise InvalidDataError(
                    f"Network: {key!r} must be {channels} ones, for its BatchNorm has no scale."
                )
    missing, unknown = entries.keys() - given.keys(), given.keys() - entries.keys()
    if missing or unknown:
        raise InvalidDataError(
            f"Network: the arrays do not fit its layers: {_listed('missing', missing)}"
            f"{'; ' if missing and unknown else ''}{_listed('unknown', unknown)}. Other names of "
            "modules can be told with names={ours: theirs}."
        )
    parameters, state = np.empty_like(network.parameters), np.array(network.state)
    for key, entry in entries.items():
        entry.put(state if entry.moment else parameters, np.asarray(given[key]), key)
    return network.with_parameters(parameters, state)


def _listed(word: str, keys: Any) -> str:
    shown = ", ".join(sorted(keys)[:5]) + (", …" if len(keys) > 5 else "")
    return f"{word} are {shown}" if keys else ""


def write_safetensors(arrays: Mapping[str, NDArray[Any]], path: Any) -> Path:
    """Write arrays by name to a safetensors file, which appears once it is complete."""
    from stylobate.storage.placing import replacing
    from stylobate.storage.tensors import pieces

    target = Path(path)
    with replacing(target, "The file of weights") as stream:
        for piece in pieces(arrays):
            stream.write(piece)
    return target


def read_safetensors(path: Any) -> dict[str, NDArray[Any]]:
    """The arrays of a safetensors file; safe with files of strangers."""
    from stylobate.storage.archive import opened
    from stylobate.storage.tensors import read_tensors

    place = Path(path)
    with opened(place) as stream:
        try:
            return read_tensors(stream, place.stat().st_size)
        except StylobateError:
            raise
        except ValueError as error:
            raise ModelFileError(f"{str(place)!r} is not a safetensors file: {error}.") from None


class ExchangesWeights:
    """What networks give to other programs and take from them."""

    def save(self, path: Any) -> Path:
        """Write layers and weights to one file from which `stylobate.load` gives them back.

        Parameters
        ----------
        path : str or path
            Where to; a file of that name is replaced.

        Returns
        -------
        Path
            Where it is.
        """
        from stylobate.storage import save

        written: Path = save(self, path)
        return written

    def to_onnx(self: Any, path: Any = None, *, dtype: Any = None) -> Any:
        """The ONNX graph of `predict`, for batches of any size; needs the package onnx.

        Parameters
        ----------
        path : str or path, default=None
            Where to write it as well.
        dtype : {"float32", "float64"}, optional
            What the graph computes in; that of the network by default. onnxruntime has no
            convolution, average pooling or local response normalisation in double precision.

        Returns
        -------
        onnx.ModelProto
            With an input ``x`` of shape (n, *input_shape) and an output ``y``.
        """
        from stylobate.neural_network.exchange.onnx_export import network_to_onnx

        return network_to_onnx(self, path, dtype)

    def state_dict(self: Any, names: Mapping[str, str] | None = None) -> dict[str, NDArray[Any]]:
        """All weights and moments as arrays with the names and layout of torch.

        They are those of a ``torch.nn.Sequential`` with a module for every layer: ``Linear``
        (weights transposed), ``Conv2d``, ``BatchNorm1d/2d``, ``LayerNorm`` of vectors
        (``GroupNorm(1, c)`` of images), ``PReLU``. Layers within others are called
        ``3.branches.0.1.weight``, ``3.layers.0.weight`` or ``3.shortcut.0.weight``, tables of an
        `Embedding` ``0.2.weight`` for column 2. In torch:
        ``model.load_state_dict({k: torch.from_numpy(v) for k, v in arrays.items()})``.

        Parameters
        ----------
        names : mapping of str to str, optional
            Other names of modules: ``{"0": "conv1", "7": "fc1"}``.

        Returns
        -------
        dict of str to array

        Examples
        --------
        >>> from stylobate.neural_network import Activation, Dense, Network
        >>> network = Network([Dense(3), Activation("tanh"), Dense(1)], 2)
        >>> {name: array.shape for name, array in network.state_dict().items()}
        {'0.weight': (3, 2), '0.bias': (3,), '2.weight': (1, 3), '2.bias': (1,)}
        """
        return state_dict(self, names)

    def load_state_dict(
        self: Any, arrays: Mapping[str, Any], names: Mapping[str, str] | None = None
    ) -> Any:
        """The same layers with weights and moments of torch; this network stays as it is.

        Parameters
        ----------
        arrays : mapping of str to array or tensor
            Exactly those `state_dict` has; torch's ``num_batches_tracked`` is ignored.
        names : mapping of str to str, optional
            What the modules are called there: ``{"0": "conv1", "7": "fc1"}``.

        Returns
        -------
        Network
            In the precision of this one.
        """
        return with_state_dict(self, arrays, names)

    def save_weights(self: Any, path: Any, names: Mapping[str, str] | None = None) -> Path:
        """Write `state_dict` to a safetensors file, which other libraries read.

        Parameters
        ----------
        path : str or path
        names : mapping of str to str, optional
            As of `state_dict`.

        Returns
        -------
        Path
        """
        return write_safetensors(state_dict(self, names), path)

    def load_weights(self: Any, path: Any, names: Mapping[str, str] | None = None) -> Any:
        """The same layers with the weights of a safetensors file; safe with files of strangers.

        Parameters
        ----------
        path : str or path
        names : mapping of str to str, optional
            As of `load_state_dict`.

        Returns
        -------
        Network
        """
        return with_state_dict(self, read_safetensors(path), names)
