"""The site as it is built, read in a real browser from a folder, without a server and without a network."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import FRONT, chromium

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder))
    subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True)
    return folder


@pytest.fixture
def page(site: Path) -> Iterator[Page]:
    """A reader's page, which may ask for files of the site and nothing else."""
    with chromium() as browser:
        opened = browser.new_page(viewport={"width": 1280, "height": 800})
        elsewhere: list[str] = []
        faults: list[str] = []
        inside = f"{site.as_uri()}/"
        opened.on("request", lambda one: None if one.url.startswith((inside, "data:")) else elsewhere.append(one.url))
        opened.on("pageerror", lambda fault: faults.append(str(fault)))
        yield opened
        assert (elsewhere, faults) == ([], [])


def test_every_page_opens_without_a_network_and_never_scrolls_sideways(page: Page, site: Path) -> None:
    pages = sorted(path for path in site.rglob("*.html") if path.name != "404.html")  # which only a server needs
    assert len(pages) > 60
    page.set_viewport_size({"width": 360, "height": 640})
    for path in pages:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path.name
    fonts = page.evaluate("document.fonts.ready.then(fonts => [...fonts].map(one => one.family + ' ' + one.status))")
    assert {"Fraunces loaded", "Source Sans 3 loaded"} <= {one.replace('"', "") for one in fonts}


def test_the_search_finds_a_guide_in_a_site_that_was_opened_from_a_folder(page: Page, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    page.fill(".md-search__input", "tabulator")
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    found.click()
    page.wait_for_url("**/*.html*h=tabulator*")
    assert "tabulator" in page.inner_text("article").lower()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "tutorial.html", "commands.html", "api/cards.html", "notebook.html"])
def test_a_page_can_be_read_by_everybody(page: Page, site: Path, name: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto((site / name).as_uri())
    page.add_script_tag(path=FRONT / "node_modules" / "axe-core" / "axe.min.js")
    result = page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})")
    told = [
        f"{one['id']}: {one['nodes'][0]['target']} {one['nodes'][0]['failureSummary']}" for one in result["violations"]
    ]
    assert not told, "\n".join(told)
