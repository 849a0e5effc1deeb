"""A server that is frozen in the middle of a command:

    python -m tests.attack.frozen_server URL

says on a line that it decides, with all its locks held, and goes on when it reads a line.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace

from cardroom.ledger import Head, Outcome, open_ledger
from tests.ledger.deeds import wager


def main(url: str) -> None:
    plain = wager("frozen")

    def decide(heads: Mapping[str, Head | None]) -> Outcome:
        print("deciding", flush=True)
        sys.stdin.readline()
        return plain.decide(heads)

    with open_ledger(url) as ledger:
        carried = ledger.carry_out(replace(plain, decide=decide))
        print(f"stored {carried.answer} {carried.repeated}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
