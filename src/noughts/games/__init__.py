"""The rulebook: every game of the family behind one interface."""
