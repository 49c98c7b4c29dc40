"""A headless Chromium that opens pages from disk, and what it complains of.

The tests are skipped where Debian's packages `chromium` and `chromium-driver` are missing; where CARTEADOR_BROWSER is
``required``, as in .ci/run, they fail instead.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NEEDED = {"chromium": "chromium", "chromedriver": "chromium-driver"}
"""Programs and the Debian packages that have them."""

DRAWN = "return document.documentElement.dataset.charts === 'drawn'"
SECONDS = 120


@dataclass
class Browser:
    """A running browser."""

    driver: Any

    def open(self, path: Path, *, width: int = 1280, dark: bool = False) -> None:
        """Open a page in a window of a width, for a reader who prefers light or dark, and wait for its charts."""
        from selenium.webdriver.support.wait import WebDriverWait

        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        theme = {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", theme)
        self.complaints()
        self.requests()
        self.driver.get(path.as_uri())
        WebDriverWait(self.driver, SECONDS).until(lambda driver: driver.execute_script(DRAWN))

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self.driver.execute_script(script, *arguments)

    def complaints(self) -> list[str]:
        """What the console has been told since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses that were asked for since it was last asked."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless Chromium with an empty profile."""
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if missing:
        reason = f"the browser tests need the Debian packages {' and '.join(missing)}"
        if os.environ.get("CARTEADOR_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
