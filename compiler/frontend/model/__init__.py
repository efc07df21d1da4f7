"""The model as it is read: file, weights, types, limits, shapes of inputs."""
