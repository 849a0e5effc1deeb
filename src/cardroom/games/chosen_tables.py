"""The paytables that a set-up chooses: printed ones by their name, or the operator's own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cardroom.faults import BadInput, quoted
from cardroom.games.setup import FeatureSetup, TableSetup, WagerSetup
from cardroom.games.spot import GameFacts
from cardroom.paytables import OwnTable, Paytable, own_paytable, paytable
from cardroom.paytables.custom import own_table


class NoPlaceForTable(BadInput):
    """A paytable for which a table has no wager."""


def chosen_table(facts: GameFacts, slug: str, setup: WagerSetup) -> Paytable:
    """The paytable of a wager, with the lines still open that its table leaves to the operator."""
    return _chosen(facts, slug, setup.paytable, setup.table, None)


def chosen_feature_table(facts: GameFacts, slug: str, setup: FeatureSetup, tables: str) -> Paytable:
    """The paytable of a feature that rides on a wager; ``tables`` is what its tables are called there."""
    return _chosen(facts, slug, setup.paytable, setup.table, tables)


def _chosen(facts: GameFacts, slug: str, name: str, own: OwnTable | None, feature: str | None) -> Paytable:
    if own is None:
        return paytable(facts.slug, slug, name, feature)
    if own.name != name:
        raise NoPlaceForTable(f"The wager names table {quoted(name)} and brings {quoted(own.name)}: name one of them.")
    return own_paytable(facts.slug, slug, own, feature)


def with_own_tables(setup: TableSetup, tables: Iterable[Paytable], facts: GameFacts) -> TableSetup:
    """A set-up with other paytables, that nobody printed, for some of its wagers. Their open lines are open again."""
    changed: set[tuple[str, str | None]] = set()
    for table in tables:
        if table.game != setup.game:
            raise NoPlaceForTable(f"The paytable {quoted(table.name)} is for {table.game}, not for {setup.game}.")
        if (table.wager, table.feature) in changed:
            raise NoPlaceForTable(f"Two paytables are for {table.wager}: a table has one, so give one of them.")
        changed.add((table.wager, table.feature))
        wager = setup.wagers.get(table.wager)
        if wager is None:
            raise NoPlaceForTable(
                f"The paytable {quoted(table.name)} is for {table.wager}, and the table does not offer that: it offers "
                f"{', '.join(setup.wagers)}."
            )
        setup = replace(setup, wagers={**setup.wagers, table.wager: _with_own(wager, table, facts)})
    return setup


def _with_own(wager: WagerSetup, table: Paytable, facts: GameFacts) -> WagerSetup:
    if table.feature is None:
        return replace(wager, paytable=table.name, table=own_table(table), bonuses={})
    kind = facts.wager(table.wager).feature(wager.feature.kind) if wager.feature else None
    if wager.feature is None or kind is None or kind.tables != table.feature:
        raise NoPlaceForTable(
            f"The paytable {quoted(table.name)} is for the feature {table.feature} of {table.wager}, and the table has "
            "none such: write a set-up with it."
        )
    own = replace(wager.feature, paytable=table.name, table=own_table(table), bonuses={})
    return replace(wager, feature=own)
