"""Exact solver and player for Santase (Bulgarian Sixty-six) and its relatives."""

try:
    from santase._core import Outcome, Position, deal, hand_seed, perft, random_playouts
except ModuleNotFoundError as _error:
    if _error.name != "santase._core":
        raise
    raise ImportError(
        f"the compiled modules of santase are not in {__path__[0]}, which is its source: install it there"
        " with 'pip install -e .', or run Python in another folder"
    ) from None
from santase._analyses import analysis_dtype
from santase._arrays import deal_many, hand_dtype, pack, pack_views, playout_many, unpack, view_dtype
from santase._sampling import count_worlds, sample_worlds
from santase._solver import Solver
from santase._version import __version__
from santase.actions import ACTIONS, Action
from santase.analyze import Analysis, Estimate, analyze, analyze_many, best_move
from santase.cards import CARDS
from santase.errors import (
    HiddenCardsError,
    IllegalActionError,
    NotationError,
    RecordError,
    RulesError,
    SantaseError,
)
from santase.game import Game, PlayedHand
from santase.match import match_equity
from santase.rules import RULES, Rules
from santase.solve import Solution, solve, solve_many

__all__ = [
    "ACTIONS",
    "CARDS",
    "RULES",
    "Action",
    "Analysis",
    "Estimate",
    "Game",
    "HiddenCardsError",
    "IllegalActionError",
    "NotationError",
    "Outcome",
    "PlayedHand",
    "Position",
    "RecordError",
    "Rules",
    "RulesError",
    "SantaseError",
    "Solution",
    "Solver",
    "__version__",
    "analysis_dtype",
    "analyze",
    "analyze_many",
    "best_move",
    "count_worlds",
    "deal",
    "deal_many",
    "hand_dtype",
    "hand_seed",
    "match_equity",
    "pack",
    "pack_views",
    "perft",
    "playout_many",
    "random_playouts",
    "sample_worlds",
    "solve",
    "solve_many",
    "unpack",
    "view_dtype",
]
