"""The games: deal, decide, settle."""

from cardroom.games.actions import (
    ChanceTurn,
    Deal,
    DealerStep,
    DealerTurn,
    Decide,
    Decision,
    IllegalAction,
    RoundEnd,
    SeatTurn,
    TakeStep,
    Turn,
    Verb,
)
from cardroom.games.card_places import Pile, Place
from cardroom.games.dealing import deal
from cardroom.games.game import ChipStack, Game, RoundNotOver, cents_on_layout, decision_cost
from cardroom.games.game_facts import Feature, GameFacts, TabulatorType, Wager
from cardroom.games.playable_table import BadSetup, SetupFault, Table
from cardroom.games.record import BadRecord, dump_round, load_round, round_from_json, round_to_json
from cardroom.games.registry import UnknownGame, default_setup, game, game_slugs, list_package_faults
from cardroom.games.round import BadBet, Round, advance
from cardroom.games.settlement import MeterShare, Payment, Settlement, UnknownMeter
from cardroom.games.setup import FeatureSetup, TableSetup, WagerLimits, WagerSetup, read_setup
from cardroom.games.view import Onlooker, View, view, view_to_json

__all__ = [
    "BadBet",
    "BadRecord",
    "BadSetup",
    "ChanceTurn",
    "ChipStack",
    "Deal",
    "DealerStep",
    "DealerTurn",
    "Decide",
    "Decision",
    "Feature",
    "FeatureSetup",
    "Game",
    "GameFacts",
    "IllegalAction",
    "MeterShare",
    "Onlooker",
    "Payment",
    "Pile",
    "Place",
    "Round",
    "RoundEnd",
    "RoundNotOver",
    "SeatTurn",
    "Settlement",
    "SetupFault",
    "Table",
    "TableSetup",
    "TabulatorType",
    "TakeStep",
    "Turn",
    "UnknownGame",
    "UnknownMeter",
    "Verb",
    "View",
    "Wager",
    "WagerLimits",
    "WagerSetup",
    "advance",
    "cents_on_layout",
    "deal",
    "decision_cost",
    "default_setup",
    "dump_round",
    "game",
    "game_slugs",
    "list_package_faults",
    "load_round",
    "read_setup",
    "round_from_json",
    "round_to_json",
    "view",
    "view_to_json",
]
