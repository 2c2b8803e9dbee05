"""The library: knowledge, skills, instructions and rules as read from their folders, as one value.

A change makes a new library; what did not change is taken over from the one before. Running turns
keep the library they began with. `listing` says which files there are, `making` makes items of
them, `reading` joins both, `catalogue` keeps what was read for the next start.
"""

from glossator.app.library.reading import read_library
from glossator.app.library.shelf import Kind, Shelf
from glossator.app.library.value import Library

__all__ = ["Kind", "Library", "Shelf", "read_library"]
