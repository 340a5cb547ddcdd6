"""What holds for all tests."""

import os
import shutil
import signal
from collections.abc import Iterator
from typing import Any

import pytest

# whatever the locale: what is shown is compared with English, also that of commands which are started
os.environ["LANGUAGE"] = "en"
# a Python that is started finds the installed santase: not the folder of that name in a checkout,
# which has no compiled modules where the package was installed from it
os.environ["PYTHONSAFEPATH"] = "1"
# what a script starts in the background ignores Ctrl-C, and so does all that it starts; here it is tested
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium, driven by Selenium; a test that wants it is skipped where either is missing."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("there is no Chromium with its driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en"):
        options.add_argument(argument)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # root may have none
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=Service(driver))
    yield running
    running.quit()
