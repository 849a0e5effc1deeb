"""Exact odds, the best play, and a coach."""

from __future__ import annotations

from cardroom.odds.answers import answer
from cardroom.odds.coach import NotAsked, advise
from cardroom.odds.pricer import Advice, SimpleStrategy, pricer
from cardroom.odds.question import Asked, Question, UnknownQuestion, questions
from cardroom.odds.result import Ending, Odds, OutcomeLine, as_json

__all__ = [
    "Advice",
    "Asked",
    "Ending",
    "NotAsked",
    "Odds",
    "OutcomeLine",
    "Question",
    "SimpleStrategy",
    "UnknownQuestion",
    "advise",
    "answer",
    "as_json",
    "pricer",
    "questions",
]
