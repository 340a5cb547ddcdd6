"""The local page: set a position up, have it analysed, play against the computer.

``make_server`` makes the server, ``santase serve`` runs it. From below upwards:

``table``
    what stands on the page's table as a position, and back
``think``
    analyses and exact values, so many at a time
``opponent``
    games against the computer, whose state the page keeps, signed
``app``
    what is asked by HTTP, and who may ask
``server``
    the sockets: loopback only, and no patience with slow clients

The page itself, in ``page``, knows no rules of the game: what is legal, what a
position is worth and how a hand ends it asks here.
"""

from santase.web.server import make_server

__all__ = ["make_server"]
