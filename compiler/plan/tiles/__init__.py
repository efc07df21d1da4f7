"""Layers alone: how one is cut into tiles and spread over the cores."""
