"""Settings of the property tests: the same cases in each run, and as many others as `ASK_USER_CASES` says."""

from __future__ import annotations

import os

from hypothesis import settings

CASES = os.environ.get("ASK_USER_CASES")
settings.register_profile("fixed", derandomize=True, database=None, deadline=None, max_examples=300)
settings.register_profile("more", database=None, deadline=None, max_examples=int(CASES or 1))
settings.load_profile("more" if CASES else "fixed")
