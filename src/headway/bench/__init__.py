"""Headline figures, measured: run them with ``headway bench``."""
