"""How the rule sheets are read: the rulings for all games and for jackpots. Each game's own are in its ``text`` module.

Where a sheet is silent, contradicts itself, or lost a column, a numbered ruling decides. The text is that of
docs/rulings.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Ruling:
    """How one unclear place of a rule sheet is read."""

    number: str
    text: str


_RULING_NUMBER: Final = re.compile(r"^- \*\*([A-Z]+-\d+)\*\* ", re.MULTILINE)


def parse_rulings(text: str) -> tuple[Ruling, ...]:
    """Parse rulings from their text in the documentation.

    >>> parse_rulings("- **XY-1** The dealer\\n  wins ties.\\n- **XY-2** The dealer folds.")[0]
    Ruling(number='XY-1', text='The dealer wins ties.')
    """
    before, *parts = _RULING_NUMBER.split(text)
    assert not before.strip(), "a ruling begins with its number"
    return tuple(Ruling(number, " ".join(words.split())) for number, words in zip(parts[::2], parts[1::2], strict=True))


_CITATION: Final = re.compile(r" \([A-Z]{2,3}-\d+\)")


def strip_citations(text: str) -> tuple[str, ...]:
    """The lines of a text for players: without the numbers of rulings.

    >>> strip_citations("The ace is high (DD-1).")
    ('The ace is high.',)
    """
    return tuple(_CITATION.sub("", line) for line in text.strip().splitlines())


GENERAL_RULE: Final = (
    "Numbered rules of play go before notes, notes before summaries, a specific statement before a general one. A "
    "printed table is matched from its top line down and only the first line that matches pays. A blank cell "
    'means that the table has no such line, so the hand falls through to the next one that it meets. "To 1" pays '
    'the odds and gives the wager back; "for 1" pays the prize and keeps the wager. The ace plays high and low in '
    "straights, never round the corner."
)
"""The rule for a place without a ruling."""

GENERAL_RULINGS: Final = parse_rulings("""
- **GEN-1** The limit of five dollars is on a player's fourth wager, not on a spot of the layout. It is checked when
  wagers are made: of a player's four wagers, the smallest of those that are not required counts as the fourth. A
  table may offer every spot up to its own limit. Should a player ever be allowed more than four wagers, each beyond
  the third is limited so. A raise belongs to the wager that it follows.
- **GEN-3** A dollar amount that an operator sets on a "to 1" table wins like the odds beside it: the wager goes back
  with it.
- **GEN-4** When equal winners share a prize that does not divide evenly, the odd cents go to the first of them from
  the dealer's left.
- **GEN-5** An aggregate payout limit (WAC 230-15-490) covers what wagers win by odds in one deal, over the wagers
  themselves, where their paytable pays 50 to 1 or more. Jackpot wagers, prizes in dollars and wagers with shorter
  odds are other kinds of prizes: it neither counts nor reduces them. It is not below the largest wager at 50 to 1.
  Winners of one deal share it in proportion to what they would have won, in whole cents; odd cents as in GEN-4. A
  wager whose take or pay comes before the deal is over (Three Card Treasure) is counted first.
""")

JACKPOT_RULINGS: Final = parse_rulings("""
- **BJ-1** Milky Way: one sensor a position, seven positions. Andromeda-1: the same, and counts go to a data logger.
  Andromeda-3 (3c, 3d): six sensors a position, sixteen positions.
- **BJ-2** Approved models: Deuces Wild and Texas Shootout all; Three Card Prime Milky Way and Andromeda-3; Double
  Play Milky Way, 3c and 3d; Dueling for Dollars 3d or higher.
- **BJ-3** The tabulator sees whether a wager is there, never how much. A "for 1" wager is counted and then collected.
- **BJ-4** Only percentage prizes come off a meter. Equal winners of one percentage prize in one round share it.
- **BJ-5** A bonus jackpot does not grow with play; a progressive grows with every wager counted.
- **BJ-6** Jackpot wagers: one dollar in Three Card Prime and Double Play; one or two dollars in Texas Shootout; a
  fixed amount that the operator sets in Deuces Wild and in Dueling for Dollars, where the fixed prizes grow with it.
- **BJ-7** Tabulator broken: jackpot wagers stay on their spots and are counted by hand. Shuffler broken: the round is
  void and every wager goes back.
- **BJ-8** When one round wins several percentage lines of a meter, each pays its percentage of what the meter showed
  when the round began, in full; only equal winners of one line divide it. What the lines take together beyond the meter
  comes, like a reset, from the overflow, then from the reserve, then from the house.
""")

JACKPOT_SYSTEM_RULINGS: Final = parse_rulings("""
- **BJ-9** A hand is paid on one level only: the highest one that lists its event and takes its wager.
- **BJ-10** Tables of one game share a meter with one wager, one paytable and one location. Different games share one
  only with the same percentage events, the same shares and exactly the same probabilities.
- **BJ-11** A ceiling is above the reset value; one that is not would never let the meter grow.
- **BJ-12** A meter is reset when the lines won in a round take 100 percent of it together. The reset value is added
  to what is left: from the overflow, then from the reserve, then from the house. Only whole cents move.
- **BJ-13** Wagers that reach the jackpot late, as from a data logger, count even if it was closed or disabled since:
  they are the players' money.
- **BJ-14** Claims on one level are in the order in which they were made, and a later one waits for the earlier. A
  claim that is refused is as if it had never been made: later ones are valued again, what the reset took goes back
  where it came from, a change of rates that the reset brought into force waits again, and what came in since is
  counted by the rates that would have been in force; the difference comes from, or goes to, the house's gross
  receipts.
- **BJ-15** A bonus jackpot still shows its amount after a win, until the operator changes it.
- **BJ-16** A change of parameters waits for the next reset as a whole if players lose by any part of it: a lower rate
  or reset value, a higher reserve rate or minimum wager, a new or lower ceiling.
- **BJ-17** Seed money is recovered only from what a meter has grown above the value of its reset.
- **BJ-18** A void round is as if it had never been counted: what it put on a meter, and what of it was carried, is
  taken back as the correction of a malfunction, at the ceiling from the overflow first. What was paid to a winner since
  stays with the players. While a claim that was made after the round is pending, nothing comes off its level: the claim
  remembers the round. If the claim is refused the round comes off there, or is remembered by the next claim behind it
  if that was made before the round was declared void.
- **BJ-19** Only a wager that was counted can win: the round was counted at its table, and the winner's position was
  among those counted for the jackpot.
- **BJ-20** Where a jackpot wager is one of two amounts (Texas Shootout), a lammer means the larger: a sensor of its
  own sees it, or the dealer types it. The tabulator itself sees no amounts.
- **BJ-21** Where a light has failed, a lammer marks the counted wager before it is collected.
- **BJ-22** A counter that reads more than was recorded records the wagers that are missing. One that reads less is
  refused, because it never goes back.
- **BJ-23** A void round is a new entry that takes its counts back. Counter and lights stay as they are.
- **BJ-24** A picture frame is changed by hand, so it never shows the amount of a progressive; the LED line does.
- **BJ-25** At a table with a data logger counts come through the logger alone, so that none is counted twice.
- **BJ-26** Each winner of a round may be claimed alone. Claims of one round on one level are a group, at the place of
  its first claim, and are valued together on what the meter showed there, as if they had been claimed at once. A hand
  that wins for other players (Envy Bonus, Share the Wealth) does so with its own claim, for the seats whose wagers and
  lammers were counted, also where it has no wager itself; a player of whom only that is known has one hand.
- **BJ-27** Once one claim of a group is paid, what the group took off the level stands, and what the winners of the
  paid line get. As long as no winner of a line was paid all of them share it, as if they had been claimed at once,
  also those who come after another line was paid. One that is refused leaves its share to the others of such a line,
  else it gives its own money back to the level. One that comes after a payment is late: it gets the share that it
  would have had with all winners of its line, of what the meter showed for the group. What others of its line do not
  hold for it comes from the overflow, the reserve, then the house, never from the display, which the players of now
  play for; it waits for late ones before it, and if it is refused that money goes back there.
- **BJ-28** A dealer alone pays the fixed prizes of a seat in a round if they are no more than the room's limit
  together, and never what the surveillance has to check; the rest waits for a second person.
- **BJ-30** A gaming day ends when it is closed, and the line under it goes between events, whatever the clocks say.
  What happens after a close belongs to the next day that is opened. Until the first day is opened, and for what waits
  for the next one, the calendar of the room's setup names the days.
- **BJ-31** The hours for the report of a malfunction run from the moment at which it was found. Sending the report
  stops them; closing it ends the matter, also without sending, with a reason. The hours in force are written into the
  report.
- **BJ-32** A time that a person tells is that of the room's clocks. One that comes twice, when they are set back, is
  the first of the two; one that they leave out, when they are set forward, is refused; an offset from UTC says it
  exactly.
- **BJ-33** Since it counted last a table can have played as many rounds as the room's setup says for the hours that
  passed, one at least, each with a wager at every position. A counter that went on by more is believed if two people
  answer for it and say why; what one person read before counts with it, so that small steps lead no further. A count
  by hand is one round, which its positions bound already. A reading that was wrong is taken back by an entry of its
  own, by two people, as long as nothing was counted on top of it: its wagers go off the meters as those of a void
  round do (BJ-18). No prize depends on a reading, because it knows no round.
- **BJ-34** What a data logger's seals cannot prove is not guessed: behind a record that is damaged or missing, or
  whose round was counted already, its records wait until two people accept the gap. The counter is then read as it
  stood, which brings in the wagers that were lost, and the logger goes on behind it. It is unknown next to which of
  them a lammer was: they count for the smaller amount, and what is missing is corrected as a malfunction.
- **BJ-35** A unit has one number in the whole room and belongs to one table. Taken away it is free for another one;
  what its counter showed last, sensor by sensor, and how far its records were taken over, go with it.
- **BJ-36** A jackpot's wager at a table that plays for no jackpot with it is dark: no display offers it, and wagers on
  it are refused. Who was counted before the table left its jackpot, or was closed, still claims.
- **BJ-37** Two people answer for what one of them could take or give away: every adjustment, seed money put on a meter
  or recovered, a change of what the operator set, the removal of a jackpot. No adjustment lifts a meter above its
  ceiling.
- **BJ-38** A payout is recorded for each winner of a claim: the name, or that it was declined, the payment and its
  number. A number is used once for a jackpot and a kind of payment. Fixed prizes that the dealer pays at once have no
  such record. The surveillance's time is given in minutes, so the minute of the claim counts as after it.
- **BJ-39** A statement of the bank tells of its day up to midnight by the room's clocks; one of today tells of the
  moment at which it is entered. Statement + deposits in transit - payments outstanding is compared with the bank
  account by the books of that moment. Only deposits, checks, and transfers move that account: cash comes from the
  cage, a check is drawn in full and only when it is covered, and what the cage pays or gives back beyond what it has
  for the jackpot is owed to it, until wagers or a transfer repay it. What an earlier statement had, or was not said
  to lack, cannot be missing on a later one; the statement of one day may be entered again by two people with a
  reason, who also open a jackpot that was short.
- **BJ-40** The days for a deposit run from the gaming day on which the oldest money came in that still waits. The
  oldest goes to the bank first; what leaves the cage otherwise is the newest. Less than a cent never waits. Days are
  those of the calendar here: a gaming day that is left open stops no clock.
- **BJ-41** A promotion pays a hand once, whatever round it is said to be of. A hand is known by the game and the
  cards that make it: the seat's own and those of the table that are shared, each at its place, in whatever order.
  Burnt cards, other seats, the seat's number, the table, amounts, limits and the round's id may be given in many
  ways. Two seats of one round that several decks gave the same cards are two hands. Where the tabulator counts the
  promotion's wager, the round was counted, and a void round pays nothing.
- **BJ-42** A duel of one player is two cards, which do come again. The very same cards are paid a second time only
  when two people say why they are another round; the other games deal so many cards that this never happens.
- **BJ-43** Promotions that run on the same day have different names, blanks and capitals aside; their ids always
  differ. Dueling for Dollars takes a promotion with its owner's written consent only (rule sheet); no other sheet
  asks.
- **BJ-44** A removed jackpot, and one that a table left, is on no display of the table any more: an LED line without a
  jackpot is dark. A sign that a person changes, by hand or from afar, cannot follow a meter that grows; whatever else
  it has to say is named by the command that changes it, and by `jackpot show` while the jackpot is not open for play.
- **BJ-45** What depends on a hand waits with it: as long as a second person has to verify something that a hand has
  won, everything waits that it has won, also its fixed prizes and what it wins for other seats.
- **BJ-46** What a dealer may pay a seat alone is one limit for the round, over all jackpots of the table. A claim keeps
  what it counted from the other jackpots.
- **BJ-47** Prizes that a dealer paid at once on a wrong hand are taken back by two people, who say why: then they count
  as never claimed. Chips that come back reverse the entries; what is lost the house bears. A claim that a second
  person has verified and paid is not taken back.
- **BJ-48** A claim keeps who counted its round besides who claimed it. A second person is neither of the two, whether
  the claim is paid or refused; the surveillance is a third one besides the verifier. At a live table the dealer who
  began the round takes the place of the user who counted it, even if another one pressed the button.
- **BJ-49** A jackpot, a table and a promotion are of one money, the room's or play money, permanently, and only those
  of the same money are linked. Play money has no bank and wins nothing outside: no deposit, no statement, no check by
  the surveillance and no hours for a report are asked for. The room's sums and reports leave it out; wherever it is
  shown, it is said that it is play money.
- **BJ-50** What an automatic table has dealt it claims by itself, with the round as the proof, and no user does.
  Fixed prizes that a dealer could pay alone it pays with the round. For the rest two people verify, or refuse, what
  no dealer has seen; it goes to the balances of those who sat there. What it paid at once stands: no card was
  misread.
- **BJ-51** A jackpot that is disabled or closed while an automatic table plays a round for it: the wagers were counted,
  so what they win is claimed. Nothing of it is paid at once: all of it waits for two people, as they find the jackpot.
- **BJ-52** A promotion's prize at an automatic table is paid with the round, whatever it comes to, without what is no
  whole cent: no person types a hand. The books know the round, so the very same cards in another one are another
  hand.
- **BJ-53** A device that speaks over the network speaks for one table, and wagers come in through one device of it.
  What a unit's own counter shows beside a press must follow from what is known: a press that does not is not counted
  until the ones before it are, or people have read the counter (BJ-33). The clock of a tabulator is kept with what it
  sends and decides nothing; that of a data logger decides only how fast the table has played (BJ-54), and its records
  go by their numbers. A press is recorded under the dealer who deals at the table's console, else under the device. A
  dealer's name that a device sends is kept as what the device says: no person has done anything by it, and that person
  does not verify a claim of the round (BJ-48). The computer that is plugged in for a Milky Way's sign may be such a
  device.
- **BJ-54** A device is believed as far as its table can have played: each round takes up the table for its share of an
  hour (`rounds_an_hour` of the room), never before the round ahead of it; a table may be ten minutes ahead. A
  tabulator's press counts as of now, so that an idle table earns nothing. A data logger's record counts as of its own
  time, but never after now, never before the gaming day was opened that is open now (as of now where none is), never
  before the table was opened, and never more than 24 hours ago. Counters, numbers, and seals bring nothing here,
  because the holder of a token can compute them. More rounds are not counted. The device is on hold until two people
  accept a number of them, each of which then counts once when it is sent again, or refuse them, which withdraws the
  device. A device that is on hold for another reason sends its counter with every press. The same holds for people: a
  press by command takes up the table as a device's press does, and records that a person forwards from a data logger's
  file count as those that the logger sends. A press too many is refused, and two people enter what the counter shows
  (BJ-33); records too many wait until two people accept them. A count at a live table's console belongs to a round that
  was dealt there, and is not limited; nor is a count by hand, which takes a tabulator that was declared broken.
""")
"""The Bonus Jackpot System at work: these bear on no figure."""
