"""A package says in ``counts.toml``, beside its pays, how often each event of its game happens."""

from __future__ import annotations

import pytest

from cardroom.conformance.counts import check, read
from cardroom.packages import GAMES, Announced, announced

PACKAGES = announced(GAMES)

if PACKAGES:

    @pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.slug)
    def test_each_event_comes_as_often_as_its_file_says(package: Announced) -> None:
        file = package.beside("counts.toml")
        assert file, f"{package.package} has no counts.toml beside its paytables.toml"
        sections = read(file, package.slug)
        assert sections
        for counted in sections:
            check(counted)
