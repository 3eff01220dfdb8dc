"""The apps where people meet the games; no rules and no search."""
