"""Loba: nine-card rummy with jokers for two to seven players (docs/rules/loba.md)."""
