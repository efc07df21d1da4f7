"""Decisions of a plan put into the graph, one level at a time: group, partition, map, place."""
