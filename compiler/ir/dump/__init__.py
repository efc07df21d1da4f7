"""Graphs as text, JSON and DOT."""
