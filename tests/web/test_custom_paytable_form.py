"""The office's form of a table keeps a paytable that no user printed, and says that it is the operator's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.games import default_setup, read_setup
from cardroom.games.setup import FeatureSetup
from cardroom.ledger import open_ledger
from cardroom.paytables import PaytableSpec
from cardroom.service import CardRoom
from cardroom.web.pages.office.table_form import read_table_form, setup_values, unpriced_reason, wager_forms
from tests.cli.test_table_commands import PRIME

OWN = """
[wagers.pair-bonus]
limits = { min = "$1", max = "$5" }
table = { name = "Mild", basis = "to 1", lines = { trips = "20", other = "push" } }
"""


def test_a_form_keeps_the_operators_own_paytable(tmp_path: Path) -> None:
    text = PRIME.replace('table = "prime-9"\n', "") + OWN
    setup = read_setup(text)
    typed = setup_values(setup) | {"table": "own-1", "mode": "automatic", "money": "play"}
    with open_ledger(f"sqlite:///{tmp_path}/books.db") as ledger:
        filled = read_table_form(CardRoom(ledger), typed)
        assert not filled.faults
        assert filled.setup.wagers == setup.wagers
        assert "Mild" in filled.text
        form = next(wager_form for wager_form in wager_forms(typed) if wager_form.wager.slug == "pair-bonus")
        assert form.tables[-1].name == "Mild"
        assert unpriced_reason(filled, form.wager, form.tables[-1]) == "the operator's own, not from the sheet"
        printed = read_table_form(CardRoom(ledger), typed | {"paytable.pair-bonus": "PB 1+PB/LD 1"})
        assert printed.setup.wagers["pair-bonus"].custom_paytable is None
        forged = typed | {"own_table.pair-bonus": '{"name": "Mild", "basis": "to 1", "lines": [["trips", "5:3"]]}'}
        assert "cannot be paid 5 to 3" in str(read_table_form(CardRoom(ledger), forged).faults["pair-bonus"])
        with pytest.raises(BadInput, match="needs a name, a basis, and lines"):
            read_table_form(CardRoom(ledger), typed | {"own_table.pair-bonus": "[]"})


def test_a_form_keeps_the_operators_own_paytable_of_a_feature(tmp_path: Path) -> None:
    own = PaytableSpec("Our colors", "for 1", (("seven-cards-same-color", "$25"),))
    feature = FeatureSetup("color", own.name, 5_00, custom_paytable=own)
    setup = default_setup("texas-shootout")
    bonus = replace(setup.wagers["shootout-bonus"], feature=feature)
    setup = replace(setup, wagers={"shootout": setup.wagers["shootout"], "shootout-bonus": bonus})
    typed = setup_values(setup) | {"table": "own-2", "mode": "automatic", "money": "play"}
    with open_ledger(f"sqlite:///{tmp_path}/books.db") as ledger:
        filled = read_table_form(CardRoom(ledger), typed)
        assert not filled.faults
        assert filled.setup.wagers == setup.wagers
        form = next(form for form in wager_forms(typed) if form.wager.slug == "shootout-bonus")
        assert form.feature_tables[-1].name == own.name
        printed = read_table_form(CardRoom(ledger), typed | {"feature_paytable.shootout-bonus": "TS/CB 1"})
        assert printed.setup.wagers["shootout-bonus"].feature == FeatureSetup("color", "TS/CB 1", 5_00)
