"""The second bookkeeper and the winners: prizes are locked, paid, or refused and given back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from tests.crash.model_level import CENT
from tests.crash.model_room import SURVEILLANCE_OVER, Answer, Claim, ClaimRecord, Command, Jackpot, Room, allow
from tests.crash.printed_slips import DECKS, ENVY


class Claims(Room):
    """What is won."""

    def _claim_hand(self, command: Command) -> Answer:
        return self._claim(command)

    def _claim(self, command: Command) -> Answer:
        jackpot, table, of = self.jackpots[command["jackpot"]], command["table"], (command["table"], command["round"])
        allow(jackpot.is_available, "the jackpot cannot be won")
        counted = self._counted_places(jackpot, table, command["round"])
        dealt = self.tables[table].rounds[command["round"]].dealt
        earlier = jackpot.records_of(of)
        claimed = {won for one in earlier for won in one.won}
        claim, record = (
            Claim(command["id"], *of, command["who"], {}, {}, dealt),
            ClaimRecord(of, command["id"], set(), claimed_cards(command), {}, {}),
        )
        fixed: dict[tuple[int, int], int] = {}
        for seat, event in ((int(seat), event) for seat, event in command["hands"].items()):
            line = jackpot.lines[event] if command["wagered"] else 0
            allow(command["wagered"] or seat not in counted, "a wager was counted there")
            if isinstance(line, Fraction) and (seat, seat) not in claimed:
                level = self._paying(jackpot, event, command["wagered"])
                claim.winners.setdefault(level, {}).setdefault(event, []).append(seat)
            elif line and (seat, seat) not in claimed:
                is_dollars = jackpot.wager in ("jackpot", "bonus-jackpot") and event != "five-wild-cards"
                fixed[seat, seat] = line * command["wagered"] // 100 if is_dollars else line
            if jackpot.wager == "jackpot" and command["do"] == "claim-hand" and event in ENVY:
                envious = {other for other, staked in counted.items() if other != seat and staked == 2_00}
                fixed |= {(other, seat): ENVY[event] for other in envious if (other, seat) not in claimed}
        allow(fixed or claim.winners, "nobody has won, or it was claimed")
        on_meters = {seat for level in claim.winners.values() for seats in level.values() for seat in seats}
        alone = self._paid_alone(fixed, on_meters, earlier, of)
        at_once, claim.by_operator = by_seat(fixed, alone), by_seat(fixed, fixed.keys() - alone)
        allow(on_meters | {seat for seat, _ in fixed} <= set(counted), "no wager was counted there")
        self._agree(table, command["round"], record.cards, jackpot.wager)
        if at_once:
            jackpot.claim_records.append(
                ClaimRecord(of, None, alone, dict(record.cards), {}, at_once, made=command["id"])
            )
            self._post(f"prizes:{table}", f"chip-tray:{table}", CENT * sum(at_once.values()))
        waits = bool(claim.winners or claim.by_operator)
        was = {one.id: sum(jackpot.prizes(one).values()) for one in jackpot.claims}
        if waits:
            record.won = {(seat, seat) for seat in on_meters} | fixed.keys() - alone
            record.winners = claim.winners
            self._lock(jackpot, claim, earlier)
            jackpot.claim_records.append(record)
        now = {one.id: sum(jackpot.prizes(one).values()) for one in jackpot.claims}
        return {
            "paid": [{"seat": seat, "cents": prize} for seat, prize in sorted(at_once.items())],
            "pending": self._pending(jackpot, claim) if waits else [],
            "order": jackpot.order if waits else None,
            "revalued": {id: cents for id, cents in now.items() if was.get(id, cents) != cents},
            "summary": jackpot.answer(),
        }

    def _paid_alone(
        self, fixed: dict[tuple[int, int], int], on_meters: set[int], earlier: list[ClaimRecord], of: tuple[str, str]
    ) -> set[tuple[int, int]]:
        """What the dealer pays at once: all that a seat gets in a round counts together (BJ-28), on all jackpots
        (BJ-46), and a hand of which something waits makes all wait that it has won (BJ-45)."""
        sums: Counter[int] = Counter()
        for (seat, _), prize in fixed.items():
            sums[seat] += prize
        most = min(self.dealer_pays, SURVEILLANCE_OVER)
        places = self.tables[of[0]].rounds[of[1]].places
        paid = [one.at_once for jackpot in places for one in self.jackpots[jackpot].records_of(of)]
        before = Counter({seat: sum(one.get(seat, 0) for one in paid) for seat in sums})
        waiting = set(on_meters) | {hand for seat, hand in fixed if before[seat] + sums[seat] > most}
        waiting |= {hand for one in earlier if one.claim and not one.paid for _, hand in one.won}
        return {won for won in fixed if won[1] not in waiting}

    def _agree(self, table: str, round_id: str, cards: dict[str, list[str]], wager: str) -> None:
        """All that is shown of a round is the same round, and its cards are in the game."""
        known = {place: Counter(pile) for place, pile in cards.items()}
        for jackpot in self.tables[table].rounds[round_id].places:
            for one in self.jackpots[jackpot].records_of((table, round_id)):
                for place, pile in one.cards.items():
                    there, here = Counter(pile), known.get(place, Counter(pile))
                    allow(there <= here or here <= there, "the cards contradict what was told")
                    known[place] = there | here
        dealt = sum(known.values(), Counter[str]())
        allow(max(dealt.values()) <= DECKS[wager], "there are not so many of a card")

    def _counted_places(self, jackpot: Jackpot, table: str, round_id: str) -> dict[int, int]:
        """Where a wager on the jackpot was counted: only there it can be won (BJ-19)."""
        at = self.tables[table]
        allow(round_id in at.rounds, "the round was not counted")
        allow(round_id not in at.voided, "the round is void")
        return at.rounds[round_id].places.get(jackpot.id, {})

    def _pending(self, jackpot: Jackpot, claim: Claim) -> list[Answer]:
        return [{"seat": seat, "cents": prize} for seat, prize in jackpot.prizes(claim).items()]

    def _paying(self, jackpot: Jackpot, event: str, wagered: int) -> str:
        """The highest level that lists the event and takes the wager."""
        return next(
            level.name for level in jackpot.levels.values() if event in level.pays and wagered >= level.terms.minimum
        )

    def _lock(self, jackpot: Jackpot, claim: Claim, earlier: list[ClaimRecord]) -> None:
        owed, seed_owed = jackpot.owed, jackpot.seed_owed
        for name, winners in claim.winners.items():
            level = jackpot.levels[name]
            others = [one for one in earlier if name in one.winners]
            if not any(one.claim in level.paid for one in others):
                level.claim(claim.id, claim.of, winners)
                continue
            shown, shares = level.shown_for[claim.of], {}
            for event, seats in winners.items():
                all_of_them = [*seats, *(seat for one in others for seat in one.winners[name].get(event, ()))]
                shares[event] = {seat: level.share(event, all_of_them, seat, shown) for seat in all_of_them}
            level.claim_late(claim.id, claim.of, winners, shares)
        jackpot.order += 1
        jackpot.claims.append(claim)
        self._played_again(jackpot, owed, seed_owed)

    def _pay(self, command: Command) -> Answer:
        jackpot = self.jackpots[command["jackpot"]]
        claim = jackpot.claim(command["claim"])
        prizes = jackpot.prizes(claim)
        allow(command["who"] not in (claim.dealer, claim.dealt), "a second person verifies")
        allow(command["surveillance"] or max(prizes.values()) <= SURVEILLANCE_OVER, "the surveillance has to check")
        allow(not command["surveillance"] or command["checked_at"] == "now", "that was before the claim")
        allow({int(seat) for seat in command["paid"]} == set(prizes), "every winner is paid")
        allow(all(player.strip() for player, _, _ in command["paid"].values()), "nobody is paid")
        numbers = [f"{how} {number}" for _, how, number in command["paid"].values()]
        for name in claim.winners:
            if jackpot.is_progressive:
                others = [one for one in jackpot.claims if name in one.winners]
                place = jackpot.place(name, claim)
                before = [one for one in others if jackpot.place(name, one) < place]
                of_others = [one for one in before if one.of != claim.of or jackpot.place(name, one) >= 0]
                allow(not of_others, "an earlier claim is pending")
        off: Counter[int] = Counter()
        for name in claim.winners if jackpot.is_progressive else ():
            off.update(jackpot.levels[name].pending[claim.id])
        off_the_meters = CENT * sum(off.values())
        checks = {
            seat: CENT * prizes[int(seat)]
            for seat, (_, how, _) in command["paid"].items()
            if how != "cash" and off[int(seat)]
        }
        allow(not checks or sum(checks.values()) <= jackpot.escrow - jackpot.short, "a check that is not covered")
        jackpot.use(*numbers)
        for name in claim.winners:
            jackpot.levels[name].pay(claim.id)
        for seat, amount in checks.items():
            jackpot.move(" ".join(command["paid"][seat][1:]), -amount)
            jackpot.escrow -= amount
            self._debits[f"escrow:{jackpot.id}"] -= amount
        # Of a check, the house brings its part to the bank later; of cash, it pays its part at the table.
        by_check = sum(checks.values()) - CENT * sum(off[int(seat)] for seat in checks)
        server = CENT * sum(prizes.values()) - off_the_meters
        self._in_the_cage(jackpot, sum(checks.values()) - off_the_meters)
        self._post(f"prizes:{claim.table}", "house-cash:house", by_check)
        self._post(f"prizes:{claim.table}", f"chip-tray:{claim.table}", server - by_check)
        jackpot.claims.remove(claim)
        next(one for one in jackpot.claim_records if one.claim == claim.id).paid = True
        self._as_held(jackpot)
        record = [{"seat": seat, "cents": prize} for seat, prize in prizes.items()]
        names = {seat: " ".join(player.split()) for seat, (player, _, _) in command["paid"].items()}
        payouts = [{"seat": seat, "cents": prizes[seat], "player": names[str(seat)]} for seat in prizes]
        return {"claim": claim.id, "prizes": record, "payouts": payouts, "summary": jackpot.answer()}

    def _reverse_prizes(self, command: Command) -> Answer:
        """What a dealer paid at once counts as never claimed; chips that are lost the house bears (BJ-47)."""
        jackpot = self.jackpots[command["jackpot"]]
        one, other = (command[name].strip().casefold() for name in ("who", "second"))
        allow(one != other, "two people")
        (record,) = [one for one in jackpot.claim_records if one.made == command["claim"]] or [None]
        allow(record is not None, "nothing was paid at once, or it was taken back")
        assert record is not None
        jackpot.claim_records.remove(record)
        hands = {hand for _, hand in record.won}
        for still in jackpot.records_of(record.of):
            gone = tuple(f"seat {seat} " for seat in hands - {hand for _, hand in still.won})
            still.cards = {place: pile for place, pile in still.cards.items() if not place.startswith(gone)}
        if command["chips"] == "returned":
            table = record.of[0]
            self._post(f"chip-tray:{table}", f"prizes:{table}", CENT * sum(record.at_once.values()))
        prizes = [{"seat": seat, "cents": cents} for seat, cents in sorted(record.at_once.items())]
        return {"claim": command["claim"], "prizes": prizes, "summary": jackpot.answer()}

    def _refuse(self, command: Command) -> Answer:
        """All is as if what was refused had never been claimed; what came in since stays."""
        jackpot = self.jackpots[command["jackpot"]]
        claim = jackpot.claim(command["claim"])
        allow(command["who"] not in (claim.dealer, claim.dealt), "a second person decides")
        prizes = jackpot.prizes(claim)
        refused = set(prizes if command["seats"] is None else command["seats"])
        allow(refused and refused <= set(prizes), "no such seats")
        claim.by_operator = {seat: prize for seat, prize in claim.by_operator.items() if seat not in refused}
        owed, seed_owed = jackpot.owed, jackpot.seed_owed
        for name, winners in list(claim.winners.items()):
            jackpot.levels[name].refuse(claim.id, refused, jackpot.pending_on(name))
            left = {event: [seat for seat in seats if seat not in refused] for event, seats in winners.items()}
            claim.winners[name] = {event: seats for event, seats in left.items() if seats}
            if not claim.winners[name]:
                del claim.winners[name]
        self._played_again(jackpot, owed, seed_owed)
        (record,) = (one for one in jackpot.claim_records if one.claim == claim.id)
        record.won = {won for won in record.won if won[0] not in refused}
        gone = tuple(f"seat {seat} " for seat in refused)
        record.cards = {place: pile for place, pile in record.cards.items() if not place.startswith(gone)}
        if not claim.winners and not claim.by_operator:
            jackpot.claims.remove(claim)
            jackpot.claim_records.remove(record)
        answer = [{"seat": seat, "cents": prize} for seat, prize in prizes.items() if seat in refused]
        return {"claim": claim.id, "prizes": answer, "summary": jackpot.answer()}


def by_seat(fixed: dict[tuple[int, int], int], some: Iterable[tuple[int, int]]) -> dict[int, int]:
    """What seats get of some prizes together."""
    sums: dict[int, int] = {}
    for won in (one for one in fixed if one in set(some)):
        sums[won[0]] = sums.get(won[0], 0) + fixed[won]
    return sums


def claimed_cards(command: Command) -> dict[str, list[str]]:
    """The cards of a claim by their places, a player's own with the seat."""
    if command["do"] == "claim":
        return {place: list(pile) for place, pile in command["record"]["cards"].items()}
    own = ("hand", "fourth", "fifth", "war")
    return {
        f"seat {command['seat']} {place}" if place in own else place: text.split()
        for place, text in command["cards"].items()
    }
