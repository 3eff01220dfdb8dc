"""Judgements of positions: values and proofs that all sentences, hints and reviews share."""
