"""Graphs of every level as files for other tools."""
