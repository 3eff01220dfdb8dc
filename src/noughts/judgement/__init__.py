"""What is known of a position: one judgement for all that speak of it."""
