"""What is wrong with what an operator has written."""

from __future__ import annotations

from typing import ClassVar

from cardroom.errors import BadInput
from cardroom.games import SetupFault


class BadFile(BadInput):
    """A set-up that cannot be read at all."""


class FaultyInput(BadInput):
    """What an operator has written and breaks rules; ``faults`` has all of them."""

    beginning: ClassVar[str]
    """The first line, which may tell how many ``{faults}`` there are, and whatever else is told."""

    def __init__(self, faults: tuple[SetupFault, ...], **told: str) -> None:
        self.faults = faults
        number = "one fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([self.beginning.format(faults=number, **told), *map(str, faults)]))


class BadJackpot(FaultyInput):
    """A set-up that breaks rules; ``faults`` has all of them."""

    beginning = "The jackpot cannot open: its set-up has {faults}."


class BadTabulatorSetup(FaultyInput):
    """A set-up that breaks rules; ``faults`` has all of them."""

    beginning = "The tabulator cannot be used: its set-up has {faults}."
