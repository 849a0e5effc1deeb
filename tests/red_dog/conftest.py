"""Red Dog installed in a folder of its own, and the program run with it."""

from __future__ import annotations

import pytest

from tests.red_dog.installed import EXAMPLE, Installed, installed


@pytest.fixture(scope="session")
def red_dog(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return installed(EXAMPLE, tmp_path_factory.mktemp("site"))
