"""Rounds for researchers, in the manner of Gymnasium: many at a time, or any game by its rules.

``RoundVectorEnv`` plays thousands of rounds of one of the house's games side by side, ``RoundEnv`` one round at a time
of any game that is installed. Both have names that Gymnasium knows, such as
``gymnasium.make_vec("cardroom/three-card-prime-v0", num_envs=4096)``.
"""

from cardroom.extras import require_packages

require_packages("research", "Environments", "gymnasium")

from cardroom.research.registry import env_id, register_games
from cardroom.research.single_env import RoundEnv
from cardroom.research.vector_env import RoundVectorEnv

register_games()

__all__ = ["RoundEnv", "RoundVectorEnv", "env_id"]
