"""Toy: two players throw their cards one by one, the higher card takes the trick."""
