"""The rules, records and text of every game, with one interface."""
