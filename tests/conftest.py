"""What all tests share: Hypothesis without time limits, for a test that depends on a machine's load shows nothing."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")
