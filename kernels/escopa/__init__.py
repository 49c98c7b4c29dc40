"""Escopa de 15 for two, three or two pairs: captures that make fifteen (docs/rules/escopa.md)."""
