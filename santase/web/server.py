"""The sockets: loopback only, bounded in everything, and no patience with slow clients.

waitress reads requests in one thread that never waits for a client, and hands
them to worker threads when they are complete. What it leaves open is closed
here: a request has a time in which to arrive, however busily its client
dribbles, and when there are too many connections the one that has waited
longest without a complete request makes room.
"""

from __future__ import annotations

import errno
import os
import select
import socket
import time
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer

from santase.errors import SantaseError
from santase.language import _
from santase.web.app import App
from santase.web.think import Thinking

HOST = "127.0.0.1"
DEFAULT_PORT = 6624
"""Sixty-six with 24 cards."""

MOST_BODY = 64 * 1024
"""Bytes; the record of the longest match takes a tenth of it."""
_MOST_HEADERS = 16 * 1024
_MOST_CONNECTIONS = 200
_ARRIVAL = 10.0  # seconds in which a request must have arrived
_IDLE = 60  # seconds that a connection may be silent between requests
_SPARE_THREADS = 6  # beside those that think


class _Channel(HTTPChannel):
    """A connection that knows since when its request has been coming in."""

    begun: float | None = None

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.begun = time.monotonic()
        taken = super().received(data)
        if self.request is None:
            self.begun = None
        return bool(taken)


class Server(TcpWSGIServer):
    """A server at ``url``; ``run`` serves until it is interrupted or ``stop`` is called."""

    channel_class = _Channel
    # of the base class, whose types are told wrong or not at all
    active_channels: Any
    effective_port: Any
    _map: Any

    def __init__(self, listening: socket.socket, app: App, thinking: Thinking) -> None:
        self.thinking = thinking
        self._ending = False
        settings = Adjustments(
            sockets=[listening],
            threads=thinking.most + _SPARE_THREADS,
            # where waitress would let new ones wait; it counts the listening socket and its trigger
            connection_limit=_MOST_CONNECTIONS + 10,
            max_request_body_size=MOST_BODY,
            max_request_header_size=_MOST_HEADERS,
            channel_timeout=_IDLE,
            cleanup_interval=1,
            # reads on while a request is answered, and so learns that its client has gone
            channel_request_lookahead=1,
            asyncore_use_poll=hasattr(select, "poll"),
            log_socket_errors=False,
            clear_untrusted_proxy_headers=True,
            ident="santase",
        )
        address = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(app, _sock=listening, adj=settings, sockinfo=address, bind_socket=False)

    @property
    def port(self) -> int:
        return int(self.effective_port)

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/"

    def handle_accept(self) -> None:
        if len(self.active_channels) >= _MOST_CONNECTIONS:
            waiting = [channel for channel in self.active_channels.values() if not channel.requests]
            if waiting:
                min(waiting, key=lambda channel: channel.last_activity).handle_close()
        super().handle_accept()

    def maintenance(self, now: Any) -> None:
        super().maintenance(now)
        latest = time.monotonic() - _ARRIVAL
        for channel in list(self.active_channels.values()):
            if channel.begun is not None and channel.begun < latest:
                channel.will_close = True

    def run(self) -> None:
        """Serve until ``stop`` or an interrupt; analyses in flight are then ended."""
        try:
            while not self._ending:
                self.asyncore.loop(1.0, self.adj.asyncore_use_poll, self._map, count=1)
        except (KeyboardInterrupt, SystemExit):
            pass
        finally:
            self.close()

    def stop(self) -> None:
        """Have ``run`` end, from another thread."""
        self._ending = True
        self.pull_trigger()

    def close(self) -> None:
        """Stop thinking, and close every connection."""
        self.thinking.stop()
        self.task_dispatcher.shutdown(timeout=2)
        for channel in list(self.active_channels.values()):
            channel.handle_close()
        super().close()


def make_server(port: int = DEFAULT_PORT, *, key: bytes | None = None, most: int | None = None) -> Server:
    """A server that listens on ``127.0.0.1``, and nowhere else; ``port=0`` takes a free one.

    ``key`` signs the games of the page, which end with it; by default one that
    is thrown away with the server. The texts are in the language of the context.

    Raises ``SantaseError`` for a number that is no port, ``OSError`` with a clear
    message where the port is taken.
    """
    if not isinstance(port, int) or isinstance(port, bool) or not 0 <= port <= 65535:
        raise SantaseError(_("a port is a number from 0 to 65535, not {port}").format(port=repr(port)))
    thinking = Thinking(most)
    listening = _listen(port)
    app = App(listening.getsockname()[1], thinking, os.urandom(32) if key is None else key)
    return Server(listening, app, thinking)


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        exclusive: Any = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
        if exclusive is not None:  # Windows would let two servers share the port
            listening.setsockopt(socket.SOL_SOCKET, exclusive, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(1024)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            message = _("port {port} is taken; --port gives another, --port 0 any that is free")
        elif error.errno == errno.EACCES:
            message = _("port {port} is not for everyone; --port gives another, --port 0 any that is free")
        else:
            raise
        raise OSError(message.format(port=port)) from None
    return listening
