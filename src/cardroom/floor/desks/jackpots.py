"""Jackpots: opened, disabled and enabled, their parameters changed, their money kept in custody."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardroom.accounts import CENT
from cardroom.errors import BadInput
from cardroom.floor.desks.answers import JackpotStanding, jackpot_standing, jackpot_standing_entry
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.payments import payment_names, refuse_used, refuse_used_payment
from cardroom.floor.kept.chains import ROOM, jackpot_chain
from cardroom.floor.kept.subjects import JACKPOTS
from cardroom.floor.kept.waiting import DepositDue, deposit_due
from cardroom.jackpots import Happening
from cardroom.jackpots.meter import custody, service
from cardroom.jackpots.meter.changes import change_bonus, change_parameters, remove_jackpot
from cardroom.jackpots.references import PaidBy, plain_name, reference_told, slip_words
from cardroom.jackpots.room.reports import report_for
from cardroom.jackpots.setup.jackpot import JackpotSetup, jackpot_setup_entry
from cardroom.jackpots.setup.opening import open_jackpot
from cardroom.jackpots.telling.phrases import given_up_words
from cardroom.ledger import Json, UniqueKey

Act = Callable[..., tuple[Happening, ...]]
"""Of a jackpot's state, who does it, and what the command tells."""


class JackpotIsOpen(BadInput):
    """A jackpot is opened once."""


class JackpotDesk(Desk):
    """What the office does with a jackpot. ``cents`` are whole cents; every change has a name and a reason."""

    def open_jackpot(self, id: str, who: str, setup: JackpotSetup) -> JackpotStanding:
        """Open a jackpot; the house seeds a progressive."""
        jackpot = open_jackpot(setup)
        body: dict[str, Json] = {"do": "open-jackpot", "who": who, "setup": jackpot_setup_entry(setup)}

        def decide(draft: Draft) -> Json:
            if draft.has(JACKPOTS, setup.id):
                raise JackpotIsOpen(f"Jackpot {setup.id} is open already: give the new one a name of its own.")
            return jackpot_standing_entry(draft.at_jackpot(setup.id, service.open_for_play(jackpot, who=who)))

        return self._do(id, body, (jackpot_chain(setup.id),), decide, jackpot_standing)

    # In and out of service.

    def disable(self, id: str, who: str, jackpot: str, why: str) -> JackpotStanding:
        """The jackpot shows as unavailable, does not grow and cannot be won."""
        return self._change(id, who, jackpot, "disable", service.disable_jackpot, why=why)

    def enable(self, id: str, who: str, jackpot: str) -> JackpotStanding:
        """The jackpot comes back as it was."""
        return self._change(id, who, jackpot, "enable", service.enable_jackpot)

    def remove(self, id: str, who: str, jackpot: str, why: str, *, second: str) -> JackpotStanding:
        """Remove a bonus jackpot for good. A progressive cannot be: its money is the players'."""
        return self._change(id, who, jackpot, "remove", remove_jackpot, why=why, second=second)

    # What the operator set.

    def change_parameters(
        self, id: str, who: str, jackpot: str, level: str, changes: Mapping[str, str], why: str, *, second: str
    ) -> JackpotStanding:
        """Change ``contribution`` or ``reserve`` (such as "12.5%"), ``seed``, ``ceiling`` or ``minimum`` (such as
        "$5,000"). What players would lose by waits for the reset of the level."""
        told: dict[str, Json] = {"level": level, "changes": dict(changes), "why": why, "second": second}
        return self._change(id, who, jackpot, "change-parameters", change_parameters, **told)

    def change_bonus(
        self, id: str, who: str, jackpot: str, game: str, event: str, amount: str, why: str, *, second: str
    ) -> JackpotStanding:
        """Change the operator's fixed bonus on a line of the paytable, such as ``"$5,000"``."""
        told: dict[str, Json] = {"game": game, "event": event, "amount": amount, "why": why, "second": second}
        return self._change(id, who, jackpot, "change-bonus", change_bonus, **told)

    # The players' money. Two people answer for every adjustment.

    def correct_malfunction(
        self, id: str, who: str, jackpot: str, level: str, cents: int, why: str, *, second: str, report: str
    ) -> JackpotStanding:
        """Correct what a malfunction put on a meter: up above zero, down below; its report has this number and is
        open."""
        told: dict[str, Json] = {"level": level, "cents": cents, "why": why, "second": second, "report": report}
        body: dict[str, Json] = {"do": "correct-malfunction", "who": who, "jackpot": jackpot, **told}

        def decide(draft: Draft) -> Json:
            number = report_for(draft.room().reports, report, jackpot)
            state = draft.jackpot(jackpot)
            happened = custody.correct_malfunction(state, level, cents, report=number, who=who, second=second, why=why)
            return jackpot_standing_entry(draft.at_jackpot(jackpot, happened))

        return self._do(id, body, (jackpot_chain(jackpot), ROOM), decide, jackpot_standing)

    def add_seed(
        self, id: str, who: str, jackpot: str, level: str, cents: int, why: str, *, second: str
    ) -> JackpotStanding:
        """The house puts more of its own money on a meter, to be recovered later."""
        told: dict[str, Json] = {"level": level, "cents": cents, "why": why, "second": second}
        return self._change(id, who, jackpot, "add-seed", custody.add_seed, **told)

    def recover_seed(
        self, id: str, who: str, jackpot: str, level: str, cents: int, why: str, *, second: str
    ) -> JackpotStanding:
        """The house takes seed money back."""
        told: dict[str, Json] = {"level": level, "cents": cents, "why": why, "second": second}
        return self._change(id, who, jackpot, "recover-seed", custody.recover_seed, **told)

    def lower_to_the_cap(
        self, id: str, who: str, jackpot: str, level: str, why: str, *, second: str
    ) -> JackpotStanding:
        """What is displayed above the ceiling goes into the overflow, where it stays the players'."""
        told: dict[str, Json] = {"level": level, "why": why, "second": second}
        return self._change(id, who, jackpot, "lower-to-the-cap", custody.lower_to_the_cap, **told)

    def remove_hidden(
        self, id: str, who: str, jackpot: str, level: str, held: str, cents: int, why: str, *, second: str
    ) -> JackpotStanding:
        """Money that is not displayed leaves the ``reserve`` or the ``overflow`` and is booked as gross receipts."""
        told: dict[str, Json] = {"level": level, "held": held, "cents": cents, "why": why, "second": second}
        return self._change(id, who, jackpot, "remove-hidden", custody.remove_hidden, **told)

    def deposit_due(self, jackpot: str) -> DepositDue | None:
        """What waits for the bank, and until when; None where nothing does."""
        return deposit_due(self.ledger, self.jackpot(jackpot), self.calendar, self._clock())

    def deposit(self, id: str, who: str, jackpot: str, cents: int | None, reference: str) -> JackpotStanding:
        """The cage takes money to the jackpot's bank account, every whole cent that waits where no amount is given;
        ``reference`` is the bank's slip, which no other deposit of the jackpot has."""
        body: dict[str, Json] = {
            "do": "deposit",
            "who": who,
            "jackpot": jackpot,
            "cents": cents,
            "reference": reference,
        }
        chain, told = jackpot_chain(jackpot), slip_words(reference_told(reference, "deposit slip"))
        slip = plain_name(told)

        def decide(draft: Draft) -> Json:
            refuse_used(draft, chain, told)
            state = draft.jackpot(jackpot)
            amount = state.undeposited // CENT if cents is None else cents
            deposited = custody.deposit_money(state, amount, who=who, reference=reference)
            return jackpot_standing_entry(draft.at_jackpot(jackpot, deposited))

        return self._do(id, body, (chain, ROOM), decide, jackpot_standing, (UniqueKey(chain, slip),))

    def reimburse_cage(
        self, id: str, who: str, jackpot: str, cents: int | None, reference: str, *, second: str | None
    ) -> JackpotStanding:
        """The bank account pays the cage what it owes it, every whole cent where no amount is given; ``reference`` is
        the number of the transfer, which no other payment of the jackpot has."""
        body: dict[str, Json] = {
            "do": "reimburse-cage",
            "who": who,
            "jackpot": jackpot,
            "cents": cents,
            "reference": reference,
            "second": second,
        }
        chain, number = jackpot_chain(jackpot), reference_told(reference, "transfer")

        def decide(draft: Draft) -> Json:
            refuse_used_payment(draft, chain, PaidBy.TRANSFER, number)
            state = draft.jackpot(jackpot)
            amount = state.cage_advance // CENT if cents is None else cents
            paid_back = custody.reimburse_cage(state, amount, who=who, second=second, reference=reference)
            return jackpot_standing_entry(draft.at_jackpot(jackpot, paid_back))

        names = tuple(UniqueKey(chain, name) for name in payment_names(PaidBy.TRANSFER, number))
        return self._do(id, body, (chain, ROOM), decide, jackpot_standing, names)

    def _change(self, id: str, who: str, jackpot: str, do: str, act: Act, **told: Json) -> JackpotStanding:
        """What the command tells by name is what the act is given by name."""

        def decided(draft: Draft) -> Json:
            happened = act(draft.jackpot(jackpot), who=who, **told)
            given_up: list[Json] = [words for one in happened for words in given_up_words(one.payload)]
            entry = jackpot_standing_entry(draft.at_jackpot(jackpot, happened))
            return entry | ({"given_up": given_up} if given_up else {})

        body: dict[str, Json] = {"do": do, "who": who, "jackpot": jackpot, **told}
        return self._do(id, body, (jackpot_chain(jackpot),), decided, jackpot_standing)
