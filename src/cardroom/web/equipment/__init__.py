"""Simulated equipment, for tests and for showing: a Milky Way, an Andromeda-1 and an Andromeda-3 that speak HTTP.

A unit counts what lies on its sensors and tells a server of it; failures come on demand, and the same seed brings the
same wagers and the same failures again.
"""

from cardroom.web.equipment.failures import BadFailure, Failures, read_failures
from cardroom.web.equipment.line import GaveUp, Line, Refused
from cardroom.web.equipment.playing import CannotPlay, Evening, Played, play
from cardroom.web.equipment.screens import Monitor, Sign

__all__ = [
    "BadFailure",
    "CannotPlay",
    "Evening",
    "Failures",
    "GaveUp",
    "Line",
    "Monitor",
    "Played",
    "Refused",
    "Sign",
    "play",
    "read_failures",
]
