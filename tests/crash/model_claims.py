"""The second bookkeeper and the winners: prizes are locked, paid, or refused and given back."""

from __future__ import annotations

from fractions import Fraction

from tests.crash.model_level import CENT
from tests.crash.model_room import SURVEILLANCE_OVER, Answer, Claim, Deed, Jackpot, Room, allow


class Claims(Room):
    """What is won."""

    def _claim_hand(self, deed: Deed) -> Answer:
        return self._claim(deed)

    def _claim(self, deed: Deed) -> Answer:
        jackpot, table, key = self.jackpots[deed["jackpot"]], deed["table"], (deed["table"], deed["round"])
        allow(jackpot.is_available, "the jackpot cannot be won")
        allow(key not in jackpot.claimed, "the round was claimed")
        at_once: dict[int, int] = {}
        claim = Claim(deed["id"], table, deed["round"], deed["who"], {}, {})
        for seat, event in ((int(seat), event) for seat, event in deed["hands"].items()):
            line = jackpot.lines[event]
            if isinstance(line, Fraction):
                level = self._paying(jackpot, event, deed["wagered"])
                claim.winners.setdefault(level, {}).setdefault(event, []).append(seat)
            elif line:
                is_dollars = jackpot.wager in ("jackpot", "bonus-jackpot") and event != "five-wild-cards"
                prize = line * deed["wagered"] // 100 if is_dollars else line
                (at_once if prize <= SURVEILLANCE_OVER else claim.by_the_house)[seat] = prize
        waits = bool(claim.winners or claim.by_the_house)
        allow(at_once or waits, "nobody has won")
        if key in jackpot.paid_fixed:
            allow(waits, "these prizes were paid")
            at_once = {}
        counted = self._counted_places(jackpot, table, deed["round"])
        on_meters = {seat for level in claim.winners.values() for seats in level.values() for seat in seats}
        winners = on_meters | set(claim.by_the_house) | set(at_once)
        allow(winners <= counted, "no wager was counted there")
        if at_once:
            jackpot.paid_fixed.add(key)
            self._post(f"prizes:{table}", f"chip-tray:{table}", CENT * sum(at_once.values()))
        if waits:
            self._lock(jackpot, claim)
        return {
            "paid": [{"seat": seat, "cents": prize} for seat, prize in sorted(at_once.items())],
            "pending": self._pending(jackpot, claim) if waits else [],
            "order": jackpot.order if waits else None,
            "standing": jackpot.answer(),
        }

    def _counted_places(self, jackpot: Jackpot, table: str, round_id: str) -> set[int]:
        """Where a wager on the jackpot was counted: only there it can be won (BJ-19)."""
        at = self.tables[table]
        allow(round_id in at.rounds, "the round was not counted")
        allow(round_id not in at.voided, "the round is void")
        return set(at.rounds[round_id].places.get(jackpot.id, ()))

    def _pending(self, jackpot: Jackpot, claim: Claim) -> list[Answer]:
        return [{"seat": seat, "cents": prize} for seat, prize in jackpot.prizes(claim).items()]

    def _paying(self, jackpot: Jackpot, event: str, wagered: int) -> str:
        """The highest level that lists the event and takes the wager."""
        return next(
            level.name for level in jackpot.levels.values() if event in level.pays and wagered >= level.terms.minimum
        )

    def _lock(self, jackpot: Jackpot, claim: Claim) -> None:
        for name, winners in claim.winners.items():
            level = jackpot.levels[name]
            level.claimed.append(claim.id)
            if jackpot.is_progressive:
                before = level.held.seed_owed
                level.happen("won", claim.id, winners)
                self._fund(jackpot, level.held.seed_owed - before)
        jackpot.order += 1
        jackpot.claims.append(claim)
        jackpot.claimed.add((claim.table, claim.round))
        self._as_held(jackpot)

    def _pay(self, deed: Deed) -> Answer:
        jackpot = self.jackpots[deed["jackpot"]]
        claim = jackpot.claim(deed["claim"])
        prizes = jackpot.prizes(claim)
        allow(deed["who"] != claim.dealer, "a second person verifies")
        allow(deed["surveillance"] or max(prizes.values()) <= SURVEILLANCE_OVER, "the surveillance has to check")
        allow(not deed["surveillance"] or deed["checked_at"] == "now", "that was before the claim")
        allow({int(seat) for seat in deed["paid"]} == set(prizes), "every winner is paid")
        allow(all(player.strip() for player, _, _ in deed["paid"].values()), "nobody is paid")
        off_the_meters = 0
        numbers = [f"{how} {number}" for _, how, number in deed["paid"].values()]
        if jackpot.is_progressive:
            allow(all(jackpot.pending_on(name)[0] == claim.id for name in claim.winners), "an earlier claim is pending")
            jackpot.use(*numbers)
            for name in claim.winners:
                off_the_meters += CENT * sum(jackpot.levels[name].held.pending[claim.id].values())
                jackpot.levels[name].happen("paid", claim.id)
        else:
            jackpot.use(*numbers)
        bank = min(off_the_meters, jackpot.escrow)
        jackpot.escrow -= bank
        if bank and len(numbers) == 1:
            jackpot.move(numbers[0], -bank)
        jackpot.undeposited -= off_the_meters - bank
        self._debits[f"escrow:{jackpot.id}"] -= bank
        self._debits[f"undeposited:{jackpot.id}"] -= off_the_meters - bank
        house = CENT * sum(prizes.values()) - off_the_meters
        self._post(f"prizes:{claim.table}", f"chip-tray:{claim.table}", house)
        jackpot.claims.remove(claim)
        self._as_held(jackpot)
        told = [{"seat": seat, "cents": prize} for seat, prize in prizes.items()]
        names = {seat: " ".join(player.split()) for seat, (player, _, _) in deed["paid"].items()}
        payouts = [{"seat": seat, "cents": prizes[seat], "player": names[str(seat)]} for seat in prizes]
        return {"claim": claim.id, "prizes": told, "payouts": payouts, "standing": jackpot.answer()}

    def _refuse(self, deed: Deed) -> Answer:
        """All is as if what was refused had never been claimed; what came in since stays."""
        jackpot = self.jackpots[deed["jackpot"]]
        claim = jackpot.claim(deed["claim"])
        allow(deed["who"] != claim.dealer, "a second person decides")
        prizes = jackpot.prizes(claim)
        refused = set(prizes if deed["seats"] is None else deed["seats"])
        allow(refused and refused <= set(prizes), "no such seats")
        claim.by_the_house = {seat: prize for seat, prize in claim.by_the_house.items() if seat not in refused}
        owed = jackpot.owed
        for name, winners in list(claim.winners.items()):
            left = {event: [seat for seat in seats if seat not in refused] for event, seats in winners.items()}
            claim.winners[name] = {event: seats for event, seats in left.items() if seats}
            if jackpot.is_progressive:
                jackpot.levels[name].without(claim.id, claim.winners[name])
            if not claim.winners[name]:
                del claim.winners[name]
        self._fund(jackpot, jackpot.owed - owed)
        if not claim.winners and not claim.by_the_house:
            jackpot.claims.remove(claim)
            jackpot.claimed.remove((claim.table, claim.round))
            jackpot.refused.add(claim.id)
        self._as_held(jackpot)
        told = [{"seat": seat, "cents": prize} for seat, prize in prizes.items() if seat in refused]
        return {"claim": claim.id, "prizes": told, "standing": jackpot.answer()}
