"""Proofs that a side wins a game of nine boards: campaigns, and certificates that strangers check.

    campaign.json ─► tree of chosen moves ─► jobs ─► workers ─► log/000001.log, …
                          ▲                                         │
                          └── another move where a job is not won ◄─┤
                                                                    └─► certificate

The attacker's moves are chosen, all replies follow. A job is a node of the attacker at one ply: the
core proves that he wins there. The log holds every choice and every result.
"""
