"""Referees in plain Python: each knows the rule book and an event log, and nothing of the kernels."""
