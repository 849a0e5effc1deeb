"""The built site in a real browser, opened from a folder, without a server and without a network."""

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
    """A page that may load only files of the site."""
    with chromium() as browser:
        opened = browser.new_page(viewport={"width": 1280, "height": 800})
        external: list[str] = []
        faults: list[str] = []
        own = (f"{site.as_uri()}/", "data:")
        opened.on("request", lambda request: None if request.url.startswith(own) else external.append(request.url))
        opened.on("pageerror", lambda fault: faults.append(str(fault)))
        yield opened
        assert (external, faults) == ([], [])


def test_every_page_opens_without_a_network_and_never_scrolls_sideways(page: Page, site: Path) -> None:
    pages = sorted(path for path in site.rglob("*.html") if path.name != "404.html")  # which only a server needs
    assert len(pages) > 60
    page.set_viewport_size({"width": 360, "height": 640})
    for path in pages:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path.name
    fonts = page.evaluate("document.fonts.ready.then(fonts => [...fonts].map(font => font.family + ' ' + font.status))")
    assert {"Fraunces loaded", "Source Sans 3 loaded"} <= {font.replace('"', "") for font in fonts}


def test_the_search_finds_a_guide_in_a_site_that_was_opened_from_a_folder(page: Page, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    page.fill(".md-search__input", "tabulator")
    link = page.locator(".md-search-result__link").first
    link.wait_for()
    link.click()
    page.wait_for_url("**/*.html*h=tabulator*")
    assert "tabulator" in page.inner_text("article").lower()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "tutorial.html", "commands.html", "api/cards.html", "notebook.html"])
def test_a_page_meets_the_accessibility_rules(page: Page, site: Path, name: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto((site / name).as_uri())
    page.add_script_tag(path=FRONT / "node_modules" / "axe-core" / "axe.min.js")
    result = page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})")
    violations = [
        f"{violation['id']}: {violation['nodes'][0]['target']} {violation['nodes'][0]['failureSummary']}"
        for violation in result["violations"]
    ]
    assert not violations, "\n".join(violations)
