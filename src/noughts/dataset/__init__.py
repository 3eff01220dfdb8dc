"""Data sets of positions with their values, in Parquet, for training outside this package.

    plan ──► pieces of games, labelled ──► parts/ ──► data/train-….parquet, …, README.md
    games.py   pieces.py                    make.py    make.py               card.py

`check.py` proves a sample again. The package needs the extra `data`.
"""
