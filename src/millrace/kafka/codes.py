"""Kafka's error codes: number, name, whether the same request may succeed later, and what it means in one sentence.

A code is an ``int``, so it goes into a response as it is. Numbers, names and which are retriable are those of Apache
Kafka 4.3.1 (an oracle test compares all); the sentences are ours, for where no better message is at hand.
"""

from __future__ import annotations


class Code(int):
    """One error code."""

    name: str
    retriable: bool
    message: str

    def __new__(cls, number: int, message: str, *, retriable: bool = False) -> Code:
        code = int.__new__(cls, number)
        code.name = ""
        code.retriable = retriable
        code.message = message
        return code

    def __repr__(self) -> str:
        return f"{self.name}({int(self)})"


def _retriable(number: int, message: str) -> Code:
    return Code(number, message, retriable=True)


# fmt: off
UNKNOWN_SERVER_ERROR = Code(-1, "the broker met an error that has no code of its own")
NONE = Code(0, "no error")
OFFSET_OUT_OF_RANGE = Code(1, "the offset is before the start or past the end of the partition's log")
CORRUPT_MESSAGE = _retriable(2, "the records are damaged, malformed, or lack the key a compacted topic needs")
UNKNOWN_TOPIC_OR_PARTITION = _retriable(3, "no such topic or partition here")
INVALID_FETCH_SIZE = Code(4, "the number of bytes to fetch makes no sense")
LEADER_NOT_AVAILABLE = _retriable(5, "the partition has no leader now")
NOT_LEADER_OR_FOLLOWER = _retriable(6, "this broker does not lead the partition, or holds no replica of it")
REQUEST_TIMED_OUT = _retriable(7, "the time the request allowed is over")
BROKER_NOT_AVAILABLE = Code(8, "the broker is not there")
REPLICA_NOT_AVAILABLE = _retriable(9, "the replica is not there")
MESSAGE_TOO_LARGE = Code(10, "a batch is larger than the topic allows")
STALE_CONTROLLER_EPOCH = Code(11, "the request comes from a controller that was replaced")
OFFSET_METADATA_TOO_LARGE = Code(12, "the note that goes with a committed offset is too long")
NETWORK_EXCEPTION = _retriable(13, "the connection broke before the answer came")
COORDINATOR_LOAD_IN_PROGRESS = _retriable(14, "the coordinator is still reading its log")
COORDINATOR_NOT_AVAILABLE = _retriable(15, "there is no coordinator now")
NOT_COORDINATOR = _retriable(16, "another broker is the coordinator")
INVALID_TOPIC_EXCEPTION = Code(17, "the topic's name is not allowed, or the topic may not be used so")
RECORD_LIST_TOO_LARGE = Code(18, "the batches are larger than a segment of the log may be")
NOT_ENOUGH_REPLICAS = _retriable(19, "fewer replicas are in sync than min.insync.replicas asks for")
NOT_ENOUGH_REPLICAS_AFTER_APPEND = _retriable(20, "written, but to fewer in-sync replicas than required")
INVALID_REQUIRED_ACKS = Code(21, "acks must be -1, 0 or 1")
ILLEGAL_GENERATION = Code(22, "the group has another generation now")
INCONSISTENT_GROUP_PROTOCOL = Code(23, "the member and the group share no protocol, or the member named none")
INVALID_GROUP_ID = Code(24, "the group id is not allowed")
UNKNOWN_MEMBER_ID = Code(25, "the group has no such member")
INVALID_SESSION_TIMEOUT = Code(26, "the session timeout is outside of what the broker allows")
REBALANCE_IN_PROGRESS = Code(27, "the group is forming a new generation: join again")
INVALID_COMMIT_OFFSET_SIZE = Code(28, "the offset commit is too large to be stored")
TOPIC_AUTHORIZATION_FAILED = Code(29, "not authorized for the topic")
GROUP_AUTHORIZATION_FAILED = Code(30, "not authorized for the group")
CLUSTER_AUTHORIZATION_FAILED = Code(31, "not authorized for the cluster")
INVALID_TIMESTAMP = Code(32, "a timestamp is outside of what the topic allows")
UNSUPPORTED_SASL_MECHANISM = Code(33, "the listener does not offer this SASL mechanism")
ILLEGAL_SASL_STATE = Code(34, "the request does not fit the state of the SASL exchange")
UNSUPPORTED_VERSION = Code(35, "this version of the API is not served")
TOPIC_ALREADY_EXISTS = Code(36, "the topic exists already")
INVALID_PARTITIONS = Code(37, "the number of partitions is not possible")
INVALID_REPLICATION_FACTOR = Code(38, "the replication factor is below 1 or above the number of brokers")
INVALID_REPLICA_ASSIGNMENT = Code(39, "the assignment of replicas is not possible")
INVALID_CONFIG = Code(40, "a configuration value is not allowed")
NOT_CONTROLLER = _retriable(41, "another broker is the controller")
INVALID_REQUEST = Code(42, "the request contradicts itself or the protocol")
UNSUPPORTED_FOR_MESSAGE_FORMAT = Code(43, "the format of the stored records cannot do this")
POLICY_VIOLATION = Code(44, "a policy of this cluster forbids it")
OUT_OF_ORDER_SEQUENCE_NUMBER = Code(45, "the producer's sequence has a gap")
DUPLICATE_SEQUENCE_NUMBER = Code(46, "the producer's sequence was seen before")
INVALID_PRODUCER_EPOCH = Code(47, "the producer's epoch is not the current one")
INVALID_TXN_STATE = Code(48, "the transaction is in a state that does not allow this")
INVALID_PRODUCER_ID_MAPPING = Code(49, "the producer id does not belong to the transactional id")
INVALID_TRANSACTION_TIMEOUT = Code(50, "the transaction timeout is outside of what the broker allows")
CONCURRENT_TRANSACTIONS = _retriable(51, "the transaction before is still being finished")
TRANSACTION_COORDINATOR_FENCED = Code(52, "the marker comes from a transaction coordinator that was replaced")
TRANSACTIONAL_ID_AUTHORIZATION_FAILED = Code(53, "not authorized for the transactional id")
SECURITY_DISABLED = Code(54, "no authorizer is configured")
OPERATION_NOT_ATTEMPTED = Code(55, "not tried, because another part of the request failed")
KAFKA_STORAGE_ERROR = _retriable(56, "the log folder failed")
LOG_DIR_NOT_FOUND = Code(57, "the broker has no such log folder")
SASL_AUTHENTICATION_FAILED = Code(58, "authentication failed")
UNKNOWN_PRODUCER_ID = Code(59, "the partition knows nothing of this producer id, its records may have expired")
REASSIGNMENT_IN_PROGRESS = Code(60, "the partition is being moved")
DELEGATION_TOKEN_AUTH_DISABLED = Code(61, "delegation tokens are not enabled")
DELEGATION_TOKEN_NOT_FOUND = Code(62, "no such delegation token")
DELEGATION_TOKEN_OWNER_MISMATCH = Code(63, "neither owner nor renewer of the delegation token")
DELEGATION_TOKEN_REQUEST_NOT_ALLOWED = Code(64, "delegation tokens cannot be managed over this kind of connection")
DELEGATION_TOKEN_AUTHORIZATION_FAILED = Code(65, "not authorized for the delegation token")
DELEGATION_TOKEN_EXPIRED = Code(66, "the delegation token has expired")
INVALID_PRINCIPAL_TYPE = Code(67, "this type of principal is not supported")
NON_EMPTY_GROUP = Code(68, "the group still has members")
GROUP_ID_NOT_FOUND = Code(69, "no such group")
FETCH_SESSION_ID_NOT_FOUND = _retriable(70, "no such fetch session, it may have been evicted")
INVALID_FETCH_SESSION_EPOCH = _retriable(71, "the fetch session has another epoch")
LISTENER_NOT_FOUND = _retriable(72, "the partition's leader has no listener of the name this request came in by")
TOPIC_DELETION_DISABLED = Code(73, "deleting topics is disabled")
FENCED_LEADER_EPOCH = _retriable(74, "the leader epoch of the request is older than the partition's")
UNKNOWN_LEADER_EPOCH = _retriable(75, "the leader epoch of the request is newer than the partition's")
UNSUPPORTED_COMPRESSION_TYPE = Code(76, "this compression cannot be used here")
STALE_BROKER_EPOCH = Code(77, "the broker has registered anew since")
OFFSET_NOT_AVAILABLE = _retriable(78, "a new leader does not know its high watermark yet")
MEMBER_ID_REQUIRED = Code(79, "join again with the member id of this answer")
PREFERRED_LEADER_NOT_AVAILABLE = _retriable(80, "the preferred leader is not there or not in sync")
GROUP_MAX_SIZE_REACHED = Code(81, "the group has as many members as is allowed")
FENCED_INSTANCE_ID = Code(82, "another member has taken this group.instance.id")
ELIGIBLE_LEADERS_NOT_AVAILABLE = _retriable(83, "no replica that may lead is there")
ELECTION_NOT_NEEDED = _retriable(84, "the partition needs no election")
NO_REASSIGNMENT_IN_PROGRESS = Code(85, "the partition is not being moved")
GROUP_SUBSCRIBED_TO_TOPIC = Code(86, "members of the group are subscribed to the topic")
INVALID_RECORD = Code(87, "a record is not acceptable")
UNSTABLE_OFFSET_COMMIT = _retriable(88, "a transaction holds an offset that is not decided yet")
THROTTLING_QUOTA_EXCEEDED = _retriable(89, "the quota is used up")
PRODUCER_FENCED = Code(90, "a newer producer has taken the transactional id")
RESOURCE_NOT_FOUND = Code(91, "no such resource")
DUPLICATE_RESOURCE = Code(92, "the resource is named twice")
UNACCEPTABLE_CREDENTIAL = Code(93, "the credential does not meet the requirements")
INCONSISTENT_VOTER_SET = Code(94, "sender or receiver is not among the voters expected")
INVALID_UPDATE_VERSION = Code(95, "the version to update to is not possible")
FEATURE_UPDATE_FAILED = Code(96, "the feature levels could not be changed")
PRINCIPAL_DESERIALIZATION_FAILURE = Code(97, "the principal of a forwarded request cannot be read")
SNAPSHOT_NOT_FOUND = Code(98, "no such snapshot")
POSITION_OUT_OF_RANGE = Code(99, "the position is not within the snapshot")
UNKNOWN_TOPIC_ID = _retriable(100, "no topic with this id here")
DUPLICATE_BROKER_REGISTRATION = Code(101, "another broker with this id is alive")
BROKER_ID_NOT_REGISTERED = Code(102, "no broker with this id is registered")
INCONSISTENT_TOPIC_ID = _retriable(103, "the topic of this name has another id")
INCONSISTENT_CLUSTER_ID = Code(104, "this is another cluster")
TRANSACTIONAL_ID_NOT_FOUND = Code(105, "no such transactional id")
FETCH_SESSION_TOPIC_ID_ERROR = _retriable(106, "a fetch session uses topic names and topic ids together")
INELIGIBLE_REPLICA = Code(107, "a replica that may not be in sync was named as in sync")
NEW_LEADER_ELECTED = Code(108, "the change was made, and the partition has a new leader")
OFFSET_MOVED_TO_TIERED_STORAGE = Code(109, "the offset is in remote storage only")
FENCED_MEMBER_EPOCH = Code(110, "the member's epoch was fenced: give up all partitions and join again")
UNRELEASED_INSTANCE_ID = Code(111, "another member still has this group.instance.id")
UNSUPPORTED_ASSIGNOR = Code(112, "the group does not support this assignor")
STALE_MEMBER_EPOCH = Code(113, "the member has a newer epoch: try again with it")
MISMATCHED_ENDPOINT_TYPE = Code(114, "a broker was asked for controllers, or the other way round")
UNSUPPORTED_ENDPOINT_TYPE = Code(115, "this type of endpoint is not supported")
UNKNOWN_CONTROLLER_ID = Code(116, "no controller with this id")
UNKNOWN_SUBSCRIPTION_ID = Code(117, "the subscription to client metrics has changed: ask for it again")
TELEMETRY_TOO_LARGE = Code(118, "the client metrics are larger than the broker takes")
INVALID_REGISTRATION = Code(119, "the controller does not accept the broker's registration")
TRANSACTION_ABORTABLE = Code(120, "the transaction has to be aborted, after that the producer can go on")
INVALID_RECORD_STATE = Code(121, "the record is not in a state to be acknowledged so")
SHARE_SESSION_NOT_FOUND = _retriable(122, "no such share session")
INVALID_SHARE_SESSION_EPOCH = _retriable(123, "the share session has another epoch")
FENCED_STATE_EPOCH = Code(124, "the state of the share partition has a newer epoch")
INVALID_VOTER_KEY = Code(125, "the voter's id and folder are not those of the receiver")
DUPLICATE_VOTER = Code(126, "a voter already")
VOTER_NOT_FOUND = Code(127, "not a voter")
INVALID_REGULAR_EXPRESSION = Code(128, "the regular expression cannot be read")
REBOOTSTRAP_REQUIRED = Code(129, "the client's view of the cluster is too old: start again from the bootstrap servers")
STREAMS_INVALID_TOPOLOGY = Code(130, "the topology is not possible")
STREAMS_INVALID_TOPOLOGY_EPOCH = Code(131, "the topology's epoch is not possible")
STREAMS_TOPOLOGY_FENCED = Code(132, "the group has a newer topology")
SHARE_SESSION_LIMIT_REACHED = _retriable(133, "the broker has as many share sessions as is allowed")
# fmt: on

CODES: dict[int, Code] = {}
"""All codes by number."""

for _name, _value in list(globals().items()):
    if isinstance(_value, Code):
        _value.name = _name
        CODES[int(_value)] = _value


def code_of(number: int) -> Code:
    """The code of a number; as in Kafka, one we do not know is an unknown error."""
    return CODES.get(number, UNKNOWN_SERVER_ERROR)
