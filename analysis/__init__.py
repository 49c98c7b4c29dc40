"""What the deals say: frames, statistics with intervals, tables.

Polars and numpy only; of the games, nothing but what they declare about themselves (`kernels.spec`).
"""
