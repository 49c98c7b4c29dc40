"""Brazilian canastra with morto, red and black threes and lavadeiras (docs/rules/canastra.md)."""
