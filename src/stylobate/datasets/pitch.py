"""A made-up track of pitches, with the mistakes pitch detection makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError

NOTES = (293.66, 329.63, 369.99, 440.0, 493.88)  # D4, E4, F♯4, A4, B4 in hertz
_TUNE = (0, 1, 2, 3, 4, 3, 2, 1, 3, 4, 2, 0)  # the order the notes are played in
_VIBRATO = 5.5  # per second


def make_pitch_track(
    n_samples: int = 1200,
    *,
    notes: Sequence[float] = NOTES,
    octave_errors: float = 0.05,
    cents: float = 12.0,
    duration: float = 12.0,
    return_truth: bool = False,
    random_state: Any = None,
) -> tuple[Array, ...]:
    r"""What a pitch detector such as YIN hears of a tune on a violin: a frequency at each time.

    Notes follow each other with vibrato and a little noise,
    :math:`f(t) = f_{note(t)}\, 2^{(v \sin 2\pi 5.5 t + \varepsilon)/1200}`, with v and the standard
    deviation of ε in cents. Detectors take a period twice too long or too short now and then: such
    octave errors halve or double the frequency, as often the one as the other.

    Parameters
    ----------
    n_samples : int in [1, inf), default=1200
        Frequencies, at equal steps in time.
    notes : sequence of float in (0, inf), default=(293.66, 329.63, 369.99, 440.0, 493.88)
        Frequencies of the notes in hertz: D4, E4, F♯4, A4, B4 of a pentatonic tune.
    octave_errors : float in [0, 1], default=0.05
        Share of the frequencies that are wrong by an octave.
    cents : float in [0, inf), default=12.0
        Size of vibrato and noise, in hundredths of a semitone.
    duration : float in (0, inf), default=12.0
        Seconds.
    return_truth : bool, default=False
        Whether to return the note played at each time as well.
    random_state : int, RandomState or None, default=None
        Draws noise and errors.

    Returns
    -------
    time, frequency : arrays of shape (n_samples,)
        Seconds and hertz.
    truth : array of shape (n_samples,)
        The note's own frequency, if asked for.

    Examples
    --------
    >>> time, frequency, truth = make_pitch_track(return_truth=True, random_state=0)
    >>> octaves = np.round(np.log2(frequency / truth))
    >>> [int((octaves == k).sum()) for k in (-1, 0, 1)]
    [30, 1140, 30]

    References
    ----------
    de Cheveigné & Kawahara (2002), YIN, a fundamental frequency estimator for speech and music,
    Journal of the Acoustical Society of America 111(4), 1917-1930.
    """
    pitches = np.asarray(notes, dtype=np.float64)
    sizes_fit = n_samples >= 1 and duration > 0 and cents >= 0 and 0 <= octave_errors <= 1
    if not sizes_fit or pitches.ndim != 1 or not len(pitches) or not (pitches > 0).all():
        raise InvalidParameterError(
            "make_pitch_track: n_samples must be at least 1, notes positive frequencies, duration "
            "positive, cents not negative and octave_errors in [0, 1]; got "
            f"n_samples={n_samples!r}, notes={notes!r}, duration={duration!r}, cents={cents!r}, "
            f"octave_errors={octave_errors!r}."
        )
    draw = (
        random_state
        if hasattr(random_state, "permutation")
        else np.random.RandomState(random_state)
    )
    time = np.linspace(0.0, duration, n_samples, endpoint=False)
    tune = np.array(_TUNE) if len(pitches) == len(NOTES) else np.arange(len(pitches))
    truth = pitches[tune[(time / duration * len(tune)).astype(int)]]
    off = cents * (np.sin(2 * np.pi * _VIBRATO * time) + 0.5 * draw.standard_normal(n_samples))
    frequency = truth * 2.0 ** (off / 1200.0)
    wrong = draw.permutation(n_samples)[: round(octave_errors * n_samples)]
    half = len(wrong) // 2
    frequency[wrong[:half]] /= 2.0
    frequency[wrong[half:]] *= 2.0
    return (time, frequency, truth) if return_truth else (time, frequency)
