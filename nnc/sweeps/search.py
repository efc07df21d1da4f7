"""Points that a search chooses where there are too many to compile: optuna tries values that look promising.

The search is the same each time: what it tries follows from the outcomes alone, never from who computed them
or in which order, so that one that was interrupted goes on with the help of its journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from nnc.errors import MissingPackageError
from nnc.sweeps.evaluation import Evaluation
from nnc.sweeps.point_run import Outcome

_BATCH = 8
"""Points that are chosen together, however many workers there are."""
_SEED = 0


def insist_on_optuna() -> None:
    """Do nothing if what chooses is there.

    Raises:
        MissingPackageError: it is not.
    """
    if find_spec("optuna") is None:
        raise MissingPackageError(
            "points are chosen by the package optuna, which is not installed",
            remedy="pip install 'nnc[search]', or compile all points",
        )


def search_points(evaluation: Evaluation, trials: int, minimised: Sequence[str]) -> None:
    """Look for points with small figures, for each model by itself.

    Args:
        trials: points that are chosen for each model; those that are chosen again are not compiled again.
        minimised: figures; less is better.
    """
    import optuna
    from optuna.study import StudyDirection

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    for model in range(len(evaluation.space.models)):
        sampler = optuna.samplers.TPESampler(seed=_SEED)
        study = optuna.create_study(directions=[StudyDirection.MINIMIZE] * len(minimised), sampler=sampler)
        for first in range(0, trials, _BATCH):
            chosen = [study.ask() for _ in range(min(_BATCH, trials - first))]
            numbers = [_number(evaluation, model, trial) for trial in chosen]
            outcomes = evaluation.of(dict.fromkeys(numbers))
            for trial, number in zip(chosen, numbers, strict=True):
                figures = _figures(outcomes[number], minimised)
                if figures is None:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                else:
                    study.tell(trial, figures)


def _number(evaluation: Evaluation, model: int, trial: Any) -> int:
    """The point of a trial: a place on each axis of the space but the first."""
    space = evaluation.space
    names = ["chip", *(vary.key for vary in space.varied)]
    places = [
        trial.suggest_int(name, 0, most - 1) for name, most in zip(names, space.extents[1:], strict=True)
    ]
    return space.number([model, *places])


def _figures(outcome: Outcome, minimised: Sequence[str]) -> list[float] | None:
    """What is to be small; None of a point without these figures."""
    values = [None if outcome.figures is None else getattr(outcome.figures, name) for name in minimised]
    return None if None in values else [float(value) for value in values if value is not None]
