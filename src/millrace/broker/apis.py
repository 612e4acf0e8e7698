"""Every API this broker serves, by key: what is not here is not advertised."""

from __future__ import annotations

from typing import Final

from millrace.broker import (
    api_00_produce,
    api_01_fetch,
    api_02_list_offsets,
    api_03_metadata,
    api_18_api_versions,
    api_19_create_topics,
    api_20_delete_topics,
    api_23_offset_for_leader_epoch,
)
from millrace.broker.api import Api

APIS: Final[tuple[Api, ...]] = (
    api_00_produce.API,
    api_01_fetch.API,
    api_02_list_offsets.API,
    api_03_metadata.API,
    api_18_api_versions.API,
    api_19_create_topics.API,
    api_20_delete_topics.API,
    api_23_offset_for_leader_epoch.API,
)
