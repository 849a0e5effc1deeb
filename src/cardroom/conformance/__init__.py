"""The conformance kit: what holds for every game, held against each one that is installed.

``pytest --pyargs cardroom.conformance`` runs it; ``-k red-dog`` on one game. It plays random rounds through the rules
alone, and rounds from rigged shoes for what is rare (``sample_rounds``).
"""
