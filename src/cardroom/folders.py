"""The folders of the current user, where each operating system has them: cache for files that the program can make
again, data for files that must not be lost, configuration for an administrator's settings, and state for what one run
leaves for the next, such as the session of a signed-in user.
"""

from __future__ import annotations

from typing import Final

from platformdirs import PlatformDirs

USER_FOLDERS: Final = PlatformDirs("cardroom", appauthor=False)
