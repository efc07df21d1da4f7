"""Pictures of a batch side by side in one wide picture, so that lanes along pixels are full (method M4)."""
