"""Rules, policies and the loops that play a deal: numba and numpy only.

Importing this package imports neither; a game's kernels load when its ``play`` module is imported.
"""
