"""Language models as bots: the prompt, the answer, the request, and the figures of a match."""
