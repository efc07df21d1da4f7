"""Layers and groups that differ in names alone: the steps of one are those of the other."""
