"""The conformance kit: tests that every installed game must pass.

``pytest --pyargs cardroom_conformance`` runs it; ``-k red-dog`` on one game. It plays random rounds by the rules alone,
and rounds from rigged shoes for rare events (``sample_rounds``).
"""
