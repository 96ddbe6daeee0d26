"""`Pipeline`: transformers in a row and a model at the end, as one estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from stylobate.base import HasMethods, Tags
from stylobate.base.availability import available_if
from stylobate.base.composition.part_messages import speaking_of, timed
from stylobate.base.composition.parts import can_transform, refuse_class
from stylobate.base.composition.routed_arguments import (
    arguments_of,
    router_of,
    transformer_calls,
)
from stylobate.base.composition.stream_fits import (
    TrainingOutput,
    first_batch_is_enough,
    fit_part,
    joint_tier,
    refuse_weights,
    train_part,
    trained,
)
from stylobate.base.delegation import is_fitted, tags_of
from stylobate.base.parameters import brief
from stylobate.exceptions import InvalidParameterError
from stylobate.pipeline.answers import ANSWERS, LACKS, AnswersThroughSteps, last_has
from stylobate.pipeline.step_fits import Travelling, fit_steps, fit_transform_one, passes

if TYPE_CHECKING:
    from stylobate.data.streams import Stream
    from stylobate.datasets.bunch import Bunch


def _fit_transforms(self: Any) -> bool:
    last = self._last
    return passes(last) or hasattr(last, "transform") or hasattr(last, "fit_transform")


class Pipeline(AnswersThroughSteps):
    """Transformers one after the other, then a model; fitted, asked and tuned as one estimator.

    What is learnt by the transformers is learnt from the rows of `fit` alone, so cross-validation
    of the whole is honest. Steps may be ours or scikit-learn's. The steps are fitted themselves
    (with a cache: clones of them). A method exists if the last step has it.

    Parameters
    ----------
    steps : list of (str, estimator or "passthrough")
        Names and estimators, in order; all but the last must transform.
    transform_input : list of str or None, default=None
        Names of arguments that are rows of their own, such as a validation set: given to a step
        as ``step__name``, they go through the steps before it first.
    memory : str, object with cache, or None, default=None
        A directory, or a ``joblib.Memory``, that remembers fitted transformers: a search over the
        model's parameters then fits them once.
    verbose : bool, default=False
        Whether to print how long each step took.

    Attributes
    ----------
    named_steps : Bunch
        The steps by name.
    classes_ : array
        The labels the last step knows.
    n_features_in_, feature_names_in_
        Those of the first step.

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.preprocessing import PolynomialFeatures
    >>> X, y = load_penguins(target="body_mass_g", return_X_y=True)
    >>> model = Pipeline([("curves", PolynomialFeatures(2)), ("ridge", Ridge())]).fit(X, y)
    >>> model["ridge"].coef_.shape == model[:-1].get_feature_names_out().shape
    True
    >>> model.set_params(ridge__alpha=10.0, curves="passthrough")
    Pipeline(steps=[('curves', 'passthrough'), ('ridge', Ridge(alpha=10.0))])

    References
    ----------
    Buitinck et al. (2013), API design for machine learning software, ECML PKDD Workshop.
    """

    _parts_parameter: ClassVar[str] = "steps"

    def __init__(
        self,
        steps: list[Any] | tuple[Any, ...],
        *,
        transform_input: list[str] | None = None,
        memory: str | Annotated[Any, HasMethods("cache")] | None = None,
        verbose: bool = False,
    ) -> None:
        self.steps = steps
        self.transform_input = transform_input
        self.memory = memory
        self.verbose = verbose

    # --- the steps ------------------------------------------------------------------------------

    @property
    def named_steps(self) -> Bunch:
        """The steps by name, also as attributes: ``pipeline.named_steps.scale``."""
        from stylobate.datasets.bunch import Bunch

        return Bunch(**dict(self.steps))

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, key: int | str | slice) -> Any:
        """A step by number or name, or the pipeline of a slice, which shares its steps."""
        if isinstance(key, slice):
            if key.step not in (1, None):
                raise InvalidParameterError(
                    f"Pipeline slicing only supports a step of 1, got {key.step}"
                )
            return type(self)(self.steps[key], memory=self.memory, verbose=self.verbose)
        return dict(self.steps)[key] if isinstance(key, str) else self.steps[key][1]

    @property
    def _final_estimator(self) -> Any:
        """The last step, under the name that tools built for scikit-learn look for."""
        return "passthrough" if passes(self._last) else self._last

    def _tags(self) -> Tags:
        parts = [step for _, step in self._named_parts() if not passes(step)]
        if not parts:
            chain = len(self._named_parts()) > 0  # of steps that pass columns on
            return super()._tags().but(transforms=chain, tier="one pass")
        all_tags = [tags_of(step) for step in parts]
        last = tags_of(self._last) if not passes(self._last) else Tags(transforms=True)
        return last.but(
            pairwise=all_tags[0].pairwise,
            positive_only=all_tags[0].positive_only,
            sparse=all(each.sparse for each in all_tags),
            allow_nan=all(each.allow_nan for each in all_tags),
            requires_y=False,  # as scikit-learn's: it is the steps that ask for y
            tier=joint_tier(parts),
            requires_fit=any(each.requires_fit for each in all_tags),
        )

    def __sklearn_is_fitted__(self) -> bool:
        """Whether the last step that learns has learnt."""
        parts = [step for _, step in self._named_parts() if not passes(step)]
        return not parts or not tags_of(parts[-1]).requires_fit or is_fitted(parts[-1])

    def _check_steps(self) -> None:
        self._check_parameters()
        if len(self.steps) == 0:
            raise InvalidParameterError("The pipeline is empty. Please add steps.")
        self._check_parts()
        *before, (last_name, last) = self.steps
        for name, step in before:
            if passes(step):
                continue
            refuse_class(step, f"step {name!r}")
            if not can_transform(step):
                raise InvalidParameterError(
                    f"step {name!r}: All intermediate steps should be transformers and implement "
                    f"fit and transform or be the string 'passthrough', and {brief(step)} (type "
                    f"{type(step).__name__}) doesn't"
                )
        refuse_class(last, f"step {last_name!r}")
        if not passes(last) and not hasattr(last, "fit"):
            raise InvalidParameterError(
                f"step {last_name!r}: Last step of Pipeline should implement fit or be the string "
                f"'passthrough', and {brief(last)} (type {type(last).__name__}) doesn't"
            )

    # --- streams --------------------------------------------------------------------------------

    @property
    def _first_batch_is_enough(self) -> bool:
        return all(passes(step) or first_batch_is_enough(step) for _, step in self._named_parts())

    def _fit_stream(self, stream: Stream) -> Self:
        """Fit each step to the stream that the steps before it make, one pass or more each."""
        self._check_steps()
        refuse_weights(stream, type(self).__name__)
        *before, (name, last) = self.steps
        stream = self._through(before, stream, [])
        if not passes(last):
            with self._processing(len(self.steps), name), speaking_of("step", name, last):
                fit_part(last, stream)
        return self

    def _train_on_stream(self, stream: Stream) -> TrainingOutput:
        self._check_steps()
        refuse_weights(stream, type(self).__name__)
        outputs: list[TrainingOutput] = []
        self._through(list(self.steps), stream, outputs)

        def output(x: Any, first: int) -> Any:
            for each in outputs:
                x = each(x, first)
            return x

        return output

    def _through(self, steps: list[Any], stream: Stream, outputs: list[TrainingOutput]) -> Stream:
        """Fit transformers one after the other; the stream that leaves the last of them."""
        for number, (name, step) in enumerate(steps, start=1):
            if passes(step):
                continue
            with self._processing(number, name), speaking_of("step", name, step):
                outputs.append(train_part(step, stream))
            stream = trained(stream, outputs[-1])
        return stream

    def _processing(self, number: int, name: str) -> Any:
        message = f"(step {number} of {len(self.steps)}) Processing {name}"
        return timed(type(self).__name__, message if self.verbose else None)

    # --- fitting --------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Fit each transformer to what the one before makes of X, and the last step to the rest.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows, or whatever the first step takes.
        y : array-like of shape (n,) or (n, n_targets), optional
            Target, handed to every step.
        **params : object
            More arguments for the `fit` of a step: ``model__sample_weight=w``.

        Returns
        -------
        self
        """
        self._fit_all(X, y, params, "fit")
        return self

    @available_if(_fit_transforms, LACKS)
    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Fit all steps and give what the last makes of X.

        Parameters
        ----------
        X, y, **params
            As in `fit`.

        Returns
        -------
        array or frame of shape (n, n_features_out)
        """
        return self._fit_all(X, y, params, "fit_transform")

    @available_if(last_has("fit_predict"), LACKS)
    def fit_predict(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Fit all steps and give the last one's `fit_predict`.

        Parameters
        ----------
        X, y, **params
            As in `fit`.

        Returns
        -------
        array of shape (n,)
        """
        return self._fit_all(X, y, params, "fit_predict")

    def _fit_all(self, X: Any, y: Any, params: dict[str, Any], method: str) -> Any:
        self._check_steps()
        travelling = Travelling(self.transform_input, self._part_params(params, method))
        messages = [
            f"(step {number} of {len(self.steps)}) Processing {name}" if self.verbose else None
            for number, (name, _) in enumerate(self.steps, start=1)
        ]
        *before, (name, last) = self.steps
        owner = type(self).__name__
        X, fitted = fit_steps(
            before, X, y, travelling, memory=self.memory, messages=messages[:-1], owner=owner
        )
        if any(new is not old for (_, new), (_, old) in zip(fitted, before, strict=True)):
            self.steps = [*fitted, (name, last)]
        with timed(owner, messages[-1]):
            if passes(last):
                return X
            with speaking_of("step", name, last):
                given = travelling.of(name)
                if method == "fit_transform":
                    return fit_transform_one(last, X, y, given)[0]
                return getattr(last, method)(X, y, **arguments_of(given, method))

    def get_metadata_routing(self) -> Any:
        """scikit-learn's router: which step's methods each call of the pipeline comes to."""
        parts: list[tuple[str, Any, Any]] = []
        *before, (last_name, last) = self.steps
        for name, step in before:
            if not passes(step):
                calls = transformer_calls(step, ("fit", "fit_transform", "fit_predict"))
                calls += [(answer, "transform") for answer in ANSWERS]
                parts.append((name, step, [*calls, ("inverse_transform", "inverse_transform")]))
        if not passes(last):
            whole = hasattr(last, "fit_transform")
            calls = [("fit_transform", "fit_transform")] if whole else [("fit", "transform")]
            both = ("fit", "fit_predict", "inverse_transform", *ANSWERS)
            parts.append((last_name, last, [*calls, *((each, each) for each in both)]))
        return router_of(self, parts)
