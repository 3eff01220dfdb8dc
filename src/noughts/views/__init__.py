"""Views: positions and results as people see them; no rules and no search."""
