"""A package states in ``counts.toml``, beside its paytables, how often each event of its game happens."""

from __future__ import annotations

import pytest

from cardroom.plugins import GAME_GROUP, Plugin, installed_plugins
from cardroom_conformance.event_counts import check_counts, read_counts

PACKAGES = installed_plugins(GAME_GROUP)

if PACKAGES:

    @pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.slug)
    def test_each_event_is_as_frequent_as_the_file_of_counts_says(package: Plugin) -> None:
        file = package.find_file("counts.toml")
        assert file, f"{package.package} has no counts.toml beside its paytables.toml"
        sections = read_counts(file, package.slug)
        assert sections
        for section in sections:
            check_counts(section)
