"""Simulated equipment for tests and demonstrations: a Milky Way, an Andromeda-1, and an Andromeda-3 over HTTP.

A unit counts the wagers on its sensors and reports them to a server. Failures can be configured, and the same seed
gives the same wagers and failures."""

from cardroom_equipment_simulators.connection import (
    BadFailure,
    CallRefused,
    DeviceConnection,
    FailurePlan,
    RetriesExhausted,
    parse_failures,
)
from cardroom_equipment_simulators.run import CannotRun, EquipmentRun, RunResult, run_equipment
from cardroom_equipment_simulators.screens import MonitorSimulator, SignSimulator

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
