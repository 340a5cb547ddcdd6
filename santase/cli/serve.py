"""``santase serve``: the local page."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Annotated

import typer

from santase.language import _


def serve(
    port: Annotated[
        int, typer.Option(metavar="NUMBER", help="The port to listen on; 0 takes any that is free.")
    ] = 6624,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", show_default=False, help="Open the page in a browser.")
    ] = True,
) -> int:
    """A page on this machine: set positions up, have them analysed, play against the computer.

    It listens on this machine alone, and needs nothing from outside. Ctrl-C ends it.
    """
    import logging

    from santase.web import make_server
    from santase.web.key import kept_key

    # it would tell of every client that goes away
    logging.getLogger("waitress").setLevel(logging.ERROR)
    key, lasting = kept_key()
    server = make_server(port, key=key)
    print(_("The page is at {url}").format(url=server.url))
    print(_("Ctrl-C ends it."), flush=True)
    if not lasting:
        message = _("No key can be kept on this machine, so games end with the server.")
        print(f"santase: {message}", file=sys.stderr)
    if browser:
        _open_browser(server.url)
    with _terminate_as_interrupt():
        server.run()
    print(_("Ended."))
    return 0


@contextlib.contextmanager
def _terminate_as_interrupt() -> Iterator[None]:
    """SIGTERM ends the server as Ctrl-C does; only the main thread may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _open_browser(url: str) -> None:
    """Open the page, where there is a screen: a browser in the terminal would take it over."""
    if os.name == "posix" and sys.platform != "darwin":
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            return
    import webbrowser

    # some browsers' starters wait until they are closed
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
