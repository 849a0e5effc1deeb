"""Simulated equipment, for tests and for showing: a Milky Way, an Andromeda-1 and an Andromeda-3 that speak HTTP.

A unit counts what lies on its sensors and tells a server of it; failures come on demand, and the same seed brings the
same wagers and the same failures again.
"""

from cardroom.web.equipment_simulators.connection import (
    BadFailure,
    CallRefused,
    DeviceConnection,
    FailurePlan,
    RetriesExhausted,
    parse_failures,
)
from cardroom.web.equipment_simulators.run import CannotRun, EquipmentRun, RunResult, run_equipment
from cardroom.web.equipment_simulators.screens import MonitorSimulator, SignSimulator

__all__ = [
    "BadFailure",
    "CallRefused",
    "CannotRun",
    "DeviceConnection",
    "EquipmentRun",
    "FailurePlan",
    "MonitorSimulator",
    "RetriesExhausted",
    "RunResult",
    "SignSimulator",
    "parse_failures",
    "run_equipment",
]
