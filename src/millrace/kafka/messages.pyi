# Written by `python -m tools.write_stubs` from the declarations; do not edit.
# ruff: noqa: A002  # fields have Kafka's names

from typing import Any

from millrace.schema.classes import Body, Part
from millrace.schema.compile import decode as decode
from millrace.schema.compile import decoder as decoder
from millrace.schema.compile import encode as encode
from millrace.schema.compile import encoder as encoder
from millrace.schema.compile import source_of as source_of
from millrace.schema.wire import skip_tags as skip_tags

API_KEYS: tuple[int, ...]

def request_type(key: int) -> type[Body]: ...
def response_type(key: int) -> type[Body]: ...
def api_name(key: int) -> str: ...
def versions(key: int) -> tuple[int, int]: ...
def stable_versions(key: int) -> tuple[int, int]: ...
def listeners(key: int) -> tuple[str, ...]: ...
def header_version(key: int, version: int, *, response: bool = False) -> int: ...

class AddOffsetsToTxnRequest(Body):
    transactional_id: str
    producer_id: int
    producer_epoch: int
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AddOffsetsToTxnResponse(Body):
    throttle_time_ms: int
    error_code: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AddPartitionsToTxnRequest(Body):
    class AddPartitionsToTxnTopic(Part):
        name: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AddPartitionsToTxnTransaction(Part):
        transactional_id: str
        producer_id: int
        producer_epoch: int
        verify_only: bool
        topics: list[AddPartitionsToTxnRequest.AddPartitionsToTxnTopic]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            transactional_id: str = "",
            producer_id: int = 0,
            producer_epoch: int = 0,
            verify_only: bool = False,
            topics: list[AddPartitionsToTxnRequest.AddPartitionsToTxnTopic] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    transactions: list[AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction]
    v3_and_below_transactional_id: str
    v3_and_below_producer_id: int
    v3_and_below_producer_epoch: int
    v3_and_below_topics: list[AddPartitionsToTxnRequest.AddPartitionsToTxnTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        transactions: list[AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction] = ...,
        v3_and_below_transactional_id: str = "",
        v3_and_below_producer_id: int = 0,
        v3_and_below_producer_epoch: int = 0,
        v3_and_below_topics: list[AddPartitionsToTxnRequest.AddPartitionsToTxnTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AddPartitionsToTxnResponse(Body):
    class AddPartitionsToTxnPartitionResult(Part):
        partition_index: int
        partition_error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            partition_error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AddPartitionsToTxnTopicResult(Part):
        name: str
        results_by_partition: list[AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            results_by_partition: list[AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AddPartitionsToTxnResult(Part):
        transactional_id: str
        topic_results: list[AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            transactional_id: str = "",
            topic_results: list[AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    results_by_transaction: list[AddPartitionsToTxnResponse.AddPartitionsToTxnResult]
    results_by_topic_v3_and_below: list[AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results_by_transaction: list[AddPartitionsToTxnResponse.AddPartitionsToTxnResult] = ...,
        results_by_topic_v3_and_below: list[AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AddRaftVoterRequest(Body):
    class Listener(Part):
        name: str
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    cluster_id: str | None
    timeout_ms: int
    voter_id: int
    voter_directory_id: bytes
    listeners: list[AddRaftVoterRequest.Listener]
    ack_when_committed: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str | None = "",
        timeout_ms: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = ...,
        listeners: list[AddRaftVoterRequest.Listener] = ...,
        ack_when_committed: bool = True,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AddRaftVoterResponse(Body):
    throttle_time_ms: int
    error_code: int
    error_message: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AllocateProducerIdsRequest(Body):
    broker_id: int
    broker_epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AllocateProducerIdsResponse(Body):
    throttle_time_ms: int
    error_code: int
    producer_id_start: int
    producer_id_len: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id_start: int = 0,
        producer_id_len: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterClientQuotasRequest(Body):
    class EntityData(Part):
        entity_type: str
        entity_name: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            entity_type: str = "",
            entity_name: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OpData(Part):
        key: str
        value: float
        remove: bool
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            key: str = "",
            value: float = 0.0,
            remove: bool = False,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class EntryData(Part):
        entity: list[AlterClientQuotasRequest.EntityData]
        ops: list[AlterClientQuotasRequest.OpData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            entity: list[AlterClientQuotasRequest.EntityData] = ...,
            ops: list[AlterClientQuotasRequest.OpData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    entries: list[AlterClientQuotasRequest.EntryData]
    validate_only: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        entries: list[AlterClientQuotasRequest.EntryData] = ...,
        validate_only: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterClientQuotasResponse(Body):
    class EntityData(Part):
        entity_type: str
        entity_name: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            entity_type: str = "",
            entity_name: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class EntryData(Part):
        error_code: int
        error_message: str | None
        entity: list[AlterClientQuotasResponse.EntityData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = "",
            entity: list[AlterClientQuotasResponse.EntityData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    entries: list[AlterClientQuotasResponse.EntryData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        entries: list[AlterClientQuotasResponse.EntryData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterConfigsRequest(Body):
    class AlterableConfig(Part):
        name: str
        value: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            value: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AlterConfigsResource(Part):
        resource_type: int
        resource_name: str
        configs: list[AlterConfigsRequest.AlterableConfig]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            resource_type: int = 0,
            resource_name: str = "",
            configs: list[AlterConfigsRequest.AlterableConfig] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    resources: list[AlterConfigsRequest.AlterConfigsResource]
    validate_only: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        resources: list[AlterConfigsRequest.AlterConfigsResource] = ...,
        validate_only: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterConfigsResponse(Body):
    class AlterConfigsResourceResponse(Part):
        error_code: int
        error_message: str | None
        resource_type: int
        resource_name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = "",
            resource_type: int = 0,
            resource_name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    responses: list[AlterConfigsResponse.AlterConfigsResourceResponse]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        responses: list[AlterConfigsResponse.AlterConfigsResourceResponse] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterPartitionReassignmentsRequest(Body):
    class ReassignablePartition(Part):
        partition_index: int
        replicas: list[int] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            replicas: list[int] | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ReassignableTopic(Part):
        name: str
        partitions: list[AlterPartitionReassignmentsRequest.ReassignablePartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[AlterPartitionReassignmentsRequest.ReassignablePartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    timeout_ms: int
    allow_replication_factor_change: bool
    topics: list[AlterPartitionReassignmentsRequest.ReassignableTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        timeout_ms: int = 60000,
        allow_replication_factor_change: bool = True,
        topics: list[AlterPartitionReassignmentsRequest.ReassignableTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterPartitionReassignmentsResponse(Body):
    class ReassignablePartitionResponse(Part):
        partition_index: int
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            error_message: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ReassignableTopicResponse(Part):
        name: str
        partitions: list[AlterPartitionReassignmentsResponse.ReassignablePartitionResponse]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[AlterPartitionReassignmentsResponse.ReassignablePartitionResponse] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    allow_replication_factor_change: bool
    error_code: int
    error_message: str | None
    responses: list[AlterPartitionReassignmentsResponse.ReassignableTopicResponse]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        allow_replication_factor_change: bool = True,
        error_code: int = 0,
        error_message: str | None = "",
        responses: list[AlterPartitionReassignmentsResponse.ReassignableTopicResponse] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterPartitionRequest(Body):
    class BrokerState(Part):
        broker_id: int
        broker_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            broker_id: int = 0,
            broker_epoch: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionData(Part):
        partition_index: int
        leader_epoch: int
        new_isr: list[int]
        new_isr_with_epochs: list[AlterPartitionRequest.BrokerState]
        leader_recovery_state: int
        partition_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            leader_epoch: int = 0,
            new_isr: list[int] = ...,
            new_isr_with_epochs: list[AlterPartitionRequest.BrokerState] = ...,
            leader_recovery_state: int = 0,
            partition_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_id: bytes
        partitions: list[AlterPartitionRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[AlterPartitionRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    broker_id: int
    broker_epoch: int
    topics: list[AlterPartitionRequest.TopicData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        topics: list[AlterPartitionRequest.TopicData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterPartitionResponse(Body):
    class PartitionData(Part):
        partition_index: int
        error_code: int
        leader_id: int
        leader_epoch: int
        isr: list[int]
        leader_recovery_state: int
        partition_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            leader_id: int = 0,
            leader_epoch: int = 0,
            isr: list[int] = ...,
            leader_recovery_state: int = 0,
            partition_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_id: bytes
        partitions: list[AlterPartitionResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[AlterPartitionResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    topics: list[AlterPartitionResponse.TopicData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[AlterPartitionResponse.TopicData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterReplicaLogDirsRequest(Body):
    class AlterReplicaLogDirTopic(Part):
        name: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AlterReplicaLogDir(Part):
        path: str
        topics: list[AlterReplicaLogDirsRequest.AlterReplicaLogDirTopic]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            path: str = "",
            topics: list[AlterReplicaLogDirsRequest.AlterReplicaLogDirTopic] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    dirs: list[AlterReplicaLogDirsRequest.AlterReplicaLogDir]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        dirs: list[AlterReplicaLogDirsRequest.AlterReplicaLogDir] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterReplicaLogDirsResponse(Body):
    class AlterReplicaLogDirPartitionResult(Part):
        partition_index: int
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AlterReplicaLogDirTopicResult(Part):
        topic_name: str
        partitions: list[AlterReplicaLogDirsResponse.AlterReplicaLogDirPartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[AlterReplicaLogDirsResponse.AlterReplicaLogDirPartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    results: list[AlterReplicaLogDirsResponse.AlterReplicaLogDirTopicResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[AlterReplicaLogDirsResponse.AlterReplicaLogDirTopicResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterShareGroupOffsetsRequest(Body):
    class AlterShareGroupOffsetsRequestPartition(Part):
        partition_index: int
        start_offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            start_offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AlterShareGroupOffsetsRequestTopic(Part):
        topic_name: str
        partitions: list[AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterShareGroupOffsetsResponse(Body):
    class AlterShareGroupOffsetsResponsePartition(Part):
        partition_index: int
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AlterShareGroupOffsetsResponseTopic(Part):
        topic_name: str
        topic_id: bytes
        partitions: list[AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponsePartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            topic_id: bytes = ...,
            partitions: list[AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponsePartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    responses: list[AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponseTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        responses: list[AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponseTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterUserScramCredentialsRequest(Body):
    class ScramCredentialDeletion(Part):
        name: str
        mechanism: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            mechanism: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ScramCredentialUpsertion(Part):
        name: str
        mechanism: int
        iterations: int
        salt: bytes
        salted_password: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            mechanism: int = 0,
            iterations: int = 0,
            salt: bytes = b"",
            salted_password: bytes = b"",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    deletions: list[AlterUserScramCredentialsRequest.ScramCredentialDeletion]
    upsertions: list[AlterUserScramCredentialsRequest.ScramCredentialUpsertion]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        deletions: list[AlterUserScramCredentialsRequest.ScramCredentialDeletion] = ...,
        upsertions: list[AlterUserScramCredentialsRequest.ScramCredentialUpsertion] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AlterUserScramCredentialsResponse(Body):
    class AlterUserScramCredentialsResult(Part):
        user: str
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            user: str = "",
            error_code: int = 0,
            error_message: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    results: list[AlterUserScramCredentialsResponse.AlterUserScramCredentialsResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[AlterUserScramCredentialsResponse.AlterUserScramCredentialsResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ApiVersionsRequest(Body):
    client_software_name: str
    client_software_version: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        client_software_name: str = "",
        client_software_version: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ApiVersionsResponse(Body):
    class ApiVersion(Part):
        api_key: int
        min_version: int
        max_version: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            api_key: int = 0,
            min_version: int = 0,
            max_version: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class SupportedFeatureKey(Part):
        name: str
        min_version: int
        max_version: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            min_version: int = 0,
            max_version: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class FinalizedFeatureKey(Part):
        name: str
        max_version_level: int
        min_version_level: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            max_version_level: int = 0,
            min_version_level: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    error_code: int
    api_keys: list[ApiVersionsResponse.ApiVersion]
    throttle_time_ms: int
    supported_features: list[ApiVersionsResponse.SupportedFeatureKey]
    finalized_features_epoch: int
    finalized_features: list[ApiVersionsResponse.FinalizedFeatureKey]
    zk_migration_ready: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        api_keys: list[ApiVersionsResponse.ApiVersion] = ...,
        throttle_time_ms: int = 0,
        supported_features: list[ApiVersionsResponse.SupportedFeatureKey] = ...,
        finalized_features_epoch: int = -1,
        finalized_features: list[ApiVersionsResponse.FinalizedFeatureKey] = ...,
        zk_migration_ready: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AssignReplicasToDirsRequest(Body):
    class PartitionData(Part):
        partition_index: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_id: bytes
        partitions: list[AssignReplicasToDirsRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[AssignReplicasToDirsRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DirectoryData(Part):
        id: bytes
        topics: list[AssignReplicasToDirsRequest.TopicData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            id: bytes = ...,
            topics: list[AssignReplicasToDirsRequest.TopicData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    broker_id: int
    broker_epoch: int
    directories: list[AssignReplicasToDirsRequest.DirectoryData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        directories: list[AssignReplicasToDirsRequest.DirectoryData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AssignReplicasToDirsResponse(Body):
    class PartitionData(Part):
        partition_index: int
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_id: bytes
        partitions: list[AssignReplicasToDirsResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[AssignReplicasToDirsResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DirectoryData(Part):
        id: bytes
        topics: list[AssignReplicasToDirsResponse.TopicData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            id: bytes = ...,
            topics: list[AssignReplicasToDirsResponse.TopicData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    directories: list[AssignReplicasToDirsResponse.DirectoryData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        directories: list[AssignReplicasToDirsResponse.DirectoryData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class BeginQuorumEpochRequest(Body):
    class PartitionData(Part):
        partition_index: int
        voter_directory_id: bytes
        leader_id: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            voter_directory_id: bytes = ...,
            leader_id: int = 0,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_name: str
        partitions: list[BeginQuorumEpochRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[BeginQuorumEpochRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class LeaderEndpoint(Part):
        name: str
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    cluster_id: str | None
    voter_id: int
    topics: list[BeginQuorumEpochRequest.TopicData]
    leader_endpoints: list[BeginQuorumEpochRequest.LeaderEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        voter_id: int = -1,
        topics: list[BeginQuorumEpochRequest.TopicData] = ...,
        leader_endpoints: list[BeginQuorumEpochRequest.LeaderEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class BeginQuorumEpochResponse(Body):
    class PartitionData(Part):
        partition_index: int
        error_code: int
        leader_id: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            leader_id: int = 0,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_name: str
        partitions: list[BeginQuorumEpochResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[BeginQuorumEpochResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class NodeEndpoint(Part):
        node_id: int
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    error_code: int
    topics: list[BeginQuorumEpochResponse.TopicData]
    node_endpoints: list[BeginQuorumEpochResponse.NodeEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        topics: list[BeginQuorumEpochResponse.TopicData] = ...,
        node_endpoints: list[BeginQuorumEpochResponse.NodeEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class BrokerHeartbeatRequest(Body):
    broker_id: int
    broker_epoch: int
    current_metadata_offset: int
    want_fence: bool
    want_shut_down: bool
    offline_log_dirs: list[bytes]
    cordoned_log_dirs: list[bytes] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        current_metadata_offset: int = 0,
        want_fence: bool = False,
        want_shut_down: bool = False,
        offline_log_dirs: list[bytes] = ...,
        cordoned_log_dirs: list[bytes] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class BrokerHeartbeatResponse(Body):
    throttle_time_ms: int
    error_code: int
    is_caught_up: bool
    is_fenced: bool
    should_shut_down: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        is_caught_up: bool = False,
        is_fenced: bool = True,
        should_shut_down: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class BrokerRegistrationRequest(Body):
    class Listener(Part):
        name: str
        host: str
        port: int
        security_protocol: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            host: str = "",
            port: int = 0,
            security_protocol: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Feature(Part):
        name: str
        min_supported_version: int
        max_supported_version: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            min_supported_version: int = 0,
            max_supported_version: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    broker_id: int
    cluster_id: str
    incarnation_id: bytes
    listeners: list[BrokerRegistrationRequest.Listener]
    features: list[BrokerRegistrationRequest.Feature]
    rack: str | None
    is_migrating_zk_broker: bool
    log_dirs: list[bytes]
    previous_broker_epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        cluster_id: str = "",
        incarnation_id: bytes = ...,
        listeners: list[BrokerRegistrationRequest.Listener] = ...,
        features: list[BrokerRegistrationRequest.Feature] = ...,
        rack: str | None = "",
        is_migrating_zk_broker: bool = False,
        log_dirs: list[bytes] = ...,
        previous_broker_epoch: int = -1,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class BrokerRegistrationResponse(Body):
    throttle_time_ms: int
    error_code: int
    broker_epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        broker_epoch: int = -1,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupDescribeRequest(Body):
    group_ids: list[str]
    include_authorized_operations: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_ids: list[str] = ...,
        include_authorized_operations: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupDescribeResponse(Body):
    class TopicPartitions(Part):
        topic_id: bytes
        topic_name: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            topic_name: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Assignment(Part):
        topic_partitions: list[ConsumerGroupDescribeResponse.TopicPartitions]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_partitions: list[ConsumerGroupDescribeResponse.TopicPartitions] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Member(Part):
        member_id: str
        instance_id: str | None
        rack_id: str | None
        member_epoch: int
        client_id: str
        client_host: str
        subscribed_topic_names: list[str]
        subscribed_topic_regex: str | None
        assignment: ConsumerGroupDescribeResponse.Assignment
        target_assignment: ConsumerGroupDescribeResponse.Assignment
        member_type: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            instance_id: str | None = None,
            rack_id: str | None = None,
            member_epoch: int = 0,
            client_id: str = "",
            client_host: str = "",
            subscribed_topic_names: list[str] = ...,
            subscribed_topic_regex: str | None = None,
            assignment: ConsumerGroupDescribeResponse.Assignment = ...,
            target_assignment: ConsumerGroupDescribeResponse.Assignment = ...,
            member_type: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribedGroup(Part):
        error_code: int
        error_message: str | None
        group_id: str
        group_state: str
        group_epoch: int
        assignment_epoch: int
        assignor_name: str
        members: list[ConsumerGroupDescribeResponse.Member]
        authorized_operations: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = None,
            group_id: str = "",
            group_state: str = "",
            group_epoch: int = 0,
            assignment_epoch: int = 0,
            assignor_name: str = "",
            members: list[ConsumerGroupDescribeResponse.Member] = ...,
            authorized_operations: int = -2147483648,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    groups: list[ConsumerGroupDescribeResponse.DescribedGroup]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        groups: list[ConsumerGroupDescribeResponse.DescribedGroup] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupHeartbeatRequest(Body):
    class TopicPartitions(Part):
        topic_id: bytes
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    member_id: str
    member_epoch: int
    instance_id: str | None
    rack_id: str | None
    rebalance_timeout_ms: int
    subscribed_topic_names: list[str] | None
    subscribed_topic_regex: str | None
    server_assignor: str | None
    topic_partitions: list[ConsumerGroupHeartbeatRequest.TopicPartitions] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        subscribed_topic_names: list[str] | None = None,
        subscribed_topic_regex: str | None = None,
        server_assignor: str | None = None,
        topic_partitions: list[ConsumerGroupHeartbeatRequest.TopicPartitions] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupHeartbeatResponse(Body):
    class TopicPartitions(Part):
        topic_id: bytes
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Assignment(Part):
        topic_partitions: list[ConsumerGroupHeartbeatResponse.TopicPartitions]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_partitions: list[ConsumerGroupHeartbeatResponse.TopicPartitions] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    member_id: str | None
    member_epoch: int
    heartbeat_interval_ms: int
    assignment: ConsumerGroupHeartbeatResponse.Assignment | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str | None = None,
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        assignment: ConsumerGroupHeartbeatResponse.Assignment | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ControllerRegistrationRequest(Body):
    class Listener(Part):
        name: str
        host: str
        port: int
        security_protocol: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            host: str = "",
            port: int = 0,
            security_protocol: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Feature(Part):
        name: str
        min_supported_version: int
        max_supported_version: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            min_supported_version: int = 0,
            max_supported_version: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    controller_id: int
    incarnation_id: bytes
    zk_migration_ready: bool
    listeners: list[ControllerRegistrationRequest.Listener]
    features: list[ControllerRegistrationRequest.Feature]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        controller_id: int = 0,
        incarnation_id: bytes = ...,
        zk_migration_ready: bool = False,
        listeners: list[ControllerRegistrationRequest.Listener] = ...,
        features: list[ControllerRegistrationRequest.Feature] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ControllerRegistrationResponse(Body):
    throttle_time_ms: int
    error_code: int
    error_message: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class CreateAclsRequest(Body):
    class AclCreation(Part):
        resource_type: int
        resource_name: str
        resource_pattern_type: int
        principal: str
        host: str
        operation: int
        permission_type: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            resource_type: int = 0,
            resource_name: str = "",
            resource_pattern_type: int = 3,
            principal: str = "",
            host: str = "",
            operation: int = 0,
            permission_type: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    creations: list[CreateAclsRequest.AclCreation]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        creations: list[CreateAclsRequest.AclCreation] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class CreateAclsResponse(Body):
    class AclCreationResult(Part):
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    results: list[CreateAclsResponse.AclCreationResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[CreateAclsResponse.AclCreationResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class CreateDelegationTokenRequest(Body):
    class CreatableRenewers(Part):
        principal_type: str
        principal_name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            principal_type: str = "",
            principal_name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    owner_principal_type: str | None
    owner_principal_name: str | None
    renewers: list[CreateDelegationTokenRequest.CreatableRenewers]
    max_lifetime_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        owner_principal_type: str | None = "",
        owner_principal_name: str | None = "",
        renewers: list[CreateDelegationTokenRequest.CreatableRenewers] = ...,
        max_lifetime_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class CreateDelegationTokenResponse(Body):
    error_code: int
    principal_type: str
    principal_name: str
    token_requester_principal_type: str
    token_requester_principal_name: str
    issue_timestamp_ms: int
    expiry_timestamp_ms: int
    max_timestamp_ms: int
    token_id: str
    hmac: bytes
    throttle_time_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp_ms: int = 0,
        expiry_timestamp_ms: int = 0,
        max_timestamp_ms: int = 0,
        token_id: str = "",
        hmac: bytes = b"",
        throttle_time_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class CreatePartitionsRequest(Body):
    class CreatePartitionsAssignment(Part):
        broker_ids: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            broker_ids: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class CreatePartitionsTopic(Part):
        name: str
        count: int
        assignments: list[CreatePartitionsRequest.CreatePartitionsAssignment] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            count: int = 0,
            assignments: list[CreatePartitionsRequest.CreatePartitionsAssignment] | None = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[CreatePartitionsRequest.CreatePartitionsTopic]
    timeout_ms: int
    validate_only: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[CreatePartitionsRequest.CreatePartitionsTopic] = ...,
        timeout_ms: int = 0,
        validate_only: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class CreatePartitionsResponse(Body):
    class CreatePartitionsTopicResult(Part):
        name: str
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    results: list[CreatePartitionsResponse.CreatePartitionsTopicResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[CreatePartitionsResponse.CreatePartitionsTopicResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class CreateTopicsRequest(Body):
    class CreatableReplicaAssignment(Part):
        partition_index: int
        broker_ids: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            broker_ids: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class CreatableTopicConfig(Part):
        name: str
        value: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            value: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class CreatableTopic(Part):
        name: str
        num_partitions: int
        replication_factor: int
        assignments: list[CreateTopicsRequest.CreatableReplicaAssignment]
        configs: list[CreateTopicsRequest.CreatableTopicConfig]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            num_partitions: int = 0,
            replication_factor: int = 0,
            assignments: list[CreateTopicsRequest.CreatableReplicaAssignment] = ...,
            configs: list[CreateTopicsRequest.CreatableTopicConfig] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[CreateTopicsRequest.CreatableTopic]
    timeout_ms: int
    validate_only: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[CreateTopicsRequest.CreatableTopic] = ...,
        timeout_ms: int = 60000,
        validate_only: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class CreateTopicsResponse(Body):
    class CreatableTopicConfigs(Part):
        name: str
        value: str | None
        read_only: bool
        config_source: int
        is_sensitive: bool
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            value: str | None = "",
            read_only: bool = False,
            config_source: int = -1,
            is_sensitive: bool = False,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class CreatableTopicResult(Part):
        name: str
        topic_id: bytes
        error_code: int
        error_message: str | None
        topic_config_error_code: int
        num_partitions: int
        replication_factor: int
        configs: list[CreateTopicsResponse.CreatableTopicConfigs] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            topic_id: bytes = ...,
            error_code: int = 0,
            error_message: str | None = "",
            topic_config_error_code: int = 0,
            num_partitions: int = -1,
            replication_factor: int = -1,
            configs: list[CreateTopicsResponse.CreatableTopicConfigs] | None = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[CreateTopicsResponse.CreatableTopicResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[CreateTopicsResponse.CreatableTopicResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteAclsRequest(Body):
    class DeleteAclsFilter(Part):
        resource_type_filter: int
        resource_name_filter: str | None
        pattern_type_filter: int
        principal_filter: str | None
        host_filter: str | None
        operation: int
        permission_type: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            resource_type_filter: int = 0,
            resource_name_filter: str | None = "",
            pattern_type_filter: int = 3,
            principal_filter: str | None = "",
            host_filter: str | None = "",
            operation: int = 0,
            permission_type: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    filters: list[DeleteAclsRequest.DeleteAclsFilter]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        filters: list[DeleteAclsRequest.DeleteAclsFilter] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteAclsResponse(Body):
    class DeleteAclsMatchingAcl(Part):
        error_code: int
        error_message: str | None
        resource_type: int
        resource_name: str
        pattern_type: int
        principal: str
        host: str
        operation: int
        permission_type: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = "",
            resource_type: int = 0,
            resource_name: str = "",
            pattern_type: int = 3,
            principal: str = "",
            host: str = "",
            operation: int = 0,
            permission_type: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DeleteAclsFilterResult(Part):
        error_code: int
        error_message: str | None
        matching_acls: list[DeleteAclsResponse.DeleteAclsMatchingAcl]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = "",
            matching_acls: list[DeleteAclsResponse.DeleteAclsMatchingAcl] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    filter_results: list[DeleteAclsResponse.DeleteAclsFilterResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        filter_results: list[DeleteAclsResponse.DeleteAclsFilterResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteGroupsRequest(Body):
    groups_names: list[str]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        groups_names: list[str] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteGroupsResponse(Body):
    class DeletableGroupResult(Part):
        group_id: str
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            group_id: str = "",
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    results: list[DeleteGroupsResponse.DeletableGroupResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[DeleteGroupsResponse.DeletableGroupResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteRecordsRequest(Body):
    class DeleteRecordsPartition(Part):
        partition_index: int
        offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DeleteRecordsTopic(Part):
        name: str
        partitions: list[DeleteRecordsRequest.DeleteRecordsPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[DeleteRecordsRequest.DeleteRecordsPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[DeleteRecordsRequest.DeleteRecordsTopic]
    timeout_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[DeleteRecordsRequest.DeleteRecordsTopic] = ...,
        timeout_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteRecordsResponse(Body):
    class DeleteRecordsPartitionResult(Part):
        partition_index: int
        low_watermark: int
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            low_watermark: int = 0,
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DeleteRecordsTopicResult(Part):
        name: str
        partitions: list[DeleteRecordsResponse.DeleteRecordsPartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[DeleteRecordsResponse.DeleteRecordsPartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[DeleteRecordsResponse.DeleteRecordsTopicResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[DeleteRecordsResponse.DeleteRecordsTopicResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteShareGroupOffsetsRequest(Body):
    class DeleteShareGroupOffsetsRequestTopic(Part):
        topic_name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteShareGroupOffsetsResponse(Body):
    class DeleteShareGroupOffsetsResponseTopic(Part):
        topic_name: str
        topic_id: bytes
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            topic_id: bytes = ...,
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    responses: list[DeleteShareGroupOffsetsResponse.DeleteShareGroupOffsetsResponseTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        responses: list[DeleteShareGroupOffsetsResponse.DeleteShareGroupOffsetsResponseTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteShareGroupStateRequest(Body):
    class PartitionData(Part):
        partition: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DeleteStateData(Part):
        topic_id: bytes
        partitions: list[DeleteShareGroupStateRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[DeleteShareGroupStateRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[DeleteShareGroupStateRequest.DeleteStateData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[DeleteShareGroupStateRequest.DeleteStateData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteShareGroupStateResponse(Body):
    class PartitionResult(Part):
        partition: int
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DeleteStateResult(Part):
        topic_id: bytes
        partitions: list[DeleteShareGroupStateResponse.PartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[DeleteShareGroupStateResponse.PartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    results: list[DeleteShareGroupStateResponse.DeleteStateResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        results: list[DeleteShareGroupStateResponse.DeleteStateResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteTopicsRequest(Body):
    class DeleteTopicState(Part):
        name: str | None
        topic_id: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str | None = None,
            topic_id: bytes = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[DeleteTopicsRequest.DeleteTopicState]
    topic_names: list[str]
    timeout_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[DeleteTopicsRequest.DeleteTopicState] = ...,
        topic_names: list[str] = ...,
        timeout_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DeleteTopicsResponse(Body):
    class DeletableTopicResult(Part):
        name: str | None
        topic_id: bytes
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str | None = "",
            topic_id: bytes = ...,
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    responses: list[DeleteTopicsResponse.DeletableTopicResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        responses: list[DeleteTopicsResponse.DeletableTopicResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeAclsRequest(Body):
    resource_type_filter: int
    resource_name_filter: str | None
    pattern_type_filter: int
    principal_filter: str | None
    host_filter: str | None
    operation: int
    permission_type: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        resource_type_filter: int = 0,
        resource_name_filter: str | None = "",
        pattern_type_filter: int = 3,
        principal_filter: str | None = "",
        host_filter: str | None = "",
        operation: int = 0,
        permission_type: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeAclsResponse(Body):
    class AclDescription(Part):
        principal: str
        host: str
        operation: int
        permission_type: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            principal: str = "",
            host: str = "",
            operation: int = 0,
            permission_type: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeAclsResource(Part):
        resource_type: int
        resource_name: str
        pattern_type: int
        acls: list[DescribeAclsResponse.AclDescription]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            resource_type: int = 0,
            resource_name: str = "",
            pattern_type: int = 3,
            acls: list[DescribeAclsResponse.AclDescription] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    resources: list[DescribeAclsResponse.DescribeAclsResource]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        resources: list[DescribeAclsResponse.DescribeAclsResource] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeClientQuotasRequest(Body):
    class ComponentData(Part):
        entity_type: str
        match_type: int
        match: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            entity_type: str = "",
            match_type: int = 0,
            match: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    components: list[DescribeClientQuotasRequest.ComponentData]
    strict: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        components: list[DescribeClientQuotasRequest.ComponentData] = ...,
        strict: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeClientQuotasResponse(Body):
    class EntityData(Part):
        entity_type: str
        entity_name: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            entity_type: str = "",
            entity_name: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ValueData(Part):
        key: str
        value: float
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            key: str = "",
            value: float = 0.0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class EntryData(Part):
        entity: list[DescribeClientQuotasResponse.EntityData]
        values: list[DescribeClientQuotasResponse.ValueData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            entity: list[DescribeClientQuotasResponse.EntityData] = ...,
            values: list[DescribeClientQuotasResponse.ValueData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    entries: list[DescribeClientQuotasResponse.EntryData] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        entries: list[DescribeClientQuotasResponse.EntryData] | None = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeClusterRequest(Body):
    include_cluster_authorized_operations: bool
    endpoint_type: int
    include_fenced_brokers: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        include_cluster_authorized_operations: bool = False,
        endpoint_type: int = 1,
        include_fenced_brokers: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeClusterResponse(Body):
    class DescribeClusterBroker(Part):
        broker_id: int
        host: str
        port: int
        rack: str | None
        is_fenced: bool
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            broker_id: int = 0,
            host: str = "",
            port: int = 0,
            rack: str | None = None,
            is_fenced: bool = False,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    endpoint_type: int
    cluster_id: str
    controller_id: int
    brokers: list[DescribeClusterResponse.DescribeClusterBroker]
    cluster_authorized_operations: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        endpoint_type: int = 1,
        cluster_id: str = "",
        controller_id: int = -1,
        brokers: list[DescribeClusterResponse.DescribeClusterBroker] = ...,
        cluster_authorized_operations: int = -2147483648,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeConfigsRequest(Body):
    class DescribeConfigsResource(Part):
        resource_type: int
        resource_name: str
        configuration_keys: list[str] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            resource_type: int = 0,
            resource_name: str = "",
            configuration_keys: list[str] | None = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    resources: list[DescribeConfigsRequest.DescribeConfigsResource]
    include_synonyms: bool
    include_documentation: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        resources: list[DescribeConfigsRequest.DescribeConfigsResource] = ...,
        include_synonyms: bool = False,
        include_documentation: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeConfigsResponse(Body):
    class DescribeConfigsSynonym(Part):
        name: str
        value: str | None
        source: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            value: str | None = "",
            source: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeConfigsResourceResult(Part):
        name: str
        value: str | None
        read_only: bool
        config_source: int
        is_sensitive: bool
        synonyms: list[DescribeConfigsResponse.DescribeConfigsSynonym]
        config_type: int
        documentation: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            value: str | None = "",
            read_only: bool = False,
            config_source: int = -1,
            is_sensitive: bool = False,
            synonyms: list[DescribeConfigsResponse.DescribeConfigsSynonym] = ...,
            config_type: int = 0,
            documentation: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeConfigsResult(Part):
        error_code: int
        error_message: str | None
        resource_type: int
        resource_name: str
        configs: list[DescribeConfigsResponse.DescribeConfigsResourceResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = "",
            resource_type: int = 0,
            resource_name: str = "",
            configs: list[DescribeConfigsResponse.DescribeConfigsResourceResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    results: list[DescribeConfigsResponse.DescribeConfigsResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[DescribeConfigsResponse.DescribeConfigsResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeDelegationTokenRequest(Body):
    class DescribeDelegationTokenOwner(Part):
        principal_type: str
        principal_name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            principal_type: str = "",
            principal_name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    owners: list[DescribeDelegationTokenRequest.DescribeDelegationTokenOwner] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        owners: list[DescribeDelegationTokenRequest.DescribeDelegationTokenOwner] | None = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeDelegationTokenResponse(Body):
    class DescribedDelegationTokenRenewer(Part):
        principal_type: str
        principal_name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            principal_type: str = "",
            principal_name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribedDelegationToken(Part):
        principal_type: str
        principal_name: str
        token_requester_principal_type: str
        token_requester_principal_name: str
        issue_timestamp: int
        expiry_timestamp: int
        max_timestamp: int
        token_id: str
        hmac: bytes
        renewers: list[DescribeDelegationTokenResponse.DescribedDelegationTokenRenewer]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            principal_type: str = "",
            principal_name: str = "",
            token_requester_principal_type: str = "",
            token_requester_principal_name: str = "",
            issue_timestamp: int = 0,
            expiry_timestamp: int = 0,
            max_timestamp: int = 0,
            token_id: str = "",
            hmac: bytes = b"",
            renewers: list[DescribeDelegationTokenResponse.DescribedDelegationTokenRenewer] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    error_code: int
    tokens: list[DescribeDelegationTokenResponse.DescribedDelegationToken]
    throttle_time_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        tokens: list[DescribeDelegationTokenResponse.DescribedDelegationToken] = ...,
        throttle_time_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeGroupsRequest(Body):
    groups: list[str]
    include_authorized_operations: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        groups: list[str] = ...,
        include_authorized_operations: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeGroupsResponse(Body):
    class DescribedGroupMember(Part):
        member_id: str
        group_instance_id: str | None
        client_id: str
        client_host: str
        member_metadata: bytes
        member_assignment: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            group_instance_id: str | None = None,
            client_id: str = "",
            client_host: str = "",
            member_metadata: bytes = b"",
            member_assignment: bytes = b"",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribedGroup(Part):
        error_code: int
        error_message: str | None
        group_id: str
        group_state: str
        protocol_type: str
        protocol_data: str
        members: list[DescribeGroupsResponse.DescribedGroupMember]
        authorized_operations: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = None,
            group_id: str = "",
            group_state: str = "",
            protocol_type: str = "",
            protocol_data: str = "",
            members: list[DescribeGroupsResponse.DescribedGroupMember] = ...,
            authorized_operations: int = -2147483648,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    groups: list[DescribeGroupsResponse.DescribedGroup]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        groups: list[DescribeGroupsResponse.DescribedGroup] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeLogDirsRequest(Body):
    class DescribableLogDirTopic(Part):
        topic: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[DescribeLogDirsRequest.DescribableLogDirTopic] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[DescribeLogDirsRequest.DescribableLogDirTopic] | None = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeLogDirsResponse(Body):
    class DescribeLogDirsPartition(Part):
        partition_index: int
        partition_size: int
        offset_lag: int
        is_future_key: bool
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            partition_size: int = 0,
            offset_lag: int = 0,
            is_future_key: bool = False,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeLogDirsTopic(Part):
        name: str
        partitions: list[DescribeLogDirsResponse.DescribeLogDirsPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[DescribeLogDirsResponse.DescribeLogDirsPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeLogDirsResult(Part):
        error_code: int
        log_dir: str
        topics: list[DescribeLogDirsResponse.DescribeLogDirsTopic]
        total_bytes: int
        usable_bytes: int
        is_cordoned: bool
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            log_dir: str = "",
            topics: list[DescribeLogDirsResponse.DescribeLogDirsTopic] = ...,
            total_bytes: int = -1,
            usable_bytes: int = -1,
            is_cordoned: bool = False,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    results: list[DescribeLogDirsResponse.DescribeLogDirsResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results: list[DescribeLogDirsResponse.DescribeLogDirsResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeProducersRequest(Body):
    class TopicRequest(Part):
        name: str
        partition_indexes: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partition_indexes: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[DescribeProducersRequest.TopicRequest]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[DescribeProducersRequest.TopicRequest] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeProducersResponse(Body):
    class ProducerState(Part):
        producer_id: int
        producer_epoch: int
        last_sequence: int
        last_timestamp: int
        coordinator_epoch: int
        current_txn_start_offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            producer_id: int = 0,
            producer_epoch: int = 0,
            last_sequence: int = -1,
            last_timestamp: int = -1,
            coordinator_epoch: int = 0,
            current_txn_start_offset: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionResponse(Part):
        partition_index: int
        error_code: int
        error_message: str | None
        active_producers: list[DescribeProducersResponse.ProducerState]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            active_producers: list[DescribeProducersResponse.ProducerState] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicResponse(Part):
        name: str
        partitions: list[DescribeProducersResponse.PartitionResponse]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[DescribeProducersResponse.PartitionResponse] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[DescribeProducersResponse.TopicResponse]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[DescribeProducersResponse.TopicResponse] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeQuorumRequest(Body):
    class PartitionData(Part):
        partition_index: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_name: str
        partitions: list[DescribeQuorumRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[DescribeQuorumRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[DescribeQuorumRequest.TopicData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[DescribeQuorumRequest.TopicData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeQuorumResponse(Body):
    class ReplicaState(Part):
        replica_id: int
        replica_directory_id: bytes
        log_end_offset: int
        last_fetch_timestamp: int
        last_caught_up_timestamp: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            replica_id: int = 0,
            replica_directory_id: bytes = ...,
            log_end_offset: int = 0,
            last_fetch_timestamp: int = -1,
            last_caught_up_timestamp: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionData(Part):
        partition_index: int
        error_code: int
        error_message: str | None
        leader_id: int
        leader_epoch: int
        high_watermark: int
        current_voters: list[DescribeQuorumResponse.ReplicaState]
        observers: list[DescribeQuorumResponse.ReplicaState]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            error_message: str | None = "",
            leader_id: int = 0,
            leader_epoch: int = 0,
            high_watermark: int = 0,
            current_voters: list[DescribeQuorumResponse.ReplicaState] = ...,
            observers: list[DescribeQuorumResponse.ReplicaState] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_name: str
        partitions: list[DescribeQuorumResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[DescribeQuorumResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Listener(Part):
        name: str
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Node(Part):
        node_id: int
        listeners: list[DescribeQuorumResponse.Listener]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            listeners: list[DescribeQuorumResponse.Listener] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    error_code: int
    error_message: str | None
    topics: list[DescribeQuorumResponse.TopicData]
    nodes: list[DescribeQuorumResponse.Node]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[DescribeQuorumResponse.TopicData] = ...,
        nodes: list[DescribeQuorumResponse.Node] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeShareGroupOffsetsRequest(Body):
    class DescribeShareGroupOffsetsRequestTopic(Part):
        topic_name: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeShareGroupOffsetsRequestGroup(Part):
        group_id: str
        topics: list[DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestTopic] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            group_id: str = "",
            topics: list[DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestTopic] | None = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    groups: list[DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        groups: list[DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeShareGroupOffsetsResponse(Body):
    class DescribeShareGroupOffsetsResponsePartition(Part):
        partition_index: int
        start_offset: int
        leader_epoch: int
        lag: int
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            start_offset: int = 0,
            leader_epoch: int = 0,
            lag: int = -1,
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeShareGroupOffsetsResponseTopic(Part):
        topic_name: str
        topic_id: bytes
        partitions: list[DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponsePartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            topic_id: bytes = ...,
            partitions: list[DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponsePartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeShareGroupOffsetsResponseGroup(Part):
        group_id: str
        topics: list[DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic]
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            group_id: str = "",
            topics: list[DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic] = ...,
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    groups: list[DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        groups: list[DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeTopicPartitionsRequest(Body):
    class TopicRequest(Part):
        name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Cursor(Part):
        topic_name: str
        partition_index: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partition_index: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[DescribeTopicPartitionsRequest.TopicRequest]
    response_partition_limit: int
    cursor: DescribeTopicPartitionsRequest.Cursor | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[DescribeTopicPartitionsRequest.TopicRequest] = ...,
        response_partition_limit: int = 2000,
        cursor: DescribeTopicPartitionsRequest.Cursor | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeTopicPartitionsResponse(Body):
    class DescribeTopicPartitionsResponsePartition(Part):
        error_code: int
        partition_index: int
        leader_id: int
        leader_epoch: int
        replica_nodes: list[int]
        isr_nodes: list[int]
        eligible_leader_replicas: list[int] | None
        last_known_elr: list[int] | None
        offline_replicas: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            partition_index: int = 0,
            leader_id: int = 0,
            leader_epoch: int = -1,
            replica_nodes: list[int] = ...,
            isr_nodes: list[int] = ...,
            eligible_leader_replicas: list[int] | None = None,
            last_known_elr: list[int] | None = None,
            offline_replicas: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeTopicPartitionsResponseTopic(Part):
        error_code: int
        name: str | None
        topic_id: bytes
        is_internal: bool
        partitions: list[DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponsePartition]
        topic_authorized_operations: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            name: str | None = "",
            topic_id: bytes = ...,
            is_internal: bool = False,
            partitions: list[DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponsePartition] = ...,
            topic_authorized_operations: int = -2147483648,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Cursor(Part):
        topic_name: str
        partition_index: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partition_index: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic]
    next_cursor: DescribeTopicPartitionsResponse.Cursor | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic] = ...,
        next_cursor: DescribeTopicPartitionsResponse.Cursor | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeTransactionsRequest(Body):
    transactional_ids: list[str]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        transactional_ids: list[str] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeTransactionsResponse(Body):
    class TopicData(Part):
        topic: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TransactionState(Part):
        error_code: int
        transactional_id: str
        transaction_state: str
        transaction_timeout_ms: int
        transaction_start_time_ms: int
        producer_id: int
        producer_epoch: int
        topics: list[DescribeTransactionsResponse.TopicData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            transactional_id: str = "",
            transaction_state: str = "",
            transaction_timeout_ms: int = 0,
            transaction_start_time_ms: int = 0,
            producer_id: int = 0,
            producer_epoch: int = 0,
            topics: list[DescribeTransactionsResponse.TopicData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    transaction_states: list[DescribeTransactionsResponse.TransactionState]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        transaction_states: list[DescribeTransactionsResponse.TransactionState] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeUserScramCredentialsRequest(Body):
    class UserName(Part):
        name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    users: list[DescribeUserScramCredentialsRequest.UserName] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        users: list[DescribeUserScramCredentialsRequest.UserName] | None = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DescribeUserScramCredentialsResponse(Body):
    class CredentialInfo(Part):
        mechanism: int
        iterations: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            mechanism: int = 0,
            iterations: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribeUserScramCredentialsResult(Part):
        user: str
        error_code: int
        error_message: str | None
        credential_infos: list[DescribeUserScramCredentialsResponse.CredentialInfo]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            user: str = "",
            error_code: int = 0,
            error_message: str | None = "",
            credential_infos: list[DescribeUserScramCredentialsResponse.CredentialInfo] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    results: list[DescribeUserScramCredentialsResponse.DescribeUserScramCredentialsResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[DescribeUserScramCredentialsResponse.DescribeUserScramCredentialsResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ElectLeadersRequest(Body):
    class TopicPartitions(Part):
        topic: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    election_type: int
    topic_partitions: list[ElectLeadersRequest.TopicPartitions] | None
    timeout_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        election_type: int = 0,
        topic_partitions: list[ElectLeadersRequest.TopicPartitions] | None = ...,
        timeout_ms: int = 60000,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ElectLeadersResponse(Body):
    class PartitionResult(Part):
        partition_id: int
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_id: int = 0,
            error_code: int = 0,
            error_message: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ReplicaElectionResult(Part):
        topic: str
        partition_result: list[ElectLeadersResponse.PartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            partition_result: list[ElectLeadersResponse.PartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    replica_election_results: list[ElectLeadersResponse.ReplicaElectionResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        replica_election_results: list[ElectLeadersResponse.ReplicaElectionResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class EndQuorumEpochRequest(Body):
    class ReplicaInfo(Part):
        candidate_id: int
        candidate_directory_id: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            candidate_id: int = 0,
            candidate_directory_id: bytes = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionData(Part):
        partition_index: int
        leader_id: int
        leader_epoch: int
        preferred_successors: list[int]
        preferred_candidates: list[EndQuorumEpochRequest.ReplicaInfo]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            leader_id: int = 0,
            leader_epoch: int = 0,
            preferred_successors: list[int] = ...,
            preferred_candidates: list[EndQuorumEpochRequest.ReplicaInfo] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_name: str
        partitions: list[EndQuorumEpochRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[EndQuorumEpochRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class LeaderEndpoint(Part):
        name: str
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    cluster_id: str | None
    topics: list[EndQuorumEpochRequest.TopicData]
    leader_endpoints: list[EndQuorumEpochRequest.LeaderEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        topics: list[EndQuorumEpochRequest.TopicData] = ...,
        leader_endpoints: list[EndQuorumEpochRequest.LeaderEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class EndQuorumEpochResponse(Body):
    class PartitionData(Part):
        partition_index: int
        error_code: int
        leader_id: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            leader_id: int = 0,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_name: str
        partitions: list[EndQuorumEpochResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[EndQuorumEpochResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class NodeEndpoint(Part):
        node_id: int
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    error_code: int
    topics: list[EndQuorumEpochResponse.TopicData]
    node_endpoints: list[EndQuorumEpochResponse.NodeEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        topics: list[EndQuorumEpochResponse.TopicData] = ...,
        node_endpoints: list[EndQuorumEpochResponse.NodeEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class EndTxnRequest(Body):
    transactional_id: str
    producer_id: int
    producer_epoch: int
    committed: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        committed: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class EndTxnResponse(Body):
    throttle_time_ms: int
    error_code: int
    producer_id: int
    producer_epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class EnvelopeRequest(Body):
    request_data: bytes
    request_principal: bytes | None
    client_host_address: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        request_data: bytes = b"",
        request_principal: bytes | None = b"",
        client_host_address: bytes = b"",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class EnvelopeResponse(Body):
    response_data: bytes | None
    error_code: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        response_data: bytes | None = None,
        error_code: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ExpireDelegationTokenRequest(Body):
    hmac: bytes
    expiry_time_period_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        hmac: bytes = b"",
        expiry_time_period_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ExpireDelegationTokenResponse(Body):
    error_code: int
    expiry_timestamp_ms: int
    throttle_time_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        expiry_timestamp_ms: int = 0,
        throttle_time_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class FetchRequest(Body):
    class ReplicaState(Part):
        replica_id: int
        replica_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            replica_id: int = -1,
            replica_epoch: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class FetchPartition(Part):
        partition: int
        current_leader_epoch: int
        fetch_offset: int
        last_fetched_epoch: int
        log_start_offset: int
        partition_max_bytes: int
        replica_directory_id: bytes
        high_watermark: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            current_leader_epoch: int = -1,
            fetch_offset: int = 0,
            last_fetched_epoch: int = -1,
            log_start_offset: int = -1,
            partition_max_bytes: int = 0,
            replica_directory_id: bytes = ...,
            high_watermark: int = 9223372036854775807,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class FetchTopic(Part):
        topic: str
        topic_id: bytes
        partitions: list[FetchRequest.FetchPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            topic_id: bytes = ...,
            partitions: list[FetchRequest.FetchPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ForgottenTopic(Part):
        topic: str
        topic_id: bytes
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            topic_id: bytes = ...,
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    cluster_id: str | None
    replica_id: int
    replica_state: FetchRequest.ReplicaState
    max_wait_ms: int
    min_bytes: int
    max_bytes: int
    isolation_level: int
    session_id: int
    session_epoch: int
    topics: list[FetchRequest.FetchTopic]
    forgotten_topics_data: list[FetchRequest.ForgottenTopic]
    rack_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        replica_id: int = -1,
        replica_state: FetchRequest.ReplicaState = ...,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        isolation_level: int = 0,
        session_id: int = 0,
        session_epoch: int = -1,
        topics: list[FetchRequest.FetchTopic] = ...,
        forgotten_topics_data: list[FetchRequest.ForgottenTopic] = ...,
        rack_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class FetchResponse(Body):
    class EpochEndOffset(Part):
        epoch: int
        end_offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            epoch: int = -1,
            end_offset: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class LeaderIdAndEpoch(Part):
        leader_id: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            leader_id: int = -1,
            leader_epoch: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class SnapshotId(Part):
        end_offset: int
        epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            end_offset: int = -1,
            epoch: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AbortedTransaction(Part):
        producer_id: int
        first_offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            producer_id: int = 0,
            first_offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionData(Part):
        partition_index: int
        error_code: int
        high_watermark: int
        last_stable_offset: int
        log_start_offset: int
        diverging_epoch: FetchResponse.EpochEndOffset
        current_leader: FetchResponse.LeaderIdAndEpoch
        snapshot_id: FetchResponse.SnapshotId
        aborted_transactions: list[FetchResponse.AbortedTransaction] | None
        preferred_read_replica: int
        records: Any
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            high_watermark: int = 0,
            last_stable_offset: int = -1,
            log_start_offset: int = -1,
            diverging_epoch: FetchResponse.EpochEndOffset = ...,
            current_leader: FetchResponse.LeaderIdAndEpoch = ...,
            snapshot_id: FetchResponse.SnapshotId = ...,
            aborted_transactions: list[FetchResponse.AbortedTransaction] | None = ...,
            preferred_read_replica: int = -1,
            records: Any = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class FetchableTopicResponse(Part):
        topic: str
        topic_id: bytes
        partitions: list[FetchResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            topic_id: bytes = ...,
            partitions: list[FetchResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class NodeEndpoint(Part):
        node_id: int
        host: str
        port: int
        rack: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            rack: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    session_id: int
    responses: list[FetchResponse.FetchableTopicResponse]
    node_endpoints: list[FetchResponse.NodeEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        session_id: int = 0,
        responses: list[FetchResponse.FetchableTopicResponse] = ...,
        node_endpoints: list[FetchResponse.NodeEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class FetchSnapshotRequest(Body):
    class SnapshotId(Part):
        end_offset: int
        epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            end_offset: int = 0,
            epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionSnapshot(Part):
        partition: int
        current_leader_epoch: int
        snapshot_id: FetchSnapshotRequest.SnapshotId
        position: int
        replica_directory_id: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            current_leader_epoch: int = 0,
            snapshot_id: FetchSnapshotRequest.SnapshotId = ...,
            position: int = 0,
            replica_directory_id: bytes = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicSnapshot(Part):
        name: str
        partitions: list[FetchSnapshotRequest.PartitionSnapshot]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[FetchSnapshotRequest.PartitionSnapshot] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    cluster_id: str | None
    replica_id: int
    max_bytes: int
    topics: list[FetchSnapshotRequest.TopicSnapshot]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        replica_id: int = -1,
        max_bytes: int = 2147483647,
        topics: list[FetchSnapshotRequest.TopicSnapshot] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class FetchSnapshotResponse(Body):
    class SnapshotId(Part):
        end_offset: int
        epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            end_offset: int = 0,
            epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class LeaderIdAndEpoch(Part):
        leader_id: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            leader_id: int = 0,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionSnapshot(Part):
        index: int
        error_code: int
        snapshot_id: FetchSnapshotResponse.SnapshotId
        current_leader: FetchSnapshotResponse.LeaderIdAndEpoch
        size: int
        position: int
        unaligned_records: Any
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            index: int = 0,
            error_code: int = 0,
            snapshot_id: FetchSnapshotResponse.SnapshotId = ...,
            current_leader: FetchSnapshotResponse.LeaderIdAndEpoch = ...,
            size: int = 0,
            position: int = 0,
            unaligned_records: Any = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicSnapshot(Part):
        name: str
        partitions: list[FetchSnapshotResponse.PartitionSnapshot]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[FetchSnapshotResponse.PartitionSnapshot] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class NodeEndpoint(Part):
        node_id: int
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    topics: list[FetchSnapshotResponse.TopicSnapshot]
    node_endpoints: list[FetchSnapshotResponse.NodeEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[FetchSnapshotResponse.TopicSnapshot] = ...,
        node_endpoints: list[FetchSnapshotResponse.NodeEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class FindCoordinatorRequest(Body):
    key: str
    key_type: int
    coordinator_keys: list[str]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        key: str = "",
        key_type: int = 0,
        coordinator_keys: list[str] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class FindCoordinatorResponse(Body):
    class Coordinator(Part):
        key: str
        node_id: int
        host: str
        port: int
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            key: str = "",
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            error_code: int = 0,
            error_message: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    node_id: int
    host: str
    port: int
    coordinators: list[FindCoordinatorResponse.Coordinator]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        coordinators: list[FindCoordinatorResponse.Coordinator] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class GetTelemetrySubscriptionsRequest(Body):
    client_instance_id: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        client_instance_id: bytes = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class GetTelemetrySubscriptionsResponse(Body):
    throttle_time_ms: int
    error_code: int
    client_instance_id: bytes
    subscription_id: int
    accepted_compression_types: list[int]
    push_interval_ms: int
    telemetry_max_bytes: int
    delta_temporality: bool
    requested_metrics: list[str]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        client_instance_id: bytes = ...,
        subscription_id: int = 0,
        accepted_compression_types: list[int] = ...,
        push_interval_ms: int = 0,
        telemetry_max_bytes: int = 0,
        delta_temporality: bool = False,
        requested_metrics: list[str] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class HeartbeatRequest(Body):
    group_id: str
    generation_id: int
    member_id: str
    group_instance_id: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class HeartbeatResponse(Body):
    throttle_time_ms: int
    error_code: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class IncrementalAlterConfigsRequest(Body):
    class AlterableConfig(Part):
        name: str
        config_operation: int
        value: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            config_operation: int = 0,
            value: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AlterConfigsResource(Part):
        resource_type: int
        resource_name: str
        configs: list[IncrementalAlterConfigsRequest.AlterableConfig]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            resource_type: int = 0,
            resource_name: str = "",
            configs: list[IncrementalAlterConfigsRequest.AlterableConfig] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    resources: list[IncrementalAlterConfigsRequest.AlterConfigsResource]
    validate_only: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        resources: list[IncrementalAlterConfigsRequest.AlterConfigsResource] = ...,
        validate_only: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class IncrementalAlterConfigsResponse(Body):
    class AlterConfigsResourceResponse(Part):
        error_code: int
        error_message: str | None
        resource_type: int
        resource_name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = "",
            resource_type: int = 0,
            resource_name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    responses: list[IncrementalAlterConfigsResponse.AlterConfigsResourceResponse]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        responses: list[IncrementalAlterConfigsResponse.AlterConfigsResourceResponse] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class InitProducerIdRequest(Body):
    transactional_id: str | None
    transaction_timeout_ms: int
    producer_id: int
    producer_epoch: int
    enable2_pc: bool
    keep_prepared_txn: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        transactional_id: str | None = "",
        transaction_timeout_ms: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
        enable2_pc: bool = False,
        keep_prepared_txn: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class InitProducerIdResponse(Body):
    throttle_time_ms: int
    error_code: int
    producer_id: int
    producer_epoch: int
    ongoing_txn_producer_id: int
    ongoing_txn_producer_epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = 0,
        ongoing_txn_producer_id: int = -1,
        ongoing_txn_producer_epoch: int = -1,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class InitializeShareGroupStateRequest(Body):
    class PartitionData(Part):
        partition: int
        state_epoch: int
        start_offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            state_epoch: int = 0,
            start_offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class InitializeStateData(Part):
        topic_id: bytes
        partitions: list[InitializeShareGroupStateRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[InitializeShareGroupStateRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[InitializeShareGroupStateRequest.InitializeStateData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[InitializeShareGroupStateRequest.InitializeStateData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class InitializeShareGroupStateResponse(Body):
    class PartitionResult(Part):
        partition: int
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class InitializeStateResult(Part):
        topic_id: bytes
        partitions: list[InitializeShareGroupStateResponse.PartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[InitializeShareGroupStateResponse.PartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    results: list[InitializeShareGroupStateResponse.InitializeStateResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        results: list[InitializeShareGroupStateResponse.InitializeStateResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class JoinGroupRequest(Body):
    class JoinGroupRequestProtocol(Part):
        name: str
        metadata: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            metadata: bytes = b"",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    session_timeout_ms: int
    rebalance_timeout_ms: int
    member_id: str
    group_instance_id: str | None
    protocol_type: str
    protocols: list[JoinGroupRequest.JoinGroupRequestProtocol]
    reason: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        session_timeout_ms: int = 0,
        rebalance_timeout_ms: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str = "",
        protocols: list[JoinGroupRequest.JoinGroupRequestProtocol] = ...,
        reason: str | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class JoinGroupResponse(Body):
    class JoinGroupResponseMember(Part):
        member_id: str
        group_instance_id: str | None
        metadata: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            group_instance_id: str | None = None,
            metadata: bytes = b"",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    generation_id: int
    protocol_type: str | None
    protocol_name: str | None
    leader: str
    skip_assignment: bool
    member_id: str
    members: list[JoinGroupResponse.JoinGroupResponseMember]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        generation_id: int = -1,
        protocol_type: str | None = None,
        protocol_name: str | None = "",
        leader: str = "",
        skip_assignment: bool = False,
        member_id: str = "",
        members: list[JoinGroupResponse.JoinGroupResponseMember] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class LeaveGroupRequest(Body):
    class MemberIdentity(Part):
        member_id: str
        group_instance_id: str | None
        reason: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            group_instance_id: str | None = None,
            reason: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    member_id: str
    members: list[LeaveGroupRequest.MemberIdentity]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        members: list[LeaveGroupRequest.MemberIdentity] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class LeaveGroupResponse(Body):
    class MemberResponse(Part):
        member_id: str
        group_instance_id: str | None
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            group_instance_id: str | None = "",
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    members: list[LeaveGroupResponse.MemberResponse]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        members: list[LeaveGroupResponse.MemberResponse] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListConfigResourcesRequest(Body):
    resource_types: list[int]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        resource_types: list[int] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListConfigResourcesResponse(Body):
    class ConfigResource(Part):
        resource_name: str
        resource_type: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            resource_name: str = "",
            resource_type: int = 16,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    config_resources: list[ListConfigResourcesResponse.ConfigResource]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        config_resources: list[ListConfigResourcesResponse.ConfigResource] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListGroupsRequest(Body):
    states_filter: list[str]
    types_filter: list[str]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        states_filter: list[str] = ...,
        types_filter: list[str] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListGroupsResponse(Body):
    class ListedGroup(Part):
        group_id: str
        protocol_type: str
        group_state: str
        group_type: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            group_id: str = "",
            protocol_type: str = "",
            group_state: str = "",
            group_type: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    groups: list[ListGroupsResponse.ListedGroup]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        groups: list[ListGroupsResponse.ListedGroup] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListOffsetsRequest(Body):
    class ListOffsetsPartition(Part):
        partition_index: int
        current_leader_epoch: int
        timestamp: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            current_leader_epoch: int = -1,
            timestamp: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ListOffsetsTopic(Part):
        name: str
        partitions: list[ListOffsetsRequest.ListOffsetsPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[ListOffsetsRequest.ListOffsetsPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    replica_id: int
    isolation_level: int
    topics: list[ListOffsetsRequest.ListOffsetsTopic]
    timeout_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        replica_id: int = 0,
        isolation_level: int = 0,
        topics: list[ListOffsetsRequest.ListOffsetsTopic] = ...,
        timeout_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListOffsetsResponse(Body):
    class ListOffsetsPartitionResponse(Part):
        partition_index: int
        error_code: int
        timestamp: int
        offset: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            timestamp: int = -1,
            offset: int = -1,
            leader_epoch: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ListOffsetsTopicResponse(Part):
        name: str
        partitions: list[ListOffsetsResponse.ListOffsetsPartitionResponse]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[ListOffsetsResponse.ListOffsetsPartitionResponse] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[ListOffsetsResponse.ListOffsetsTopicResponse]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[ListOffsetsResponse.ListOffsetsTopicResponse] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListPartitionReassignmentsRequest(Body):
    class ListPartitionReassignmentsTopics(Part):
        name: str
        partition_indexes: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partition_indexes: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    timeout_ms: int
    topics: list[ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        timeout_ms: int = 60000,
        topics: list[ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListPartitionReassignmentsResponse(Body):
    class OngoingPartitionReassignment(Part):
        partition_index: int
        replicas: list[int]
        adding_replicas: list[int]
        removing_replicas: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            replicas: list[int] = ...,
            adding_replicas: list[int] = ...,
            removing_replicas: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OngoingTopicReassignment(Part):
        name: str
        partitions: list[ListPartitionReassignmentsResponse.OngoingPartitionReassignment]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[ListPartitionReassignmentsResponse.OngoingPartitionReassignment] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    topics: list[ListPartitionReassignmentsResponse.OngoingTopicReassignment]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[ListPartitionReassignmentsResponse.OngoingTopicReassignment] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListTransactionsRequest(Body):
    state_filters: list[str]
    producer_id_filters: list[int]
    duration_filter: int
    transactional_id_pattern: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        state_filters: list[str] = ...,
        producer_id_filters: list[int] = ...,
        duration_filter: int = -1,
        transactional_id_pattern: str | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ListTransactionsResponse(Body):
    class TransactionState(Part):
        transactional_id: str
        producer_id: int
        transaction_state: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            transactional_id: str = "",
            producer_id: int = 0,
            transaction_state: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    unknown_state_filters: list[str]
    transaction_states: list[ListTransactionsResponse.TransactionState]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_state_filters: list[str] = ...,
        transaction_states: list[ListTransactionsResponse.TransactionState] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class MetadataRequest(Body):
    class MetadataRequestTopic(Part):
        topic_id: bytes
        name: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            name: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[MetadataRequest.MetadataRequestTopic] | None
    allow_auto_topic_creation: bool
    include_cluster_authorized_operations: bool
    include_topic_authorized_operations: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[MetadataRequest.MetadataRequestTopic] | None = ...,
        allow_auto_topic_creation: bool = True,
        include_cluster_authorized_operations: bool = False,
        include_topic_authorized_operations: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class MetadataResponse(Body):
    class MetadataResponseBroker(Part):
        node_id: int
        host: str
        port: int
        rack: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            rack: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class MetadataResponsePartition(Part):
        error_code: int
        partition_index: int
        leader_id: int
        leader_epoch: int
        replica_nodes: list[int]
        isr_nodes: list[int]
        offline_replicas: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            partition_index: int = 0,
            leader_id: int = 0,
            leader_epoch: int = -1,
            replica_nodes: list[int] = ...,
            isr_nodes: list[int] = ...,
            offline_replicas: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class MetadataResponseTopic(Part):
        error_code: int
        name: str | None
        topic_id: bytes
        is_internal: bool
        partitions: list[MetadataResponse.MetadataResponsePartition]
        topic_authorized_operations: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            name: str | None = "",
            topic_id: bytes = ...,
            is_internal: bool = False,
            partitions: list[MetadataResponse.MetadataResponsePartition] = ...,
            topic_authorized_operations: int = -2147483648,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    brokers: list[MetadataResponse.MetadataResponseBroker]
    cluster_id: str | None
    controller_id: int
    topics: list[MetadataResponse.MetadataResponseTopic]
    cluster_authorized_operations: int
    error_code: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        brokers: list[MetadataResponse.MetadataResponseBroker] = ...,
        cluster_id: str | None = None,
        controller_id: int = -1,
        topics: list[MetadataResponse.MetadataResponseTopic] = ...,
        cluster_authorized_operations: int = -2147483648,
        error_code: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetCommitRequest(Body):
    class OffsetCommitRequestPartition(Part):
        partition_index: int
        committed_offset: int
        committed_leader_epoch: int
        committed_metadata: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            committed_offset: int = 0,
            committed_leader_epoch: int = -1,
            committed_metadata: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetCommitRequestTopic(Part):
        name: str
        topic_id: bytes
        partitions: list[OffsetCommitRequest.OffsetCommitRequestPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            topic_id: bytes = ...,
            partitions: list[OffsetCommitRequest.OffsetCommitRequestPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    generation_id_or_member_epoch: int
    member_id: str
    group_instance_id: str | None
    retention_time_ms: int
    topics: list[OffsetCommitRequest.OffsetCommitRequestTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        generation_id_or_member_epoch: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        retention_time_ms: int = -1,
        topics: list[OffsetCommitRequest.OffsetCommitRequestTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetCommitResponse(Body):
    class OffsetCommitResponsePartition(Part):
        partition_index: int
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetCommitResponseTopic(Part):
        name: str
        topic_id: bytes
        partitions: list[OffsetCommitResponse.OffsetCommitResponsePartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            topic_id: bytes = ...,
            partitions: list[OffsetCommitResponse.OffsetCommitResponsePartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[OffsetCommitResponse.OffsetCommitResponseTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[OffsetCommitResponse.OffsetCommitResponseTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetDeleteRequest(Body):
    class OffsetDeleteRequestPartition(Part):
        partition_index: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetDeleteRequestTopic(Part):
        name: str
        partitions: list[OffsetDeleteRequest.OffsetDeleteRequestPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[OffsetDeleteRequest.OffsetDeleteRequestPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[OffsetDeleteRequest.OffsetDeleteRequestTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[OffsetDeleteRequest.OffsetDeleteRequestTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetDeleteResponse(Body):
    class OffsetDeleteResponsePartition(Part):
        partition_index: int
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetDeleteResponseTopic(Part):
        name: str
        partitions: list[OffsetDeleteResponse.OffsetDeleteResponsePartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[OffsetDeleteResponse.OffsetDeleteResponsePartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    error_code: int
    throttle_time_ms: int
    topics: list[OffsetDeleteResponse.OffsetDeleteResponseTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        throttle_time_ms: int = 0,
        topics: list[OffsetDeleteResponse.OffsetDeleteResponseTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetFetchRequest(Body):
    class OffsetFetchRequestTopic(Part):
        name: str
        partition_indexes: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partition_indexes: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetFetchRequestTopics(Part):
        name: str
        topic_id: bytes
        partition_indexes: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            topic_id: bytes = ...,
            partition_indexes: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetFetchRequestGroup(Part):
        group_id: str
        member_id: str | None
        member_epoch: int
        topics: list[OffsetFetchRequest.OffsetFetchRequestTopics] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            group_id: str = "",
            member_id: str | None = None,
            member_epoch: int = -1,
            topics: list[OffsetFetchRequest.OffsetFetchRequestTopics] | None = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[OffsetFetchRequest.OffsetFetchRequestTopic] | None
    groups: list[OffsetFetchRequest.OffsetFetchRequestGroup]
    require_stable: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[OffsetFetchRequest.OffsetFetchRequestTopic] | None = ...,
        groups: list[OffsetFetchRequest.OffsetFetchRequestGroup] = ...,
        require_stable: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetFetchResponse(Body):
    class OffsetFetchResponsePartition(Part):
        partition_index: int
        committed_offset: int
        committed_leader_epoch: int
        metadata: str | None
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            committed_offset: int = 0,
            committed_leader_epoch: int = -1,
            metadata: str | None = "",
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetFetchResponseTopic(Part):
        name: str
        partitions: list[OffsetFetchResponse.OffsetFetchResponsePartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[OffsetFetchResponse.OffsetFetchResponsePartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetFetchResponsePartitions(Part):
        partition_index: int
        committed_offset: int
        committed_leader_epoch: int
        metadata: str | None
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            committed_offset: int = 0,
            committed_leader_epoch: int = -1,
            metadata: str | None = "",
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetFetchResponseTopics(Part):
        name: str
        topic_id: bytes
        partitions: list[OffsetFetchResponse.OffsetFetchResponsePartitions]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            topic_id: bytes = ...,
            partitions: list[OffsetFetchResponse.OffsetFetchResponsePartitions] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetFetchResponseGroup(Part):
        group_id: str
        topics: list[OffsetFetchResponse.OffsetFetchResponseTopics]
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            group_id: str = "",
            topics: list[OffsetFetchResponse.OffsetFetchResponseTopics] = ...,
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[OffsetFetchResponse.OffsetFetchResponseTopic]
    error_code: int
    groups: list[OffsetFetchResponse.OffsetFetchResponseGroup]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[OffsetFetchResponse.OffsetFetchResponseTopic] = ...,
        error_code: int = 0,
        groups: list[OffsetFetchResponse.OffsetFetchResponseGroup] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetForLeaderEpochRequest(Body):
    class OffsetForLeaderPartition(Part):
        partition: int
        current_leader_epoch: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            current_leader_epoch: int = -1,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetForLeaderTopic(Part):
        topic: str
        partitions: list[OffsetForLeaderEpochRequest.OffsetForLeaderPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            partitions: list[OffsetForLeaderEpochRequest.OffsetForLeaderPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    replica_id: int
    topics: list[OffsetForLeaderEpochRequest.OffsetForLeaderTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        replica_id: int = -2,
        topics: list[OffsetForLeaderEpochRequest.OffsetForLeaderTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetForLeaderEpochResponse(Body):
    class EpochEndOffset(Part):
        error_code: int
        partition: int
        leader_epoch: int
        end_offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            partition: int = 0,
            leader_epoch: int = -1,
            end_offset: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class OffsetForLeaderTopicResult(Part):
        topic: str
        partitions: list[OffsetForLeaderEpochResponse.EpochEndOffset]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            partitions: list[OffsetForLeaderEpochResponse.EpochEndOffset] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ProduceRequest(Body):
    class PartitionProduceData(Part):
        index: int
        records: Any
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            index: int = 0,
            records: Any = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicProduceData(Part):
        name: str
        topic_id: bytes
        partition_data: list[ProduceRequest.PartitionProduceData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            topic_id: bytes = ...,
            partition_data: list[ProduceRequest.PartitionProduceData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    transactional_id: str | None
    acks: int
    timeout_ms: int
    topic_data: list[ProduceRequest.TopicProduceData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        transactional_id: str | None = None,
        acks: int = 0,
        timeout_ms: int = 0,
        topic_data: list[ProduceRequest.TopicProduceData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ProduceResponse(Body):
    class BatchIndexAndErrorMessage(Part):
        batch_index: int
        batch_index_error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            batch_index: int = 0,
            batch_index_error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class LeaderIdAndEpoch(Part):
        leader_id: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            leader_id: int = -1,
            leader_epoch: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionProduceResponse(Part):
        index: int
        error_code: int
        base_offset: int
        log_append_time_ms: int
        log_start_offset: int
        record_errors: list[ProduceResponse.BatchIndexAndErrorMessage]
        error_message: str | None
        current_leader: ProduceResponse.LeaderIdAndEpoch
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            index: int = 0,
            error_code: int = 0,
            base_offset: int = 0,
            log_append_time_ms: int = -1,
            log_start_offset: int = -1,
            record_errors: list[ProduceResponse.BatchIndexAndErrorMessage] = ...,
            error_message: str | None = None,
            current_leader: ProduceResponse.LeaderIdAndEpoch = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicProduceResponse(Part):
        name: str
        topic_id: bytes
        partition_responses: list[ProduceResponse.PartitionProduceResponse]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            topic_id: bytes = ...,
            partition_responses: list[ProduceResponse.PartitionProduceResponse] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class NodeEndpoint(Part):
        node_id: int
        host: str
        port: int
        rack: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            rack: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    responses: list[ProduceResponse.TopicProduceResponse]
    throttle_time_ms: int
    node_endpoints: list[ProduceResponse.NodeEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        responses: list[ProduceResponse.TopicProduceResponse] = ...,
        throttle_time_ms: int = 0,
        node_endpoints: list[ProduceResponse.NodeEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class PushTelemetryRequest(Body):
    client_instance_id: bytes
    subscription_id: int
    terminating: bool
    compression_type: int
    metrics: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        client_instance_id: bytes = ...,
        subscription_id: int = 0,
        terminating: bool = False,
        compression_type: int = 0,
        metrics: bytes = b"",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class PushTelemetryResponse(Body):
    throttle_time_ms: int
    error_code: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ReadShareGroupStateRequest(Body):
    class PartitionData(Part):
        partition: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ReadStateData(Part):
        topic_id: bytes
        partitions: list[ReadShareGroupStateRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[ReadShareGroupStateRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[ReadShareGroupStateRequest.ReadStateData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[ReadShareGroupStateRequest.ReadStateData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ReadShareGroupStateResponse(Body):
    class StateBatch(Part):
        first_offset: int
        last_offset: int
        delivery_state: int
        delivery_count: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            first_offset: int = 0,
            last_offset: int = 0,
            delivery_state: int = 0,
            delivery_count: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionResult(Part):
        partition: int
        error_code: int
        error_message: str | None
        state_epoch: int
        start_offset: int
        state_batches: list[ReadShareGroupStateResponse.StateBatch]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            state_epoch: int = 0,
            start_offset: int = 0,
            state_batches: list[ReadShareGroupStateResponse.StateBatch] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ReadStateResult(Part):
        topic_id: bytes
        partitions: list[ReadShareGroupStateResponse.PartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[ReadShareGroupStateResponse.PartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    results: list[ReadShareGroupStateResponse.ReadStateResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        results: list[ReadShareGroupStateResponse.ReadStateResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ReadShareGroupStateSummaryRequest(Body):
    class PartitionData(Part):
        partition: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ReadStateSummaryData(Part):
        topic_id: bytes
        partitions: list[ReadShareGroupStateSummaryRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[ReadShareGroupStateSummaryRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[ReadShareGroupStateSummaryRequest.ReadStateSummaryData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[ReadShareGroupStateSummaryRequest.ReadStateSummaryData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ReadShareGroupStateSummaryResponse(Body):
    class PartitionResult(Part):
        partition: int
        error_code: int
        error_message: str | None
        state_epoch: int
        leader_epoch: int
        start_offset: int
        delivery_complete_count: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            state_epoch: int = 0,
            leader_epoch: int = 0,
            start_offset: int = 0,
            delivery_complete_count: int = -1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ReadStateSummaryResult(Part):
        topic_id: bytes
        partitions: list[ReadShareGroupStateSummaryResponse.PartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[ReadShareGroupStateSummaryResponse.PartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    results: list[ReadShareGroupStateSummaryResponse.ReadStateSummaryResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        results: list[ReadShareGroupStateSummaryResponse.ReadStateSummaryResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoveRaftVoterRequest(Body):
    cluster_id: str | None
    voter_id: int
    voter_directory_id: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str | None = "",
        voter_id: int = 0,
        voter_directory_id: bytes = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoveRaftVoterResponse(Body):
    throttle_time_ms: int
    error_code: int
    error_message: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RenewDelegationTokenRequest(Body):
    hmac: bytes
    renew_period_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        hmac: bytes = b"",
        renew_period_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RenewDelegationTokenResponse(Body):
    error_code: int
    expiry_timestamp_ms: int
    throttle_time_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        expiry_timestamp_ms: int = 0,
        throttle_time_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RequestHeader(Body):
    request_api_key: int
    request_api_version: int
    correlation_id: int
    client_id: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        request_api_key: int = 0,
        request_api_version: int = 0,
        correlation_id: int = 0,
        client_id: str | None = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ResponseHeader(Body):
    correlation_id: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        correlation_id: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class SaslAuthenticateRequest(Body):
    auth_bytes: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        auth_bytes: bytes = b"",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class SaslAuthenticateResponse(Body):
    error_code: int
    error_message: str | None
    auth_bytes: bytes
    session_lifetime_ms: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        auth_bytes: bytes = b"",
        session_lifetime_ms: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class SaslHandshakeRequest(Body):
    mechanism: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        mechanism: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class SaslHandshakeResponse(Body):
    error_code: int
    mechanisms: list[str]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        mechanisms: list[str] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareAcknowledgeRequest(Body):
    class AcknowledgementBatch(Part):
        first_offset: int
        last_offset: int
        acknowledge_types: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            first_offset: int = 0,
            last_offset: int = 0,
            acknowledge_types: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AcknowledgePartition(Part):
        partition_index: int
        acknowledgement_batches: list[ShareAcknowledgeRequest.AcknowledgementBatch]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            acknowledgement_batches: list[ShareAcknowledgeRequest.AcknowledgementBatch] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AcknowledgeTopic(Part):
        topic_id: bytes
        partitions: list[ShareAcknowledgeRequest.AcknowledgePartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[ShareAcknowledgeRequest.AcknowledgePartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str | None
    member_id: str | None
    share_session_epoch: int
    is_renew_ack: bool
    topics: list[ShareAcknowledgeRequest.AcknowledgeTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str | None = None,
        member_id: str | None = "",
        share_session_epoch: int = 0,
        is_renew_ack: bool = False,
        topics: list[ShareAcknowledgeRequest.AcknowledgeTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareAcknowledgeResponse(Body):
    class LeaderIdAndEpoch(Part):
        leader_id: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            leader_id: int = 0,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionData(Part):
        partition_index: int
        error_code: int
        error_message: str | None
        current_leader: ShareAcknowledgeResponse.LeaderIdAndEpoch
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            current_leader: ShareAcknowledgeResponse.LeaderIdAndEpoch = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ShareAcknowledgeTopicResponse(Part):
        topic_id: bytes
        partitions: list[ShareAcknowledgeResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[ShareAcknowledgeResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class NodeEndpoint(Part):
        node_id: int
        host: str
        port: int
        rack: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            rack: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    acquisition_lock_timeout_ms: int
    responses: list[ShareAcknowledgeResponse.ShareAcknowledgeTopicResponse]
    node_endpoints: list[ShareAcknowledgeResponse.NodeEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acquisition_lock_timeout_ms: int = 0,
        responses: list[ShareAcknowledgeResponse.ShareAcknowledgeTopicResponse] = ...,
        node_endpoints: list[ShareAcknowledgeResponse.NodeEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareFetchRequest(Body):
    class AcknowledgementBatch(Part):
        first_offset: int
        last_offset: int
        acknowledge_types: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            first_offset: int = 0,
            last_offset: int = 0,
            acknowledge_types: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class FetchPartition(Part):
        partition_index: int
        acknowledgement_batches: list[ShareFetchRequest.AcknowledgementBatch]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            acknowledgement_batches: list[ShareFetchRequest.AcknowledgementBatch] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class FetchTopic(Part):
        topic_id: bytes
        partitions: list[ShareFetchRequest.FetchPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[ShareFetchRequest.FetchPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ForgottenTopic(Part):
        topic_id: bytes
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str | None
    member_id: str | None
    share_session_epoch: int
    max_wait_ms: int
    min_bytes: int
    max_bytes: int
    max_records: int
    batch_size: int
    share_acquire_mode: int
    is_renew_ack: bool
    topics: list[ShareFetchRequest.FetchTopic]
    forgotten_topics_data: list[ShareFetchRequest.ForgottenTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str | None = None,
        member_id: str | None = "",
        share_session_epoch: int = 0,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        max_records: int = 0,
        batch_size: int = 0,
        share_acquire_mode: int = 0,
        is_renew_ack: bool = False,
        topics: list[ShareFetchRequest.FetchTopic] = ...,
        forgotten_topics_data: list[ShareFetchRequest.ForgottenTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareFetchResponse(Body):
    class LeaderIdAndEpoch(Part):
        leader_id: int
        leader_epoch: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            leader_id: int = 0,
            leader_epoch: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class AcquiredRecords(Part):
        first_offset: int
        last_offset: int
        delivery_count: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            first_offset: int = 0,
            last_offset: int = 0,
            delivery_count: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionData(Part):
        partition_index: int
        error_code: int
        error_message: str | None
        acknowledge_error_code: int
        acknowledge_error_message: str | None
        current_leader: ShareFetchResponse.LeaderIdAndEpoch
        records: Any
        acquired_records: list[ShareFetchResponse.AcquiredRecords]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            acknowledge_error_code: int = 0,
            acknowledge_error_message: str | None = None,
            current_leader: ShareFetchResponse.LeaderIdAndEpoch = ...,
            records: Any = None,
            acquired_records: list[ShareFetchResponse.AcquiredRecords] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class ShareFetchableTopicResponse(Part):
        topic_id: bytes
        partitions: list[ShareFetchResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[ShareFetchResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class NodeEndpoint(Part):
        node_id: int
        host: str
        port: int
        rack: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            rack: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    acquisition_lock_timeout_ms: int
    responses: list[ShareFetchResponse.ShareFetchableTopicResponse]
    node_endpoints: list[ShareFetchResponse.NodeEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acquisition_lock_timeout_ms: int = 0,
        responses: list[ShareFetchResponse.ShareFetchableTopicResponse] = ...,
        node_endpoints: list[ShareFetchResponse.NodeEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupDescribeRequest(Body):
    group_ids: list[str]
    include_authorized_operations: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_ids: list[str] = ...,
        include_authorized_operations: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupDescribeResponse(Body):
    class TopicPartitions(Part):
        topic_id: bytes
        topic_name: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            topic_name: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Assignment(Part):
        topic_partitions: list[ShareGroupDescribeResponse.TopicPartitions]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_partitions: list[ShareGroupDescribeResponse.TopicPartitions] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Member(Part):
        member_id: str
        rack_id: str | None
        member_epoch: int
        client_id: str
        client_host: str
        subscribed_topic_names: list[str]
        assignment: ShareGroupDescribeResponse.Assignment
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            rack_id: str | None = None,
            member_epoch: int = 0,
            client_id: str = "",
            client_host: str = "",
            subscribed_topic_names: list[str] = ...,
            assignment: ShareGroupDescribeResponse.Assignment = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribedGroup(Part):
        error_code: int
        error_message: str | None
        group_id: str
        group_state: str
        group_epoch: int
        assignment_epoch: int
        assignor_name: str
        members: list[ShareGroupDescribeResponse.Member]
        authorized_operations: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = None,
            group_id: str = "",
            group_state: str = "",
            group_epoch: int = 0,
            assignment_epoch: int = 0,
            assignor_name: str = "",
            members: list[ShareGroupDescribeResponse.Member] = ...,
            authorized_operations: int = -2147483648,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    groups: list[ShareGroupDescribeResponse.DescribedGroup]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        groups: list[ShareGroupDescribeResponse.DescribedGroup] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupHeartbeatRequest(Body):
    group_id: str
    member_id: str
    member_epoch: int
    rack_id: str | None
    subscribed_topic_names: list[str] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        rack_id: str | None = None,
        subscribed_topic_names: list[str] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupHeartbeatResponse(Body):
    class TopicPartitions(Part):
        topic_id: bytes
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Assignment(Part):
        topic_partitions: list[ShareGroupHeartbeatResponse.TopicPartitions]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_partitions: list[ShareGroupHeartbeatResponse.TopicPartitions] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    member_id: str | None
    member_epoch: int
    heartbeat_interval_ms: int
    assignment: ShareGroupHeartbeatResponse.Assignment | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str | None = None,
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        assignment: ShareGroupHeartbeatResponse.Assignment | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupDescribeRequest(Body):
    group_ids: list[str]
    include_authorized_operations: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_ids: list[str] = ...,
        include_authorized_operations: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupDescribeResponse(Body):
    class KeyValue(Part):
        key: str
        value: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            key: str = "",
            value: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicInfo(Part):
        name: str
        partitions: int
        replication_factor: int
        topic_configs: list[StreamsGroupDescribeResponse.KeyValue]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: int = 0,
            replication_factor: int = 0,
            topic_configs: list[StreamsGroupDescribeResponse.KeyValue] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Subtopology(Part):
        subtopology_id: str
        source_topics: list[str]
        repartition_sink_topics: list[str]
        state_changelog_topics: list[StreamsGroupDescribeResponse.TopicInfo]
        repartition_source_topics: list[StreamsGroupDescribeResponse.TopicInfo]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            source_topics: list[str] = ...,
            repartition_sink_topics: list[str] = ...,
            state_changelog_topics: list[StreamsGroupDescribeResponse.TopicInfo] = ...,
            repartition_source_topics: list[StreamsGroupDescribeResponse.TopicInfo] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Topology(Part):
        epoch: int
        subtopologies: list[StreamsGroupDescribeResponse.Subtopology] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            epoch: int = 0,
            subtopologies: list[StreamsGroupDescribeResponse.Subtopology] | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Endpoint(Part):
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TaskOffset(Part):
        subtopology_id: str
        partition: int
        offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            partition: int = 0,
            offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TaskIds(Part):
        subtopology_id: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Assignment(Part):
        active_tasks: list[StreamsGroupDescribeResponse.TaskIds]
        standby_tasks: list[StreamsGroupDescribeResponse.TaskIds]
        warmup_tasks: list[StreamsGroupDescribeResponse.TaskIds]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            active_tasks: list[StreamsGroupDescribeResponse.TaskIds] = ...,
            standby_tasks: list[StreamsGroupDescribeResponse.TaskIds] = ...,
            warmup_tasks: list[StreamsGroupDescribeResponse.TaskIds] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Member(Part):
        member_id: str
        member_epoch: int
        instance_id: str | None
        rack_id: str | None
        client_id: str
        client_host: str
        topology_epoch: int
        process_id: str
        user_endpoint: StreamsGroupDescribeResponse.Endpoint | None
        client_tags: list[StreamsGroupDescribeResponse.KeyValue]
        task_offsets: list[StreamsGroupDescribeResponse.TaskOffset]
        task_end_offsets: list[StreamsGroupDescribeResponse.TaskOffset]
        assignment: StreamsGroupDescribeResponse.Assignment
        target_assignment: StreamsGroupDescribeResponse.Assignment
        is_classic: bool
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            member_epoch: int = 0,
            instance_id: str | None = None,
            rack_id: str | None = None,
            client_id: str = "",
            client_host: str = "",
            topology_epoch: int = 0,
            process_id: str = "",
            user_endpoint: StreamsGroupDescribeResponse.Endpoint | None = None,
            client_tags: list[StreamsGroupDescribeResponse.KeyValue] = ...,
            task_offsets: list[StreamsGroupDescribeResponse.TaskOffset] = ...,
            task_end_offsets: list[StreamsGroupDescribeResponse.TaskOffset] = ...,
            assignment: StreamsGroupDescribeResponse.Assignment = ...,
            target_assignment: StreamsGroupDescribeResponse.Assignment = ...,
            is_classic: bool = False,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class DescribedGroup(Part):
        error_code: int
        error_message: str | None
        group_id: str
        group_state: str
        group_epoch: int
        assignment_epoch: int
        topology: StreamsGroupDescribeResponse.Topology | None
        members: list[StreamsGroupDescribeResponse.Member]
        authorized_operations: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            error_code: int = 0,
            error_message: str | None = None,
            group_id: str = "",
            group_state: str = "",
            group_epoch: int = 0,
            assignment_epoch: int = 0,
            topology: StreamsGroupDescribeResponse.Topology | None = None,
            members: list[StreamsGroupDescribeResponse.Member] = ...,
            authorized_operations: int = -2147483648,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    groups: list[StreamsGroupDescribeResponse.DescribedGroup]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        groups: list[StreamsGroupDescribeResponse.DescribedGroup] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupHeartbeatRequest(Body):
    class KeyValue(Part):
        key: str
        value: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            key: str = "",
            value: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicInfo(Part):
        name: str
        partitions: int
        replication_factor: int
        topic_configs: list[StreamsGroupHeartbeatRequest.KeyValue]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: int = 0,
            replication_factor: int = 0,
            topic_configs: list[StreamsGroupHeartbeatRequest.KeyValue] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class CopartitionGroup(Part):
        source_topics: list[int]
        source_topic_regex: list[int]
        repartition_source_topics: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            source_topics: list[int] = ...,
            source_topic_regex: list[int] = ...,
            repartition_source_topics: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Subtopology(Part):
        subtopology_id: str
        source_topics: list[str]
        source_topic_regex: list[str]
        state_changelog_topics: list[StreamsGroupHeartbeatRequest.TopicInfo]
        repartition_sink_topics: list[str]
        repartition_source_topics: list[StreamsGroupHeartbeatRequest.TopicInfo]
        copartition_groups: list[StreamsGroupHeartbeatRequest.CopartitionGroup]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            source_topics: list[str] = ...,
            source_topic_regex: list[str] = ...,
            state_changelog_topics: list[StreamsGroupHeartbeatRequest.TopicInfo] = ...,
            repartition_sink_topics: list[str] = ...,
            repartition_source_topics: list[StreamsGroupHeartbeatRequest.TopicInfo] = ...,
            copartition_groups: list[StreamsGroupHeartbeatRequest.CopartitionGroup] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Topology(Part):
        epoch: int
        subtopologies: list[StreamsGroupHeartbeatRequest.Subtopology]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            epoch: int = 0,
            subtopologies: list[StreamsGroupHeartbeatRequest.Subtopology] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TaskIds(Part):
        subtopology_id: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Endpoint(Part):
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TaskOffset(Part):
        subtopology_id: str
        partition: int
        offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            partition: int = 0,
            offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    member_id: str
    member_epoch: int
    endpoint_information_epoch: int
    instance_id: str | None
    rack_id: str | None
    rebalance_timeout_ms: int
    topology: StreamsGroupHeartbeatRequest.Topology | None
    active_tasks: list[StreamsGroupHeartbeatRequest.TaskIds] | None
    standby_tasks: list[StreamsGroupHeartbeatRequest.TaskIds] | None
    warmup_tasks: list[StreamsGroupHeartbeatRequest.TaskIds] | None
    process_id: str | None
    user_endpoint: StreamsGroupHeartbeatRequest.Endpoint | None
    client_tags: list[StreamsGroupHeartbeatRequest.KeyValue] | None
    task_offsets: list[StreamsGroupHeartbeatRequest.TaskOffset] | None
    task_end_offsets: list[StreamsGroupHeartbeatRequest.TaskOffset] | None
    shutdown_application: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        endpoint_information_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        topology: StreamsGroupHeartbeatRequest.Topology | None = None,
        active_tasks: list[StreamsGroupHeartbeatRequest.TaskIds] | None = None,
        standby_tasks: list[StreamsGroupHeartbeatRequest.TaskIds] | None = None,
        warmup_tasks: list[StreamsGroupHeartbeatRequest.TaskIds] | None = None,
        process_id: str | None = None,
        user_endpoint: StreamsGroupHeartbeatRequest.Endpoint | None = None,
        client_tags: list[StreamsGroupHeartbeatRequest.KeyValue] | None = None,
        task_offsets: list[StreamsGroupHeartbeatRequest.TaskOffset] | None = None,
        task_end_offsets: list[StreamsGroupHeartbeatRequest.TaskOffset] | None = None,
        shutdown_application: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupHeartbeatResponse(Body):
    class Status(Part):
        status_code: int
        status_detail: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            status_code: int = 0,
            status_detail: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TaskIds(Part):
        subtopology_id: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class Endpoint(Part):
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicPartition(Part):
        topic: str
        partitions: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            partitions: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class EndpointToPartitions(Part):
        user_endpoint: StreamsGroupHeartbeatResponse.Endpoint
        active_partitions: list[StreamsGroupHeartbeatResponse.TopicPartition]
        standby_partitions: list[StreamsGroupHeartbeatResponse.TopicPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            user_endpoint: StreamsGroupHeartbeatResponse.Endpoint = ...,
            active_partitions: list[StreamsGroupHeartbeatResponse.TopicPartition] = ...,
            standby_partitions: list[StreamsGroupHeartbeatResponse.TopicPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    member_id: str
    member_epoch: int
    heartbeat_interval_ms: int
    acceptable_recovery_lag: int
    task_offset_interval_ms: int
    status: list[StreamsGroupHeartbeatResponse.Status] | None
    active_tasks: list[StreamsGroupHeartbeatResponse.TaskIds] | None
    standby_tasks: list[StreamsGroupHeartbeatResponse.TaskIds] | None
    warmup_tasks: list[StreamsGroupHeartbeatResponse.TaskIds] | None
    endpoint_information_epoch: int
    partitions_by_user_endpoint: list[StreamsGroupHeartbeatResponse.EndpointToPartitions] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str = "",
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        acceptable_recovery_lag: int = 0,
        task_offset_interval_ms: int = 0,
        status: list[StreamsGroupHeartbeatResponse.Status] | None = ...,
        active_tasks: list[StreamsGroupHeartbeatResponse.TaskIds] | None = None,
        standby_tasks: list[StreamsGroupHeartbeatResponse.TaskIds] | None = None,
        warmup_tasks: list[StreamsGroupHeartbeatResponse.TaskIds] | None = None,
        endpoint_information_epoch: int = 0,
        partitions_by_user_endpoint: list[StreamsGroupHeartbeatResponse.EndpointToPartitions] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class SyncGroupRequest(Body):
    class SyncGroupRequestAssignment(Part):
        member_id: str
        assignment: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            assignment: bytes = b"",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    generation_id: int
    member_id: str
    group_instance_id: str | None
    protocol_type: str | None
    protocol_name: str | None
    assignments: list[SyncGroupRequest.SyncGroupRequestAssignment]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignments: list[SyncGroupRequest.SyncGroupRequestAssignment] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class SyncGroupResponse(Body):
    throttle_time_ms: int
    error_code: int
    protocol_type: str | None
    protocol_name: str | None
    assignment: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignment: bytes = b"",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class TxnOffsetCommitRequest(Body):
    class TxnOffsetCommitRequestPartition(Part):
        partition_index: int
        committed_offset: int
        committed_leader_epoch: int
        committed_metadata: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            committed_offset: int = 0,
            committed_leader_epoch: int = -1,
            committed_metadata: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TxnOffsetCommitRequestTopic(Part):
        name: str
        partitions: list[TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    transactional_id: str
    group_id: str
    producer_id: int
    producer_epoch: int
    generation_id: int
    member_id: str
    group_instance_id: str | None
    topics: list[TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        transactional_id: str = "",
        group_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        generation_id: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        topics: list[TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class TxnOffsetCommitResponse(Body):
    class TxnOffsetCommitResponsePartition(Part):
        partition_index: int
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TxnOffsetCommitResponseTopic(Part):
        name: str
        partitions: list[TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    topics: list[TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UnregisterBrokerRequest(Body):
    broker_id: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UnregisterBrokerResponse(Body):
    throttle_time_ms: int
    error_code: int
    error_message: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UpdateFeaturesRequest(Body):
    class FeatureUpdateKey(Part):
        feature: str
        max_version_level: int
        allow_downgrade: bool
        upgrade_type: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            feature: str = "",
            max_version_level: int = 0,
            allow_downgrade: bool = False,
            upgrade_type: int = 1,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    timeout_ms: int
    feature_updates: list[UpdateFeaturesRequest.FeatureUpdateKey]
    validate_only: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        timeout_ms: int = 60000,
        feature_updates: list[UpdateFeaturesRequest.FeatureUpdateKey] = ...,
        validate_only: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UpdateFeaturesResponse(Body):
    class UpdatableFeatureResult(Part):
        feature: str
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            feature: str = "",
            error_code: int = 0,
            error_message: str | None = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    error_message: str | None
    results: list[UpdateFeaturesResponse.UpdatableFeatureResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[UpdateFeaturesResponse.UpdatableFeatureResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UpdateRaftVoterRequest(Body):
    class Listener(Part):
        name: str
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class KRaftVersionFeature(Part):
        min_supported_version: int
        max_supported_version: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            min_supported_version: int = 0,
            max_supported_version: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    cluster_id: str | None
    current_leader_epoch: int
    voter_id: int
    voter_directory_id: bytes
    listeners: list[UpdateRaftVoterRequest.Listener]
    k_raft_version_feature: UpdateRaftVoterRequest.KRaftVersionFeature
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str | None = "",
        current_leader_epoch: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = ...,
        listeners: list[UpdateRaftVoterRequest.Listener] = ...,
        k_raft_version_feature: UpdateRaftVoterRequest.KRaftVersionFeature = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UpdateRaftVoterResponse(Body):
    class CurrentLeader(Part):
        leader_id: int
        leader_epoch: int
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            leader_id: int = -1,
            leader_epoch: int = -1,
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    throttle_time_ms: int
    error_code: int
    current_leader: UpdateRaftVoterResponse.CurrentLeader
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        current_leader: UpdateRaftVoterResponse.CurrentLeader = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class VoteRequest(Body):
    class PartitionData(Part):
        partition_index: int
        replica_epoch: int
        replica_id: int
        replica_directory_id: bytes
        voter_directory_id: bytes
        last_offset_epoch: int
        last_offset: int
        pre_vote: bool
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            replica_epoch: int = 0,
            replica_id: int = 0,
            replica_directory_id: bytes = ...,
            voter_directory_id: bytes = ...,
            last_offset_epoch: int = 0,
            last_offset: int = 0,
            pre_vote: bool = False,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_name: str
        partitions: list[VoteRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[VoteRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    cluster_id: str | None
    voter_id: int
    topics: list[VoteRequest.TopicData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        voter_id: int = -1,
        topics: list[VoteRequest.TopicData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class VoteResponse(Body):
    class PartitionData(Part):
        partition_index: int
        error_code: int
        leader_id: int
        leader_epoch: int
        vote_granted: bool
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            leader_id: int = 0,
            leader_epoch: int = 0,
            vote_granted: bool = False,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicData(Part):
        topic_name: str
        partitions: list[VoteResponse.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_name: str = "",
            partitions: list[VoteResponse.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class NodeEndpoint(Part):
        node_id: int
        host: str
        port: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            node_id: int = 0,
            host: str = "",
            port: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    error_code: int
    topics: list[VoteResponse.TopicData]
    node_endpoints: list[VoteResponse.NodeEndpoint]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        error_code: int = 0,
        topics: list[VoteResponse.TopicData] = ...,
        node_endpoints: list[VoteResponse.NodeEndpoint] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class WriteShareGroupStateRequest(Body):
    class StateBatch(Part):
        first_offset: int
        last_offset: int
        delivery_state: int
        delivery_count: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            first_offset: int = 0,
            last_offset: int = 0,
            delivery_state: int = 0,
            delivery_count: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class PartitionData(Part):
        partition: int
        state_epoch: int
        leader_epoch: int
        start_offset: int
        delivery_complete_count: int
        state_batches: list[WriteShareGroupStateRequest.StateBatch]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            state_epoch: int = 0,
            leader_epoch: int = 0,
            start_offset: int = 0,
            delivery_complete_count: int = -1,
            state_batches: list[WriteShareGroupStateRequest.StateBatch] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class WriteStateData(Part):
        topic_id: bytes
        partitions: list[WriteShareGroupStateRequest.PartitionData]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[WriteShareGroupStateRequest.PartitionData] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    group_id: str
    topics: list[WriteShareGroupStateRequest.WriteStateData]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[WriteShareGroupStateRequest.WriteStateData] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class WriteShareGroupStateResponse(Body):
    class PartitionResult(Part):
        partition: int
        error_code: int
        error_message: str | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            error_code: int = 0,
            error_message: str | None = None,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class WriteStateResult(Part):
        topic_id: bytes
        partitions: list[WriteShareGroupStateResponse.PartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[WriteShareGroupStateResponse.PartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    results: list[WriteShareGroupStateResponse.WriteStateResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        results: list[WriteShareGroupStateResponse.WriteStateResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class WriteTxnMarkersRequest(Body):
    class WritableTxnMarkerTopic(Part):
        name: str
        partition_indexes: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partition_indexes: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class WritableTxnMarker(Part):
        producer_id: int
        producer_epoch: int
        transaction_result: bool
        topics: list[WriteTxnMarkersRequest.WritableTxnMarkerTopic]
        coordinator_epoch: int
        transaction_version: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            producer_id: int = 0,
            producer_epoch: int = 0,
            transaction_result: bool = False,
            topics: list[WriteTxnMarkersRequest.WritableTxnMarkerTopic] = ...,
            coordinator_epoch: int = 0,
            transaction_version: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    markers: list[WriteTxnMarkersRequest.WritableTxnMarker]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        markers: list[WriteTxnMarkersRequest.WritableTxnMarker] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class WriteTxnMarkersResponse(Body):
    class WritableTxnMarkerPartitionResult(Part):
        partition_index: int
        error_code: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition_index: int = 0,
            error_code: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class WritableTxnMarkerTopicResult(Part):
        name: str
        partitions: list[WriteTxnMarkersResponse.WritableTxnMarkerPartitionResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: list[WriteTxnMarkersResponse.WritableTxnMarkerPartitionResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class WritableTxnMarkerResult(Part):
        producer_id: int
        topics: list[WriteTxnMarkersResponse.WritableTxnMarkerTopicResult]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            producer_id: int = 0,
            topics: list[WriteTxnMarkersResponse.WritableTxnMarkerTopicResult] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    markers: list[WriteTxnMarkersResponse.WritableTxnMarkerResult]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        markers: list[WriteTxnMarkersResponse.WritableTxnMarkerResult] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...
