"""Rules that a model judges: what is asked, how the reply is read, and the proof it has to bring.

Nothing here asks a model. `regions` cuts the code, `selection` chooses the rules, `prompt` writes
the two requests, `reply` reads what comes back, and `proof` lets through what stands verbatim in
the rule and in the code, at the place where it stands.
"""
