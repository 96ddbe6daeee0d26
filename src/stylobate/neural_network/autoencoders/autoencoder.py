"""Autoencoders: rows through a few numbers and back."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, RandomState, Tags, TransformerMixin
from stylobate.base.randomness import seed_of
from stylobate.data import Table, read_table, wrap_output
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network.autoencoders.certificate import AutoencoderCertificate, LinearCode
from stylobate.neural_network.autoencoders.mirrored import (
    closed_form,
    linear_maps,
    mirrored_layers,
    parted,
)
from stylobate.neural_network.autoencoders.training import (
    NOISES,
    Descent,
    Reconstruction,
    WeightSharing,
    by_batches,
    noisy,
    on_all_rows,
    refuse_noise,
    warn_unconverged,
)
from stylobate.neural_network.layer_sizes import LayerSizes
from stylobate.neural_network.network import Network

CURVES = ("identity", "sigmoid", "tanh", "relu", "leaky_relu", "selu", "mish")
LARGEST = 1e140  # entries whose squares can be summed
SOLVERS = ("auto", "svd", "adam", "sgd", "lbfgs")


class Autoencoder(TransformerMixin, BaseEstimator):
    r"""An encoder f to few numbers and a decoder g back, trained so that g(f(x)) is near x.

    .. math:: \min_{f, g} \; \frac{1}{n} \sum_i \tfrac12 \|x_i - g(f(\tilde x_i))\|^2
              + \tfrac{\alpha}{2} \sum_l \|W_l\|^2

    with x̃ = x, or x with noise, which teaches it to take noise away. Rows are centred and divided
    by one number first, so that units do not matter and the error keeps its meaning. With identity
    activations the best code is that of principal components (Baldi & Hornik); ``certificate_``
    says how far the answer is from it, by the excess of the error and by principal angles.

    Parameters
    ----------
    n_components : int in [1, inf), default=2
        Units of the bottleneck.
    hidden_layer_sizes : int or sequence of int in [1, inf), default=(32,)
        Units between the columns and the bottleneck, in reverse on the way back; (): none.
    activation : str, default="tanh"
        Of hidden layers: "identity", "sigmoid", "tanh", "relu", "leaky_relu", "selu" or "mish".
    bottleneck_activation : str, default="identity"
        Of the bottleneck, one of these.
    output_activation : {"identity", "sigmoid"}, default="identity"
        "sigmoid" is for columns in [0, 1], which are then taken as they are.
    tied_weights : bool, default=False
        Whether the decoder's weights are those of the encoder, transposed.
    noise : {"gaussian", "masking", "salt_and_pepper"} or None, default=None
        What is done to rows on the way in while training: normal noise; entries set to the mean;
        entries set to the least or the largest of the batch.
    noise_level : float in [0, inf), default=0.1
        Standard deviation in units of all entries' ("gaussian"), or share of entries, below 1.
    alpha : float in [0, inf), default=0.0
        Penalty of the weights, not of the biases.
    solver : {"auto", "svd", "adam", "sgd", "lbfgs"}, default="auto"
        "svd": the closed form, where all activations are the identity and there is neither noise
        nor penalty; "auto": that if it applies, else "adam". "lbfgs": all rows at once, no noise.
    batch_size : int in [1, inf), default=32
    learning_rate_init : float in (0, inf), default=0.001
        Length of the steps of "adam" and "sgd".
    max_iter : int in [1, inf), default=200
        Epochs (steps of "lbfgs") at most.
    tol : float in [0, inf), default=1e-4
        Share of the error that counts as progress; for "lbfgs" the largest entry of the gradient.
    n_iter_no_change : int in [1, inf), default=10
        Epochs without progress before training ends.
    random_state : int, RandomState or None, default=None
        Seed of weights, orders and noise.

    Attributes
    ----------
    encoder_, decoder_ : Network
        Of centred rows divided by `scale_`.
    mean_ : array of shape (n_features,)
    scale_ : float
        Root of the mean square of centred entries.
    certificate_ : AutoencoderCertificate
    loss_curve_ : list of float
        Mean squared error of a row met in every epoch, noise and penalty included.
    n_iter_ : int
    solver_ : str
        Which was used.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    Hinton & Salakhutdinov (2006), Reducing the dimensionality of data with neural networks. Vincent
    et al. (2010), Stacked denoising autoencoders. Baldi & Hornik (1989), Neural networks and
    principal component analysis.

    Examples
    --------
    >>> angles = np.linspace(0.0, 5.0, 200)
    >>> x = np.column_stack([np.cos(angles), np.sin(angles)])  # one number bends into two
    >>> model = Autoencoder(1, solver="lbfgs", max_iter=500, random_state=0).fit(x)
    >>> model.score(x) > 0.99, model.certificate_.excess < 0.0
    (True, True)
    """

    encoder_: Network
    decoder_: Network
    mean_: NDArray[Any]
    scale_: float
    certificate_: AutoencoderCertificate

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        hidden_layer_sizes: Annotated[Any, LayerSizes()] = (32,),
        activation: Annotated[str, Options(*CURVES)] = "tanh",
        bottleneck_activation: Annotated[str, Options(*CURVES)] = "identity",
        output_activation: Annotated[str, Options("identity", "sigmoid")] = "identity",
        tied_weights: bool = False,
        noise: Annotated[str, Options(*NOISES)] | None = None,
        noise_level: Annotated[float, Interval(0, inf)] = 0.1,
        alpha: Annotated[float, Interval(0, inf)] = 0.0,
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        batch_size: Annotated[int, Interval(1, inf)] = 32,
        learning_rate_init: Annotated[float, Interval(0, inf, "neither")] = 0.001,
        max_iter: Annotated[int, Interval(1, inf)] = 200,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        n_iter_no_change: Annotated[int, Interval(1, inf)] | Annotated[float, Options(inf)] = 10,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.bottleneck_activation = bottleneck_activation
        self.output_activation = output_activation
        self.tied_weights = tied_weights
        self.noise = noise
        self.noise_level = noise_level
        self.alpha = alpha
        self.solver = solver
        self.batch_size = batch_size
        self.learning_rate_init = learning_rate_init
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state

    def _tags(self) -> Tags:
        return super()._tags().but(preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return int(self.encoder_.output_shape[0])

    # --- fitting ----------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Train.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._refuse_noise_level()
        hidden = self._hidden_units()
        x = np.ascontiguousarray(self._read(X, reset=True).x)
        solver, seed = self._chosen_solver(hidden), seed_of(self.random_state) % 2**63
        self._measure(x, unscaled=solver == "svd")
        centred = self._standardized(x)
        layers = mirrored_layers(
            x.shape[1], hidden, int(self.n_components), self.activation,
            self.bottleneck_activation, self.output_activation,
        )  # fmt: skip
        network = Network(layers, x.shape[1], random_state=seed, dtype=centred.dtype)
        found = self._trained(network, centred, solver, seed)
        self.encoder_, self.decoder_ = parted(found.network)
        self.solver_, self.n_iter_ = solver, len(found.losses)
        self.loss_curve_ = [2.0 * loss * self.scale_**2 for loss in found.losses]
        self._certify(x, hidden)
        if not found.converged:
            warn_unconverged(self.max_iter)
        return self

    def _hidden_units(self) -> list[int]:
        given = self.hidden_layer_sizes
        sizes = [int(size) for size in given] if isinstance(given, Iterable) else [int(given)]
        if min(sizes, default=self.n_components) < self.n_components:
            raise InvalidParameterError(
                f"Autoencoder: a hidden layer of {min(sizes)} units is narrower than the "
                f"bottleneck of n_components={self.n_components}; hidden_layer_sizes must be at "
                "least that."
            )
        return sizes

    def _refuse_noise_level(self) -> None:
        if self.noise in ("masking", "salt_and_pepper") and not self.noise_level < 1.0:
            raise InvalidParameterError(
                f"Autoencoder: noise_level is a share of entries in [0, 1) for noise="
                f"{self.noise!r}, got {self.noise_level!r}."
            )

    def _is_linear(self, hidden: list[int]) -> bool:
        curves = [self.bottleneck_activation, self.output_activation]
        return set(curves + [self.activation] * bool(hidden)) == {"identity"}

    def _chosen_solver(self, hidden: list[int]) -> str:
        closed = self._is_linear(hidden) and self.noise is None and self.alpha == 0.0
        if self.solver == "auto":
            return "svd" if closed else "adam"
        if self.solver in ("svd", "lbfgs"):
            refuse_noise(self.noise, self.solver)
        if self.solver == "svd" and not closed:
            raise InvalidParameterError(
                "Autoencoder: solver='svd' needs identity activations and alpha=0; use "
                "solver='adam' or 'lbfgs'."
            )
        return self.solver

    def _measure(self, x: NDArray[Any], *, unscaled: bool) -> None:
        """Where the rows lie, and how large they are."""
        if self.output_activation == "sigmoid":
            if x.min() < 0.0 or x.max() > 1.0:
                raise InvalidDataError(
                    "Autoencoder: output_activation='sigmoid' needs columns in [0, 1], X lies in "
                    f"[{x.min():g}, {x.max():g}]; use MinMaxScaler, or 'identity'."
                )
            self.mean_, self.scale_ = np.zeros(x.shape[1], dtype=x.dtype), 1.0
            return
        largest = float(np.abs(x).max()) or 1.0
        if largest > LARGEST:
            raise InvalidDataError(
                f"Autoencoder: squares of entries such as {largest:g} leave the range of numbers; "
                "scale the columns first, for example with StandardScaler."
            )
        mean = x.mean(axis=0, dtype=np.float64)
        spread = float(np.sqrt(np.mean((x - mean) ** 2)))
        self.mean_ = mean.astype(x.dtype)
        small = spread <= 1e-14 * largest or unscaled  # rounding of constant columns
        self.scale_ = 1.0 if small else spread

    def _standardized(self, x: NDArray[Any]) -> NDArray[Any]:
        return np.ascontiguousarray((x - self.mean_) / x.dtype.type(self.scale_))

    def _trained(self, network: Network, x: NDArray[Any], solver: str, seed: int) -> Descent:
        if solver == "svd":
            code = LinearCode.of(x)
            return Descent(closed_form(network, code, int(self.n_components)), [], True)
        sharing = WeightSharing(network) if self.tied_weights else None
        if sharing is not None:
            network = network.with_parameters(sharing.copied(network.parameters))
        task = Reconstruction(
            network, x, lambda rows, draw: noisy(rows, self.noise, self.noise_level, draw),
            sharing, float(self.alpha),
        )  # fmt: skip
        if solver == "lbfgs":
            return on_all_rows(task, max_iter=self.max_iter, tol=self.tol)
        return by_batches(
            task, solver, float(self.learning_rate_init), int(self.batch_size),
            max_iter=self.max_iter, tol=self.tol, patience=self.n_iter_no_change, seed=seed,
        )  # fmt: skip

    def _certify(self, x: NDArray[Any], hidden: list[int]) -> None:
        basis: Array | None = None
        if self._is_linear(hidden):
            basis = linear_maps(self.encoder_, self.decoder_)
        best = LinearCode.of(x, x.mean(axis=0, dtype=np.float64))
        error = float(self._errors(x).sum())
        self.certificate_ = AutoencoderCertificate.of(best, int(self.n_components), error, basis)

    # --- answering --------------------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        """Codes of rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(self._codes(self._rows_of(table)), table)

    def inverse_transform(self, X: Any) -> Any:
        """Rows that codes stand for.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_components)
            Codes.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = read_table(X, owner="Autoencoder")
        if table.n_features != self._n_features_out:
            raise InvalidDataError(
                f"Autoencoder.inverse_transform: X has {table.n_features} columns; codes have "
                f"{self._n_features_out}."
            )
        return self._wrap_rows(self._decoded(self._rows_of(table)), table)

    def reconstruct(self, X: Any) -> Any:
        """Rows encoded and decoded again.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap_rows(self._decoded(self._codes(self._rows_of(table))), table)

    def reconstruction_errors(self, X: Any) -> Any:
        """Squared distances of rows from their reconstructions; large ones are unlike the rest.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        return self._errors(self._rows_of(self._read(X, reset=False)))

    def score(self, X: Any, y: Any = None) -> float:
        """Share of the squared distances from the mean of the fit that codes explain, at most 1.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        float
        """
        self._check_fitted()
        x = self._rows_of(self._read(X, reset=False)).astype(np.float64)
        centre = x.mean(axis=0) if self.output_activation == "sigmoid" else self.mean_
        total = float(((x - centre) ** 2).sum())
        left = float(self._errors(x).sum())
        return 1.0 - left / total if total > 0.0 else float(left == 0.0)

    def _onnx_graph(self, before: Any = None) -> Any:
        from stylobate.neural_network.exchange.onnx_export import autoencoder_graph

        return autoencoder_graph(self, before)

    def _check_loaded(self) -> None:
        from stylobate.neural_network.exchange.stored import check_autoencoder

        check_autoencoder(self)

    def _rows_of(self, table: Table) -> NDArray[Any]:
        return np.ascontiguousarray(table.x)

    def _codes(self, x: NDArray[Any]) -> NDArray[Any]:
        return self.encoder_.predict(self._standardized(x))

    def _decoded(self, codes: NDArray[Any]) -> NDArray[Any]:
        rows = self.decoder_.predict(codes)
        return np.asarray(rows * rows.dtype.type(self.scale_) + self.mean_)

    def _errors(self, x: NDArray[Any]) -> Array:
        apart = (x - self._decoded(self._codes(x))).astype(np.float64)
        return np.asarray((apart**2).sum(axis=1))

    def _wrap_rows(self, rows: NDArray[Any], table: Table) -> Any:
        names = getattr(self, "feature_names_in_", None)
        columns = [f"x{j}" for j in range(rows.shape[1])] if names is None else list(names)
        return wrap_output(rows, origin=table.origin, columns=columns)
