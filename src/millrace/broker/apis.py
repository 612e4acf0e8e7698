"""Every API this broker serves, by key: what is not here is not advertised."""

from __future__ import annotations

from typing import Final

from millrace.broker import (
    api_00_produce,
    api_01_fetch,
    api_02_list_offsets,
    api_03_metadata,
    api_08_offset_commit,
    api_09_offset_fetch,
    api_10_find_coordinator,
    api_11_join_group,
    api_12_heartbeat,
    api_13_leave_group,
    api_14_sync_group,
    api_15_describe_groups,
    api_16_list_groups,
    api_18_api_versions,
    api_19_create_topics,
    api_20_delete_topics,
    api_23_offset_for_leader_epoch,
    api_42_delete_groups,
    api_47_offset_delete,
)
from millrace.broker.api import Api

APIS: Final[tuple[Api, ...]] = (
    api_00_produce.API,
    api_01_fetch.API,
    api_02_list_offsets.API,
    api_03_metadata.API,
    api_08_offset_commit.API,
    api_09_offset_fetch.API,
    api_10_find_coordinator.API,
    api_11_join_group.API,
    api_12_heartbeat.API,
    api_13_leave_group.API,
    api_14_sync_group.API,
    api_15_describe_groups.API,
    api_16_list_groups.API,
    api_18_api_versions.API,
    api_19_create_topics.API,
    api_20_delete_topics.API,
    api_23_offset_for_leader_epoch.API,
    api_42_delete_groups.API,
    api_47_offset_delete.API,
)
