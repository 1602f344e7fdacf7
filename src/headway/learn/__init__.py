"""Drivers that learn: environments, trainers, policies and their evaluation."""
