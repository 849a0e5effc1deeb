"""The games: deal, decide, settle."""

from cardroom.games.actions import Deal, DealerStep, Decide, TakeStep
from cardroom.games.bets import BadBet
from cardroom.games.book import UnknownGame, game, game_slugs, unfit_packages
from cardroom.games.decisions import Decision, NotAllowed, Verb
from cardroom.games.defaults import default_setup
from cardroom.games.game import Game, RoundNotOver
from cardroom.games.places import Pile, Place
from cardroom.games.record import BadRecord, from_json, round_entry, round_from, to_json
from cardroom.games.round import Round, advance
from cardroom.games.settlement import MeterShare, MeterUnknown, Payment, Settlement
from cardroom.games.setup import FeatureSetup, Limits, TableSetup, WagerSetup, read_setup
from cardroom.games.spot import Feature, GameFacts, Tabulator, Wager
from cardroom.games.stakes import Chips, price, put_down
from cardroom.games.table import BadSetup, Fault, Table
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn, Turn
from cardroom.games.view import Onlooker, View, view, view_entry

__all__ = [
    "BadBet",
    "BadRecord",
    "BadSetup",
    "ChanceTurn",
    "Chips",
    "Deal",
    "DealerStep",
    "DealerTurn",
    "Decide",
    "Decision",
    "Fault",
    "Feature",
    "FeatureSetup",
    "Game",
    "GameFacts",
    "Limits",
    "MeterShare",
    "MeterUnknown",
    "NotAllowed",
    "Onlooker",
    "Over",
    "Payment",
    "Pile",
    "Place",
    "Round",
    "RoundNotOver",
    "SeatTurn",
    "Settlement",
    "Table",
    "TableSetup",
    "Tabulator",
    "TakeStep",
    "Turn",
    "UnknownGame",
    "Verb",
    "View",
    "Wager",
    "WagerSetup",
    "advance",
    "default_setup",
    "from_json",
    "game",
    "game_slugs",
    "price",
    "put_down",
    "read_setup",
    "round_entry",
    "round_from",
    "to_json",
    "unfit_packages",
    "view",
    "view_entry",
]
