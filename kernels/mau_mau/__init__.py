"""Brazilian mau-mau: rules, policies and the loop that plays a round (docs/rules/mau_mau.md)."""
