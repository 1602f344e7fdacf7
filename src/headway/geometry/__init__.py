"""Angles, curves, shapes and noise: what needs no world."""
