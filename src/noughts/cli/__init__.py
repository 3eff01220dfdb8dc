"""The command line and its screens in the terminal; no rules and no search."""
