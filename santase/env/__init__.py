"""The game for learners: a PettingZoo environment and an OpenSpiel game.

Both are in modules of their own, which need their library and are imported by
whoever wants them: ``santase.env.pettingzoo`` (the extra ``pettingzoo``) and
``santase.env.openspiel`` (the extra ``openspiel``). What they share is here and
needs NumPy alone: the observation array and the mask of legal actions.
"""

from santase._observation import LAYOUT, Field, action_mask, observe

__all__ = ["LAYOUT", "OBSERVATION_SIZE", "Field", "action_mask", "observe"]

OBSERVATION_SIZE: int = LAYOUT[-1].start + LAYOUT[-1].size
"""Length of the observation array."""
