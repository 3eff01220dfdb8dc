"""Train a net for the engine: play games, fit the weights, pack them.

noughts train data ──► a folder of samples ──► noughts train fit ──► a net file
        ▲                                                            │
        └──────────────── the next generation: --net ◄───────────────┘
"""
