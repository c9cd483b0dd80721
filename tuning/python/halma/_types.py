"""Types for annotations."""

from typing import Literal

Side = Literal["BLACK", "WHITE"]
Rules = Literal["addendum", "original"]
