"""Labs: experiments that test claims of the sources, worked examples, comparisons."""
