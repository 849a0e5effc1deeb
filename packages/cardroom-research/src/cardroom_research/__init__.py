"""Gymnasium environments for research: many rounds in parallel, or one round of any game by its rules.

``RoundVectorEnv`` plays thousands of rounds of a built-in game in parallel, ``RoundEnv`` one round at a time of any
installed game. Both are registered with Gymnasium, for example ``gymnasium.make_vec("cardroom/three-card-prime-v0",
num_envs=4096)``.
"""

from cardroom_research.registry import env_id, register_games
from cardroom_research.single_env import RoundEnv
from cardroom_research.vector_env import RoundVectorEnv

register_games()

__all__ = ["RoundEnv", "RoundVectorEnv", "env_id"]
