# Written by `python -m tools.write_stubs` from the declarations; do not edit.
# ruff: noqa: A002  # fields have Kafka's names

from typing import Any

from millrace.schema.classes import Body, M, Part
from millrace.schema.compile import decode as decode
from millrace.schema.compile import decoder as decoder
from millrace.schema.compile import encode as encode
from millrace.schema.compile import encoder as encoder
from millrace.schema.compile import source_of as source_of
from millrace.schema.wire import Buffer

GROUP: str
TRANSACTION: str
SHARE: str
METADATA: str
REMOTE: str
NAMES: tuple[str, ...]

def key_type(log: str, number: int) -> type[Body] | None: ...
def value_type(log: str, number: int) -> type[Body] | None: ...
def metadata_type(number: int) -> type[Body] | None: ...
def encode_key(key: Body) -> bytes: ...
def decode_key(log: str, buffer: Buffer) -> Body | None: ...
def encode_versioned(message: Body, version: int) -> bytes: ...
def decode_versioned(cls: type[M], buffer: Buffer, *, newer: bool = False) -> tuple[M, int]: ...
def decode_value(key: Body, buffer: Buffer | None) -> Any: ...
def encode_metadata(record: Body, version: int) -> bytes: ...
def decode_metadata(buffer: Buffer) -> Any: ...

class AbortTransactionRecord(Body):
    reason: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        reason: str | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class AccessControlEntryRecord(Body):
    id: bytes
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
        id: bytes = ...,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 0,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class BeginTransactionRecord(Body):
    name: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        name: str | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class BrokerRegistrationChangeRecord(Body):
    broker_id: int
    broker_epoch: int
    fenced: int
    in_controlled_shutdown: int
    log_dirs: list[bytes]
    cordoned_log_dirs: list[bytes] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = 0,
        fenced: int = 0,
        in_controlled_shutdown: int = 0,
        log_dirs: list[bytes] = ...,
        cordoned_log_dirs: list[bytes] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ClearElrRecord(Body):
    topic_name: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topic_name: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ClientQuotaRecord(Body):
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

    entity: list[ClientQuotaRecord.EntityData]
    key: str
    value: float
    remove: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        entity: list[ClientQuotaRecord.EntityData] = ...,
        key: str = "",
        value: float = 0.0,
        remove: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConfigRecord(Body):
    resource_type: int
    resource_name: str
    name: str
    value: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        resource_type: int = 0,
        resource_name: str = "",
        name: str = "",
        value: str | None = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupCurrentMemberAssignmentKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupCurrentMemberAssignmentValue(Body):
    class TopicPartitions(Part):
        topic_id: bytes
        partitions: list[int]
        assignment_epochs: list[int] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            partitions: list[int] = ...,
            assignment_epochs: list[int] | None = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    member_epoch: int
    previous_member_epoch: int
    state: int
    assigned_partitions: list[ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions]
    partitions_pending_revocation: list[ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: list[ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions] = ...,
        partitions_pending_revocation: list[ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupMemberMetadataKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupMemberMetadataValue(Body):
    class ClassicProtocol(Part):
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

    class ClassicMemberMetadata(Part):
        session_timeout_ms: int
        supported_protocols: list[ConsumerGroupMemberMetadataValue.ClassicProtocol]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            session_timeout_ms: int = 0,
            supported_protocols: list[ConsumerGroupMemberMetadataValue.ClassicProtocol] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    instance_id: str | None
    rack_id: str | None
    client_id: str
    client_host: str
    subscribed_topic_names: list[str]
    subscribed_topic_regex: str | None
    rebalance_timeout_ms: int
    server_assignor: str | None
    classic_member_metadata: ConsumerGroupMemberMetadataValue.ClassicMemberMetadata | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = ...,
        subscribed_topic_regex: str | None = "",
        rebalance_timeout_ms: int = -1,
        server_assignor: str | None = "",
        classic_member_metadata: ConsumerGroupMemberMetadataValue.ClassicMemberMetadata | None = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupMetadataKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupMetadataValue(Body):
    epoch: int
    metadata_hash: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        epoch: int = 0,
        metadata_hash: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupPartitionMetadataKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupPartitionMetadataValue(Body):
    class PartitionMetadata(Part):
        partition: int
        racks: list[str]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            partition: int = 0,
            racks: list[str] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class TopicMetadata(Part):
        topic_id: bytes
        topic_name: str
        num_partitions: int
        partition_metadata: list[ConsumerGroupPartitionMetadataValue.PartitionMetadata]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            topic_name: str = "",
            num_partitions: int = 0,
            partition_metadata: list[ConsumerGroupPartitionMetadataValue.PartitionMetadata] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topics: list[ConsumerGroupPartitionMetadataValue.TopicMetadata]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[ConsumerGroupPartitionMetadataValue.TopicMetadata] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupRegularExpressionKey(Body):
    group_id: str
    regular_expression: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        regular_expression: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupRegularExpressionValue(Body):
    topics: list[str]
    version: int
    timestamp: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[str] = ...,
        version: int = 0,
        timestamp: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupTargetAssignmentMemberKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupTargetAssignmentMemberValue(Body):
    class TopicPartition(Part):
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

    topic_partitions: list[ConsumerGroupTargetAssignmentMemberValue.TopicPartition]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topic_partitions: list[ConsumerGroupTargetAssignmentMemberValue.TopicPartition] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupTargetAssignmentMetadataKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerGroupTargetAssignmentMetadataValue(Body):
    assignment_epoch: int
    assignment_timestamp: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerProtocolAssignment(Body):
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

    assigned_partitions: list[ConsumerProtocolAssignment.TopicPartition]
    user_data: bytes | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        assigned_partitions: list[ConsumerProtocolAssignment.TopicPartition] = ...,
        user_data: bytes | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ConsumerProtocolSubscription(Body):
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

    topics: list[str]
    user_data: bytes | None
    owned_partitions: list[ConsumerProtocolSubscription.TopicPartition]
    generation_id: int
    rack_id: str | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topics: list[str] = ...,
        user_data: bytes | None = None,
        owned_partitions: list[ConsumerProtocolSubscription.TopicPartition] = ...,
        generation_id: int = -1,
        rack_id: str | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ControlRecordTypeSchema(Body):
    type: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        type: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DefaultPrincipalData(Body):
    type: str
    name: str
    token_authenticated: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        type: str = "",
        name: str = "",
        token_authenticated: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class DelegationTokenRecord(Body):
    owner: str
    requester: str
    renewers: list[str]
    issue_timestamp: int
    max_timestamp: int
    expiration_timestamp: int
    token_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        owner: str = "",
        requester: str = "",
        renewers: list[str] = ...,
        issue_timestamp: int = 0,
        max_timestamp: int = 0,
        expiration_timestamp: int = 0,
        token_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class EndTransactionRecord(Body):
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class EndTxnMarker(Body):
    coordinator_epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        coordinator_epoch: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class FeatureLevelRecord(Body):
    name: str
    feature_level: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        name: str = "",
        feature_level: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class FenceBrokerRecord(Body):
    id: int
    epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        id: int = 0,
        epoch: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class GroupMetadataKey(Body):
    group: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class GroupMetadataValue(Body):
    class MemberMetadata(Part):
        member_id: str
        group_instance_id: str | None
        client_id: str
        client_host: str
        rebalance_timeout: int
        session_timeout: int
        subscription: bytes
        assignment: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            member_id: str = "",
            group_instance_id: str | None = None,
            client_id: str = "",
            client_host: str = "",
            rebalance_timeout: int = -1,
            session_timeout: int = 0,
            subscription: bytes = b"",
            assignment: bytes = b"",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    protocol_type: str
    generation: int
    protocol: str | None
    leader: str | None
    current_state_timestamp: int
    members: list[GroupMetadataValue.MemberMetadata]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        protocol_type: str = "",
        generation: int = 0,
        protocol: str | None = "",
        leader: str | None = "",
        current_state_timestamp: int = -1,
        members: list[GroupMetadataValue.MemberMetadata] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class KRaftVersionRecord(Body):
    version: int
    k_raft_version: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        version: int = 0,
        k_raft_version: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class LeaderChangeMessage(Body):
    class Voter(Part):
        voter_id: int
        voter_directory_id: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            voter_id: int = 0,
            voter_directory_id: bytes = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    version: int
    leader_id: int
    voters: list[LeaderChangeMessage.Voter]
    granting_voters: list[LeaderChangeMessage.Voter]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        version: int = 0,
        leader_id: int = 0,
        voters: list[LeaderChangeMessage.Voter] = ...,
        granting_voters: list[LeaderChangeMessage.Voter] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class LegacyOffsetCommitKey(Body):
    group: str
    topic: str
    partition: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group: str = "",
        topic: str = "",
        partition: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class LegacyOffsetCommitValue(Body):
    offset: int
    metadata: str
    commit_timestamp: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        offset: int = 0,
        metadata: str = "",
        commit_timestamp: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class NoOpRecord(Body):
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetCommitKey(Body):
    group: str
    topic: str
    partition: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group: str = "",
        topic: str = "",
        partition: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class OffsetCommitValue(Body):
    offset: int
    leader_epoch: int
    metadata: str
    commit_timestamp: int
    expire_timestamp: int
    topic_id: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        offset: int = 0,
        leader_epoch: int = -1,
        metadata: str = "",
        commit_timestamp: int = 0,
        expire_timestamp: int = -1,
        topic_id: bytes = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class PartitionChangeRecord(Body):
    partition_id: int
    topic_id: bytes
    isr: list[int] | None
    leader: int
    replicas: list[int] | None
    removing_replicas: list[int] | None
    adding_replicas: list[int] | None
    leader_recovery_state: int
    directories: list[bytes] | None
    eligible_leader_replicas: list[int] | None
    last_known_elr: list[int] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        partition_id: int = -1,
        topic_id: bytes = ...,
        isr: list[int] | None = None,
        leader: int = -2,
        replicas: list[int] | None = None,
        removing_replicas: list[int] | None = None,
        adding_replicas: list[int] | None = None,
        leader_recovery_state: int = -1,
        directories: list[bytes] | None = None,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class PartitionRecord(Body):
    partition_id: int
    topic_id: bytes
    replicas: list[int]
    isr: list[int]
    removing_replicas: list[int]
    adding_replicas: list[int]
    leader: int
    leader_recovery_state: int
    leader_epoch: int
    partition_epoch: int
    directories: list[bytes]
    eligible_leader_replicas: list[int] | None
    last_known_elr: list[int] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        partition_id: int = -1,
        topic_id: bytes = ...,
        replicas: list[int] = ...,
        isr: list[int] = ...,
        removing_replicas: list[int] = ...,
        adding_replicas: list[int] = ...,
        leader: int = -1,
        leader_recovery_state: int = 0,
        leader_epoch: int = -1,
        partition_epoch: int = -1,
        directories: list[bytes] = ...,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ProducerIdsRecord(Body):
    broker_id: int
    broker_epoch: int
    next_producer_id: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        next_producer_id: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ProducerSnapshot(Body):
    class ProducerEntry(Part):
        producer_id: int
        epoch: int
        last_sequence: int
        last_offset: int
        offset_delta: int
        timestamp: int
        coordinator_epoch: int
        current_txn_first_offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            producer_id: int = 0,
            epoch: int = 0,
            last_sequence: int = 0,
            last_offset: int = 0,
            offset_delta: int = 0,
            timestamp: int = 0,
            coordinator_epoch: int = 0,
            current_txn_first_offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    crc: int
    producer_entries: list[ProducerSnapshot.ProducerEntry]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        crc: int = 0,
        producer_entries: list[ProducerSnapshot.ProducerEntry] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class QuorumStateData(Body):
    class Voter(Part):
        voter_id: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            voter_id: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    cluster_id: str
    leader_id: int
    leader_epoch: int
    voted_id: int
    voted_directory_id: bytes
    applied_offset: int
    current_voters: list[QuorumStateData.Voter] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        cluster_id: str = "",
        leader_id: int = -1,
        leader_epoch: int = -1,
        voted_id: int = -1,
        voted_directory_id: bytes = ...,
        applied_offset: int = 0,
        current_voters: list[QuorumStateData.Voter] | None = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RegisterBrokerRecord(Body):
    class BrokerEndpoint(Part):
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

    class BrokerFeature(Part):
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
    is_migrating_zk_broker: bool
    incarnation_id: bytes
    broker_epoch: int
    end_points: list[RegisterBrokerRecord.BrokerEndpoint]
    features: list[RegisterBrokerRecord.BrokerFeature]
    rack: str | None
    fenced: bool
    in_controlled_shutdown: bool
    log_dirs: list[bytes]
    cordoned_log_dirs: list[bytes] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        is_migrating_zk_broker: bool = False,
        incarnation_id: bytes = ...,
        broker_epoch: int = 0,
        end_points: list[RegisterBrokerRecord.BrokerEndpoint] = ...,
        features: list[RegisterBrokerRecord.BrokerFeature] = ...,
        rack: str | None = "",
        fenced: bool = True,
        in_controlled_shutdown: bool = False,
        log_dirs: list[bytes] = ...,
        cordoned_log_dirs: list[bytes] | None = None,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RegisterControllerRecord(Body):
    class ControllerEndpoint(Part):
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

    class ControllerFeature(Part):
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
    end_points: list[RegisterControllerRecord.ControllerEndpoint]
    features: list[RegisterControllerRecord.ControllerFeature]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        controller_id: int = 0,
        incarnation_id: bytes = ...,
        zk_migration_ready: bool = False,
        end_points: list[RegisterControllerRecord.ControllerEndpoint] = ...,
        features: list[RegisterControllerRecord.ControllerFeature] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoteLogSegmentMetadataRecord(Body):
    class TopicIdPartitionEntry(Part):
        name: str
        id: bytes
        partition: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            id: bytes = ...,
            partition: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class RemoteLogSegmentIdEntry(Part):
        topic_id_partition: RemoteLogSegmentMetadataRecord.TopicIdPartitionEntry
        id: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id_partition: RemoteLogSegmentMetadataRecord.TopicIdPartitionEntry = ...,
            id: bytes = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class SegmentLeaderEpochEntry(Part):
        leader_epoch: int
        offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            leader_epoch: int = 0,
            offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    remote_log_segment_id: RemoteLogSegmentMetadataRecord.RemoteLogSegmentIdEntry
    start_offset: int
    end_offset: int
    broker_id: int
    max_timestamp_ms: int
    event_timestamp_ms: int
    segment_leader_epochs: list[RemoteLogSegmentMetadataRecord.SegmentLeaderEpochEntry]
    segment_size_in_bytes: int
    custom_metadata: bytes | None
    remote_log_segment_state: int
    txn_index_empty: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        remote_log_segment_id: RemoteLogSegmentMetadataRecord.RemoteLogSegmentIdEntry = ...,
        start_offset: int = 0,
        end_offset: int = 0,
        broker_id: int = 0,
        max_timestamp_ms: int = 0,
        event_timestamp_ms: int = 0,
        segment_leader_epochs: list[RemoteLogSegmentMetadataRecord.SegmentLeaderEpochEntry] = ...,
        segment_size_in_bytes: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
        txn_index_empty: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoteLogSegmentMetadataSnapshotRecord(Body):
    class SegmentLeaderEpochEntry(Part):
        leader_epoch: int
        offset: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            leader_epoch: int = 0,
            offset: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    segment_id: bytes
    start_offset: int
    end_offset: int
    broker_id: int
    max_timestamp_ms: int
    event_timestamp_ms: int
    segment_leader_epochs: list[RemoteLogSegmentMetadataSnapshotRecord.SegmentLeaderEpochEntry]
    segment_size_in_bytes: int
    custom_metadata: bytes | None
    remote_log_segment_state: int
    txn_index_empty: bool
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        segment_id: bytes = ...,
        start_offset: int = 0,
        end_offset: int = 0,
        broker_id: int = 0,
        max_timestamp_ms: int = 0,
        event_timestamp_ms: int = 0,
        segment_leader_epochs: list[RemoteLogSegmentMetadataSnapshotRecord.SegmentLeaderEpochEntry] = ...,
        segment_size_in_bytes: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
        txn_index_empty: bool = False,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoteLogSegmentMetadataUpdateRecord(Body):
    class TopicIdPartitionEntry(Part):
        name: str
        id: bytes
        partition: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            id: bytes = ...,
            partition: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    class RemoteLogSegmentIdEntry(Part):
        topic_id_partition: RemoteLogSegmentMetadataUpdateRecord.TopicIdPartitionEntry
        id: bytes
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id_partition: RemoteLogSegmentMetadataUpdateRecord.TopicIdPartitionEntry = ...,
            id: bytes = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    remote_log_segment_id: RemoteLogSegmentMetadataUpdateRecord.RemoteLogSegmentIdEntry
    broker_id: int
    event_timestamp_ms: int
    custom_metadata: bytes | None
    remote_log_segment_state: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        remote_log_segment_id: RemoteLogSegmentMetadataUpdateRecord.RemoteLogSegmentIdEntry = ...,
        broker_id: int = 0,
        event_timestamp_ms: int = 0,
        custom_metadata: bytes | None = None,
        remote_log_segment_state: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemotePartitionDeleteMetadataRecord(Body):
    class TopicIdPartitionEntry(Part):
        name: str
        id: bytes
        partition: int
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            id: bytes = ...,
            partition: int = 0,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    topic_id_partition: RemotePartitionDeleteMetadataRecord.TopicIdPartitionEntry
    broker_id: int
    event_timestamp_ms: int
    remote_partition_delete_state: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topic_id_partition: RemotePartitionDeleteMetadataRecord.TopicIdPartitionEntry = ...,
        broker_id: int = 0,
        event_timestamp_ms: int = 0,
        remote_partition_delete_state: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoveAccessControlEntryRecord(Body):
    id: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        id: bytes = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoveDelegationTokenRecord(Body):
    token_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        token_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoveTopicRecord(Body):
    topic_id: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topic_id: bytes = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class RemoveUserScramCredentialRecord(Body):
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

class ShareGroupCurrentMemberAssignmentKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupCurrentMemberAssignmentValue(Body):
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

    member_epoch: int
    previous_member_epoch: int
    state: int
    assigned_partitions: list[ShareGroupCurrentMemberAssignmentValue.TopicPartitions]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: list[ShareGroupCurrentMemberAssignmentValue.TopicPartitions] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupMemberMetadataKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupMemberMetadataValue(Body):
    rack_id: str | None
    client_id: str
    client_host: str
    subscribed_topic_names: list[str]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupMetadataKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupMetadataValue(Body):
    epoch: int
    metadata_hash: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        epoch: int = 0,
        metadata_hash: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupStatePartitionMetadataKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupStatePartitionMetadataValue(Body):
    class TopicPartitionsInfo(Part):
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

    class TopicInfo(Part):
        topic_id: bytes
        topic_name: str
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic_id: bytes = ...,
            topic_name: str = "",
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    initializing_topics: list[ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo]
    initialized_topics: list[ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo]
    deleting_topics: list[ShareGroupStatePartitionMetadataValue.TopicInfo]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        initializing_topics: list[ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo] = ...,
        initialized_topics: list[ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo] = ...,
        deleting_topics: list[ShareGroupStatePartitionMetadataValue.TopicInfo] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupTargetAssignmentMemberKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupTargetAssignmentMemberValue(Body):
    class TopicPartition(Part):
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

    topic_partitions: list[ShareGroupTargetAssignmentMemberValue.TopicPartition]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        topic_partitions: list[ShareGroupTargetAssignmentMemberValue.TopicPartition] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupTargetAssignmentMetadataKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareGroupTargetAssignmentMetadataValue(Body):
    assignment_epoch: int
    assignment_timestamp: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareSnapshotKey(Body):
    group_id: str
    topic_id: bytes
    partition: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topic_id: bytes = ...,
        partition: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareSnapshotValue(Body):
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

    snapshot_epoch: int
    state_epoch: int
    leader_epoch: int
    start_offset: int
    delivery_complete_count: int
    create_timestamp: int
    write_timestamp: int
    state_batches: list[ShareSnapshotValue.StateBatch]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        snapshot_epoch: int = 0,
        state_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        create_timestamp: int = 0,
        write_timestamp: int = 0,
        state_batches: list[ShareSnapshotValue.StateBatch] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareUpdateKey(Body):
    group_id: str
    topic_id: bytes
    partition: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        topic_id: bytes = ...,
        partition: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ShareUpdateValue(Body):
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

    snapshot_epoch: int
    leader_epoch: int
    start_offset: int
    delivery_complete_count: int
    state_batches: list[ShareUpdateValue.StateBatch]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        snapshot_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        state_batches: list[ShareUpdateValue.StateBatch] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class SnapshotFooterRecord(Body):
    version: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        version: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class SnapshotHeaderRecord(Body):
    version: int
    last_contained_log_timestamp: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        version: int = 0,
        last_contained_log_timestamp: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupCurrentMemberAssignmentKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupCurrentMemberAssignmentValue(Body):
    class TaskIds(Part):
        subtopology_id: str
        partitions: list[int]
        assignment_epochs: list[int] | None
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            partitions: list[int] = ...,
            assignment_epochs: list[int] | None = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    member_epoch: int
    previous_member_epoch: int
    state: int
    active_tasks: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds]
    standby_tasks: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds]
    warmup_tasks: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds]
    active_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds]
    standby_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds]
    warmup_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        active_tasks: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
        standby_tasks: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
        warmup_tasks: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
        active_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
        standby_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
        warmup_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupMemberMetadataKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupMemberMetadataValue(Body):
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

    instance_id: str | None
    rack_id: str | None
    client_id: str
    client_host: str
    rebalance_timeout_ms: int
    topology_epoch: int
    process_id: str
    user_endpoint: StreamsGroupMemberMetadataValue.Endpoint | None
    client_tags: list[StreamsGroupMemberMetadataValue.KeyValue]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout_ms: int = -1,
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: StreamsGroupMemberMetadataValue.Endpoint | None = None,
        client_tags: list[StreamsGroupMemberMetadataValue.KeyValue] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupMetadataKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupMetadataValue(Body):
    class LastAssignmentConfig(Part):
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

    epoch: int
    metadata_hash: int
    validated_topology_epoch: int
    last_assignment_configs: list[StreamsGroupMetadataValue.LastAssignmentConfig] | None
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        epoch: int = 0,
        metadata_hash: int = 0,
        validated_topology_epoch: int = -1,
        last_assignment_configs: list[StreamsGroupMetadataValue.LastAssignmentConfig] | None = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupTargetAssignmentMemberKey(Body):
    group_id: str
    member_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupTargetAssignmentMemberValue(Body):
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

    active_tasks: list[StreamsGroupTargetAssignmentMemberValue.TaskIds]
    standby_tasks: list[StreamsGroupTargetAssignmentMemberValue.TaskIds]
    warmup_tasks: list[StreamsGroupTargetAssignmentMemberValue.TaskIds]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        active_tasks: list[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
        standby_tasks: list[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
        warmup_tasks: list[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupTargetAssignmentMetadataKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupTargetAssignmentMetadataValue(Body):
    assignment_epoch: int
    assignment_timestamp: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupTopologyKey(Body):
    group_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        group_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class StreamsGroupTopologyValue(Body):
    class TopicConfig(Part):
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
        topic_configs: list[StreamsGroupTopologyValue.TopicConfig]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            name: str = "",
            partitions: int = 0,
            replication_factor: int = 0,
            topic_configs: list[StreamsGroupTopologyValue.TopicConfig] = ...,
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
        state_changelog_topics: list[StreamsGroupTopologyValue.TopicInfo]
        repartition_sink_topics: list[str]
        repartition_source_topics: list[StreamsGroupTopologyValue.TopicInfo]
        copartition_groups: list[StreamsGroupTopologyValue.CopartitionGroup]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            subtopology_id: str = "",
            source_topics: list[str] = ...,
            source_topic_regex: list[str] = ...,
            state_changelog_topics: list[StreamsGroupTopologyValue.TopicInfo] = ...,
            repartition_sink_topics: list[str] = ...,
            repartition_source_topics: list[StreamsGroupTopologyValue.TopicInfo] = ...,
            copartition_groups: list[StreamsGroupTopologyValue.CopartitionGroup] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    epoch: int
    subtopologies: list[StreamsGroupTopologyValue.Subtopology]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        epoch: int = 0,
        subtopologies: list[StreamsGroupTopologyValue.Subtopology] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class TopicRecord(Body):
    name: str
    topic_id: bytes
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class TransactionLogKey(Body):
    transactional_id: str
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        transactional_id: str = "",
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class TransactionLogValue(Body):
    class PartitionsSchema(Part):
        topic: str
        partition_ids: list[int]
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            topic: str = "",
            partition_ids: list[int] = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    producer_id: int
    previous_producer_id: int
    next_producer_id: int
    producer_epoch: int
    next_producer_epoch: int
    transaction_timeout_ms: int
    transaction_status: int
    transaction_partitions: list[TransactionLogValue.PartitionsSchema] | None
    transaction_last_update_timestamp_ms: int
    transaction_start_timestamp_ms: int
    client_transaction_version: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        producer_id: int = 0,
        previous_producer_id: int = -1,
        next_producer_id: int = -1,
        producer_epoch: int = 0,
        next_producer_epoch: int = -1,
        transaction_timeout_ms: int = 0,
        transaction_status: int = 0,
        transaction_partitions: list[TransactionLogValue.PartitionsSchema] | None = ...,
        transaction_last_update_timestamp_ms: int = 0,
        transaction_start_timestamp_ms: int = 0,
        client_transaction_version: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UnfenceBrokerRecord(Body):
    id: int
    epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        id: int = 0,
        epoch: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UnregisterBrokerRecord(Body):
    broker_id: int
    broker_epoch: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class UserScramCredentialRecord(Body):
    name: str
    mechanism: int
    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        name: str = "",
        mechanism: int = 0,
        salt: bytes = b"",
        stored_key: bytes = b"",
        server_key: bytes = b"",
        iterations: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class VotersRecord(Body):
    class Endpoint(Part):
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

    class Voter(Part):
        voter_id: int
        voter_directory_id: bytes
        endpoints: list[VotersRecord.Endpoint]
        k_raft_version_feature: VotersRecord.KRaftVersionFeature
        unknown_tags: dict[int, bytes] | None
        def __init__(
            self,
            *,
            voter_id: int = 0,
            voter_directory_id: bytes = ...,
            endpoints: list[VotersRecord.Endpoint] = ...,
            k_raft_version_feature: VotersRecord.KRaftVersionFeature = ...,
            unknown_tags: dict[int, bytes] | None = None,
        ) -> None: ...

    version: int
    voters: list[VotersRecord.Voter]
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        version: int = 0,
        voters: list[VotersRecord.Voter] = ...,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...

class ZkMigrationStateRecord(Body):
    zk_migration_state: int
    unknown_tags: dict[int, bytes] | None
    def __init__(
        self,
        *,
        zk_migration_state: int = 0,
        unknown_tags: dict[int, bytes] | None = None,
    ) -> None: ...
