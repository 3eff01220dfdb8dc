"""Views: positions, searches and results as text, pictures and pages; no rules and no search."""
