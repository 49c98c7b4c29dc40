"""Classic canasta for two pairs: first melds by score, frozen piles, canastas (docs/rules/canasta.md)."""
