"""`save` and `load`: a model in one file that is safe to open."""

from __future__ import annotations

import io
import json
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, overload

import numpy as np

from stylobate.exceptions import ModelFileError, StylobateError, StylobateWarning
from stylobate.storage.archive import fill_archive, opened, read_archive, write_archive
from stylobate.storage.decoding import Decoder
from stylobate.storage.encoding import Encoder
from stylobate.storage.limits import LARGEST_DOCUMENT, most_branches
from stylobate.storage.names import is_estimator, is_storable, name_of
from stylobate.storage.schema import schema_of
from stylobate.storage.weight import check_weight

FORMAT = "stylobate model"
VERSION = (1, 1)  # a file of a newer first number is refused, of a newer second one read


@overload
def save(
    estimator: Any, path: str | os.PathLike[str], *, about: dict[str, Any] | None = None
) -> Path: ...


@overload
def save(estimator: Any, path: BinaryIO, *, about: dict[str, Any] | None = None) -> None: ...


def save(
    estimator: Any, path: str | os.PathLike[str] | BinaryIO, *, about: dict[str, Any] | None = None
) -> Path | None:
    """Write an estimator, fitted or not, to one file from which `load` gives it back.

    The file is a zip archive of JSON (structure, parameters, schema, versions) and safetensors
    (arrays). It holds no code, and it appears under its name only once it is complete.

    Parameters
    ----------
    estimator : estimator
        Any estimator of stylobate: a model, pipeline, column transformer, search …
    path : str, path or binary file
        Where to; a file of that name is replaced. An open file, such as a `BytesIO`, is written
        from where it stands.
    about : dict, default=None
        What else to keep with it, plain values for JSON: what it predicts, where its data come
        from. `describe` shows it.

    Returns
    -------
    Path or None
        Where it is; None for an open file.

    Raises
    ------
    ModelFileError
        If a part of the model cannot be kept in a file, such as a function of yours, with the
        name of the parameter; or if the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.storage import load, save
    >>> model = Ridge(alpha=2.0).fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 4.0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = save(model, pathlib.Path(folder) / "line.stylobate")
    ...     again = load(place)
    >>> again
    Ridge(alpha=2.0)
    >>> bool(again.predict([[3.0]]) == model.predict([[3.0]]))
    True
    """
    kind = type(estimator)
    if name_of(kind) is None or not is_storable(kind) or isinstance(estimator, type):
        raise ModelFileError(
            f"save takes an estimator of stylobate, got {_words(estimator)}; classes of other "
            "libraries or of your own cannot be opened safely from a file."
        )
    encoder = Encoder()
    root = encoder.document(estimator)
    text = _document_of(estimator, root, encoder.tensors, about)
    if not isinstance(path, str | os.PathLike):
        _write_to(path, text, encoder.tensors)
        return None
    target = Path(path)
    write_archive(target, text, encoder.tensors)
    return target


def _write_to(stream: Any, text: str, tensors: dict[str, Any]) -> None:
    """Write a model to an open binary file; in a sentence if it is none."""
    if not callable(getattr(stream, "write", None)) or isinstance(stream, io.TextIOBase):
        raise ModelFileError(
            f"A model is saved to a path or an open binary file, got a {type(stream).__name__}."
        )
    try:
        fill_archive(stream, text, tensors)
    except (OSError, ValueError) as error:
        raise ModelFileError(
            f"The model cannot be written to the {type(stream).__name__} given: {error}."
        ) from error


def _words(value: Any) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"


def _document_of(estimator: Any, root: Any, tensors: dict[str, Any], about: Any) -> str:
    finite = sorted(
        name
        for name, array in tensors.items()
        if array.dtype.kind == "f" and bool(np.isfinite(array).all())
    )
    document = {
        "format": FORMAT,
        "format_version": list(VERSION),
        "stylobate": _version(),
        "estimator": repr(estimator) if is_estimator(type(estimator)) else type(estimator).__name__,
        "schema": schema_of(estimator),
        "about": {} if about is None else about,
        "shapes": {name: list(array.shape) for name, array in tensors.items()},
        "finite": finite,
        "model": root,
    }
    try:
        text = json.dumps(document, ensure_ascii=True, allow_nan=False, indent=1)
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"about must hold plain values for JSON: {error}.") from None
    branches = text.count("{") + text.count("[")
    if len(text) > LARGEST_DOCUMENT or branches > most_branches(len(text)):
        raise ModelFileError("The model has too many small parts for a model file.")
    check_weight(root, tensors, len(text))
    return text


def load(path: str | os.PathLike[str] | bytes | BinaryIO) -> Any:
    """The estimator `save` wrote; safe to call with files of strangers.

    Only estimators and values of stylobate are built, by name from a fixed list; nothing in the
    file is executed. What is damaged, too large, contradictory or from a newer format is refused.

    Parameters
    ----------
    path : str, path, bytes or binary file
        A file `save` wrote: where it is, its content, or an open file such as a `BytesIO`.

    Returns
    -------
    estimator
        With the same parameters and the same answers, bit for bit. A warning tells if another
        version of stylobate wrote it.

    Raises
    ------
    ModelFileError
        If the file is not a model, in one sentence.
    """
    with _stream_of(path) as (stream, name):
        try:
            return load_stream(stream)
        except StylobateError as error:
            raise ModelFileError(f"{name} cannot be loaded: {error}") from error


@contextmanager
def _stream_of(path: Any) -> Iterator[tuple[BinaryIO, str]]:
    """An open model file that can be read at any place, and what to call it."""
    if isinstance(path, bytes | bytearray | memoryview):
        yield io.BytesIO(path), "The content given"
    elif isinstance(path, str | os.PathLike):
        place = Path(path)
        with opened(place) as stream:
            yield stream, repr(str(place))
    elif callable(getattr(path, "read", None)):
        yield _seekable(path), f"The {type(path).__name__} given"
    else:
        raise ModelFileError(
            "A model file is given by its path, its bytes or an open binary file, got a "
            f"{type(path).__name__}."
        )


def _seekable(stream: Any) -> BinaryIO:
    """The stream itself, or its content where it can only be read from first to last."""
    if isinstance(stream, io.TextIOBase):
        raise ModelFileError("A model file is read as bytes: open it with the mode 'rb'.")
    if callable(getattr(stream, "seekable", None)) and stream.seekable():
        found: BinaryIO = stream
        return found
    content = stream.read()
    if not isinstance(content, bytes):
        raise ModelFileError(f"Reading the {type(stream).__name__} gave no bytes.")
    return io.BytesIO(content)


def load_stream(stream: BinaryIO) -> Any:
    """The estimator in an open file; every failure is a ModelFileError."""
    try:
        text, tensors = read_archive(stream)
        document = _parsed(text)
        _check_arrays(document, tensors)
        check_weight(document["model"], tensors, len(text))
        decoder = Decoder(tensors, told=document["format_version"] >= [1, 1])
        model = decoder.value(document["model"])
    except ModelFileError:
        raise
    except StylobateError as error:  # a part refused what it was to be rebuilt from
        raise ModelFileError(f"A part of the file is refused: {error}") from error
    except Exception as error:  # a hostile file can break any step, and must not break the caller
        raise ModelFileError(
            f"The model file is damaged ({type(error).__name__}: {error})."
        ) from error
    if not is_storable(type(model)) or name_of(type(model)) is None:
        raise ModelFileError(f"The file holds a {type(model).__name__} and no estimator.")
    _tell(document, decoder.ignored)
    return model


def describe(path: str | os.PathLike[str] | bytes | BinaryIO) -> dict[str, Any]:
    """What a model file says of itself, without building the model.

    Parameters
    ----------
    path : str, path, bytes or binary file
        A file `save` wrote, as `load` takes it.

    Returns
    -------
    dict
        ``estimator`` (its text), ``schema`` (features, classes), ``about``, ``stylobate`` (the
        version that wrote it), ``format_version``.
    """
    with _stream_of(path) as (stream, name):
        try:
            document = _parsed(read_archive(stream, arrays=False)[0])
        except StylobateError as error:
            raise ModelFileError(f"{name} cannot be loaded: {error}") from error
        except Exception as error:
            raise ModelFileError(f"{name} is damaged ({type(error).__name__}).") from error
    shown = ("estimator", "schema", "about", "stylobate", "format_version")
    return {key: document.get(key) for key in shown}


def _parsed(text: bytes) -> dict[str, Any]:
    if text.count(b"{") + text.count(b"[") > most_branches(len(text)):
        raise ModelFileError("The JSON of the model file has too many parts.")
    document = json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError("It is an archive, but not a model file.")
    version = document.get("format_version")
    if not isinstance(version, list) or not all(type(part) is int for part in version):
        raise ModelFileError("The model file does not say which version of the format it has.")
    if version[0] > VERSION[0] or version[0] < 1:
        raise ModelFileError(
            f"It has version {version[0]} of the format, and stylobate {_version()} reads up to "
            f"{VERSION[0]}; a newer stylobate reads it."
        )
    return document


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ModelFileError("The JSON of the model file has an entry twice.")
    return found


def _no_constant(name: str) -> Any:
    raise ModelFileError(f"The JSON of the model file holds {name}, which is not JSON.")


def _check_arrays(document: dict[str, Any], tensors: dict[str, Any]) -> None:
    """Hold the arrays against what the document says of them."""
    shapes = document["shapes"]
    if shapes.keys() != tensors.keys():
        raise ModelFileError("The arrays of the model file are not those its document lists.")
    for name, array in tensors.items():
        if list(array.shape) != shapes[name]:
            raise ModelFileError(
                f"The array {name[:100]!r} has shape {array.shape} where {shapes[name]} is said."
            )
    for name in set(document["finite"]):
        if not np.isfinite(tensors[name]).all():
            raise ModelFileError(
                f"The array {name[:100]!r} holds NaN or infinity where none can be."
            )


def _tell(document: dict[str, Any], ignored: list[str]) -> None:
    written = str(document.get("stylobate"))[:50]
    notes = []
    if written != _version():
        notes.append(
            f"This model was saved by stylobate {written} and is loaded by {_version()}; its "
            "answers may differ, so fit it again if you can."
        )
    if ignored:
        notes.append(f"Parts unknown to this version were left out: {', '.join(ignored[:10])}.")
    if notes:
        warnings.warn(" ".join(notes), StylobateWarning, stacklevel=4)


def _version() -> str:
    return str(import_module("stylobate").__version__)
