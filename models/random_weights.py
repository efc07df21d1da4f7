"""Random weights of networks, scaled so that activations keep a magnitude near one to the end."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
MOST_WEIGHTS = 2**29 - 2**20
"""Floats in a protobuf of less than 2 GiB."""

# Variance gain of the weights that keeps the variance of the activations: what precedes a layer decides it.
# Filters are made to sum to zero (scaled weight standardisation: Brock, De, Smith 2021), because ReLU's
# positive mean would otherwise drown the signal in deep networks: all images would give nearly the same
# output, which hides errors.
AFTER_RELU = 2 / (1 - 1 / math.pi)  # a unit normal has the variance (1 - 1/pi)/2 after ReLU
AFTER_LINEAR = 1.0


class RandomWeights:
    """The weights of one network, drawn one after the other from a seed.

    Raises (all methods):
        ValueError: the network would have more weights than a file of ONNX can hold; none is drawn.
    """

    def __init__(self, seed: int) -> None:
        self._rng = np.random.Generator(np.random.SFC64(seed))
        self._count = 0

    def normal(self, shape: Sequence[int], std: float) -> Floats:
        """Normal numbers around 0 with a standard deviation."""
        self._spend(math.prod(shape))
        values = self._rng.standard_normal(tuple(shape), dtype=np.float32)
        values *= np.float32(std)
        return values

    def filters(self, shape: Sequence[int], gain: float, *, axes: tuple[int, ...] = (1, 2, 3)) -> Floats:
        """Weights of a layer; `axes` are those that one output value sums over."""
        fan_in = math.prod(shape[axis] for axis in axes)
        values = self.normal(shape, math.sqrt(gain / fan_in))
        if fan_in > 1:
            values -= values.mean(axis=axes, keepdims=True)
        return values

    def uniform(self, size: int, low: float, high: float) -> Floats:
        """A vector of evenly distributed numbers."""
        self._spend(size)
        return self._rng.uniform(low, high, size).astype(np.float32)

    def _spend(self, count: int) -> None:
        self._count += count
        if self._count > MOST_WEIGHTS:
            raise ValueError(f"it would have more than {MOST_WEIGHTS} weights, what a file of ONNX can hold")
