"""Kafka's keys that have no meaning here (yet): known, so that a configuration file of Kafka's starts unchanged.

One line a key: ``name type default [low..high] [cluster | per-broker] [internal] [| what it is for]``. A default of
``-`` is none, ``()`` an empty list. A key moves from here to ``keys_broker`` when it gets a meaning.
"""

from __future__ import annotations

from millrace.base.keys import Change, Key, Status, Type, Validator, Value, at_least, between, parse_value

_TIERS = """
remote.log.storage.system.enable boolean false | Whether closed segments may move to cheaper storage.
remote.log.storage.manager.impl.prefix string rsm.config.
remote.log.metadata.manager.impl.prefix string rlmm.config.
remote.log.storage.manager.class.name string - | The class that moves them.
remote.log.storage.manager.class.path string -
remote.log.metadata.manager.class.name string org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager | The class that remembers where they are.
remote.log.metadata.manager.class.path string -
remote.log.metadata.manager.listener.name string -
remote.log.metadata.custom.metadata.max.bytes int 128 0..
remote.log.index.file.cache.total.size.bytes long 1073741824 1.. cluster
remote.log.index.file.cache.ttl.ms long 900000 -1.. internal
remote.log.manager.thread.pool.size int 2 1..
remote.log.manager.copier.thread.pool.size int 10 1.. cluster
remote.log.manager.expiration.thread.pool.size int 10 1.. cluster
remote.log.manager.follower.thread.pool.size int 2 1.. cluster
remote.log.manager.task.interval.ms long 30000 1.. | How often the mover looks for work.
remote.log.manager.task.retry.backoff.ms long 500 1.. internal
remote.log.manager.task.retry.backoff.max.ms long 30000 1.. internal
remote.log.manager.task.retry.jitter double 0.2 0..0.5 internal
remote.log.reader.threads int 10 1.. cluster | Threads that read from cheaper storage.
remote.log.reader.max.pending.tasks int 100 1..
remote.log.manager.copy.max.bytes.per.second long 9223372036854775807 1.. cluster
remote.log.manager.copy.quota.window.num int 11 1..
remote.log.manager.copy.quota.window.size.seconds int 1 1..
remote.log.manager.fetch.max.bytes.per.second long 9223372036854775807 1.. cluster
remote.log.manager.fetch.quota.window.num int 11 1..
remote.log.manager.fetch.quota.window.size.seconds int 1 1..
remote.fetch.max.wait.ms int 500 1.. cluster
remote.list.offsets.request.timeout.ms long 30000 1.. cluster
follower.fetch.last.tiered.offset.enable boolean false cluster
"""  # noqa: E501 (the name of a class)

_CONSUMER = """
group.consumer.session.timeout.ms int 45000 1.. | The session of a member without a key of its group.
group.consumer.min.session.timeout.ms int 45000 1..
group.consumer.max.session.timeout.ms int 60000 1..
group.consumer.heartbeat.interval.ms int 5000 1.. | How often a member must be heard.
group.consumer.min.heartbeat.interval.ms int 5000 1..
group.consumer.max.heartbeat.interval.ms int 15000 1..
group.consumer.max.size int 2147483647 1.. | The most members of a group.
group.consumer.assignors list uniform,range | Who may deal out partitions; the first is the default.
group.consumer.migration.policy string bidirectional | Whether groups may move between the classic and this protocol.
group.consumer.assignment.interval.ms int 1000 0.. cluster
group.consumer.min.assignment.interval.ms int 0 0..
group.consumer.max.assignment.interval.ms int 15000 0..
group.consumer.regex.refresh.interval.ms int 600000 10000.. internal
"""

_SHARE = """
group.share.session.timeout.ms int 45000 1..
group.share.min.session.timeout.ms int 45000 1..
group.share.max.session.timeout.ms int 60000 1..
group.share.heartbeat.interval.ms int 5000 1..
group.share.min.heartbeat.interval.ms int 5000 1..
group.share.max.heartbeat.interval.ms int 15000 1..
group.share.max.size int 200 1..1000 | The most members of a share group.
group.share.assignors list simple
group.share.assignment.interval.ms int 1000 0.. cluster
group.share.min.assignment.interval.ms int 0 0..
group.share.max.assignment.interval.ms int 15000 0..
group.share.initialize.retry.interval.ms int 30000 1.. internal
group.share.delivery.count.limit int 5 2..10 | How often a record is delivered before it is given up.
group.share.max.delivery.count.limit int 10 5..25
group.share.min.delivery.count.limit int 2 2..5
group.share.record.lock.duration.ms int 30000 1000..3600000 | How long a record stays with the member that took it.
group.share.min.record.lock.duration.ms int 15000 1000..30000
group.share.max.record.lock.duration.ms int 60000 30000..3600000
group.share.partition.max.record.locks int 2000 100..10000 | How many records of a partition may be out at once.
group.share.max.partition.max.record.locks int 4000 2000..10000
group.share.min.partition.max.record.locks int 100 100..2000
share.fetch.purgatory.purge.interval.requests int 1000
group.share.max.share.sessions int 2000 1..
group.share.persister.class.name string org.apache.kafka.server.share.persister.DefaultStatePersister internal
share.coordinator.state.topic.num.partitions int 50 1.. | The partitions of `__share_group_state`, when it is created.
share.coordinator.state.topic.replication.factor short 3 1.. | The replicas of `__share_group_state`, when created.
share.coordinator.state.topic.min.isr short 2 1.. | As `min.insync.replicas`, for `__share_group_state`.
share.coordinator.state.topic.segment.bytes int 104857600 1..
share.coordinator.threads int 1 1..
share.coordinator.snapshot.update.records.per.snapshot int 500 0..500
share.coordinator.load.buffer.size int 5242880 1..
share.coordinator.state.topic.compression.codec int 0
share.coordinator.append.linger.ms int -1 -1..
share.coordinator.write.timeout.ms int 5000 1..
share.coordinator.state.topic.prune.interval.ms int 300000 1.. internal
share.coordinator.cold.partition.snapshot.interval.ms int 300000 1.. internal
share.coordinator.cached.buffer.max.bytes int 1048588 524288.. cluster
"""

_STREAMS = """
group.streams.session.timeout.ms int 45000 1.. | The session of a member without a key of its group.
group.streams.min.session.timeout.ms int 45000 1..
group.streams.max.session.timeout.ms int 60000 1..
group.streams.heartbeat.interval.ms int 5000 1..
group.streams.min.heartbeat.interval.ms int 5000 1..
group.streams.max.heartbeat.interval.ms int 15000 1..
group.streams.max.size int 2147483647 1..
group.streams.num.standby.replicas int 0 0..
group.streams.max.standby.replicas int 2 0..
group.streams.initial.rebalance.delay.ms int 3000 0..
group.streams.assignment.interval.ms int 1000 0.. cluster
group.streams.min.assignment.interval.ms int 0 0..
group.streams.max.assignment.interval.ms int 15000 0..
"""

_ROOT = """
controlled.shutdown.enable boolean true | Whether a stopping broker hands its leaderships over first.
unstable.feature.versions.enable boolean false internal
initial.broker.registration.timeout.ms int 60000
broker.heartbeat.interval.ms int 2000 | How often a broker tells the controller that it lives.
broker.session.timeout.ms int 9000 | When a silent broker counts as gone.
controller.performance.sample.period.ms long 60000 100.. internal
controller.performance.always.log.threshold.ms long 2000 0.. internal
server.max.startup.time.ms long 9223372036854775807 0.. internal
metadata.log.max.record.bytes.between.snapshots long 20971520 1..
metadata.log.max.snapshot.interval.ms long 3600000 0..
metadata.log.dir string - | Where the metadata log lies, if not in the first data folder.
metadata.log.segment.bytes int 1073741824 8388608..
metadata.log.segment.ms long 604800000
metadata.max.retention.bytes long 104857600
metadata.max.retention.ms long 604800000
metadata.max.idle.interval.ms int 500 0..
internal.metadata.log.segment.bytes int - internal
internal.metadata.max.batch.size.in.bytes int 8388608 internal
internal.metadata.delete.delay.millis long 60000 internal
controller.quorum.voters list () | The voters of the quorum, by number and address.
controller.quorum.bootstrap.servers list () | Where the quorum is found.
controller.quorum.election.timeout.ms int 1000 0.. | How long a voter waits for a leader.
controller.quorum.fetch.timeout.ms int 2000 0.. | How long a voter waits for a fetch.
controller.quorum.election.backoff.max.ms int 1000 0..
controller.quorum.append.linger.ms int 25 0..
controller.quorum.request.timeout.ms int 2000 0..
controller.quorum.retry.backoff.ms int 20 0..
controller.quorum.auto.join.enable boolean false
controller.quorum.fetch.snapshot.max.bytes int 1048576 1..
controller.quorum.fetch.max.bytes int 1048576 1..
"""

_REPLICATION = """
num.replica.alter.log.dirs.threads int -
controller.socket.timeout.ms int 30000
replica.lag.time.max.ms long 30000 | When a follower that lags is no longer in sync.
replica.socket.timeout.ms int 30000
replica.socket.receive.buffer.bytes int 65536
replica.fetch.max.bytes int 1048576 0.. | The most that a follower fetches of a partition at once.
replica.fetch.wait.max.ms int 500 | How long a follower waits for records.
replica.fetch.backoff.ms int 1000 0..
replica.fetch.min.bytes int 1 | How many bytes a follower waits for.
replica.fetch.response.max.bytes int 10485760 0..
leader.replication.throttled.rate long 9223372036854775807 0.. cluster internal
follower.replication.throttled.rate long 9223372036854775807 0.. cluster internal
replica.alter.log.dirs.io.max.bytes.per.second long 9223372036854775807 0.. cluster internal
num.replica.fetchers int 1 1.. cluster | Connections of a follower to each leader.
replica.high.watermark.checkpoint.interval.ms long 5000
auto.leader.rebalance.enable boolean true | Whether leaderships move back to the first replica by themselves.
leader.imbalance.check.interval.seconds long 300 1.. | How often that is looked at.
unclean.leader.election.interval.ms long 300000 1.. internal
replica.selector.class string - | The class that sends a consumer to a near replica.
cordoned.log.dirs list () per-broker
replication.quota.window.num int 11 1..
alter.log.dirs.replication.quota.window.num int 11 1..
replication.quota.window.size.seconds int 1 1..
alter.log.dirs.replication.quota.window.size.seconds int 1 1..
"""

_TRANSACTIONS = """
transaction.state.log.load.buffer.size int 5242880 1..
transaction.state.log.segment.bytes int 104857600 1..
transaction.abort.timed.out.transaction.cleanup.interval.ms int 10000 1..
transaction.remove.expired.transaction.cleanup.interval.ms int 3600000 1..
add.partitions.to.txn.retry.backoff.max.ms int 100 0..
add.partitions.to.txn.retry.backoff.ms int 20 1..
"""

_SECURITY = """
sasl.mechanism.controller.protocol string GSSAPI
connection.failed.authentication.delay.ms int 100 0..
sasl.server.max.receive.size int 524288
security.providers string -
ssl.allow.dn.changes boolean false
ssl.allow.san.changes boolean false
ssl.provider string - per-broker
ssl.keystore.password password - per-broker
ssl.key.password password - per-broker
ssl.keystore.key password - per-broker
ssl.keystore.certificate.chain password - per-broker
ssl.truststore.type string JKS per-broker
ssl.truststore.password password - per-broker
ssl.truststore.certificates password - per-broker
ssl.keymanager.algorithm string SunX509 per-broker
ssl.trustmanager.algorithm string PKIX per-broker
ssl.endpoint.identification.algorithm string https per-broker
ssl.secure.random.implementation string - per-broker
ssl.cipher.suites list () per-broker
ssl.engine.factory.class class - per-broker
sasl.server.callback.handler.class class -
sasl.kerberos.principal.to.local.rules list DEFAULT per-broker
sasl.client.callback.handler.class class -
sasl.login.class class -
sasl.login.callback.handler.class class -
sasl.kerberos.service.name string - per-broker
sasl.kerberos.kinit.cmd string /usr/bin/kinit per-broker
sasl.kerberos.ticket.renew.window.factor double 0.8 per-broker
sasl.kerberos.ticket.renew.jitter double 0.05 per-broker
sasl.kerberos.min.time.before.relogin long 60000 per-broker
sasl.login.refresh.window.factor double 0.8 per-broker
sasl.login.refresh.window.jitter double 0.05 per-broker
sasl.login.refresh.min.period.seconds short 60 per-broker
sasl.login.refresh.buffer.seconds short 300 per-broker
sasl.login.connect.timeout.ms int -
sasl.login.read.timeout.ms int -
sasl.login.retry.backoff.max.ms long 10000
sasl.login.retry.backoff.ms long 100
sasl.oauthbearer.jwt.retriever.class class org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever
sasl.oauthbearer.jwt.validator.class class org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator
sasl.oauthbearer.scope string -
sasl.oauthbearer.client.credentials.client.id string -
sasl.oauthbearer.client.credentials.client.secret password -
sasl.oauthbearer.assertion.algorithm string RS256
sasl.oauthbearer.assertion.claim.aud string -
sasl.oauthbearer.assertion.claim.exp.seconds int 300 0..86400
sasl.oauthbearer.assertion.claim.iss string -
sasl.oauthbearer.assertion.claim.jti.include boolean false
sasl.oauthbearer.assertion.claim.nbf.seconds int 60 0..3600
sasl.oauthbearer.assertion.claim.sub string -
sasl.oauthbearer.assertion.file string -
sasl.oauthbearer.assertion.private.key.file string -
sasl.oauthbearer.assertion.private.key.passphrase password -
sasl.oauthbearer.assertion.template.file string -
sasl.oauthbearer.scope.claim.name string scope
sasl.oauthbearer.sub.claim.name string sub
sasl.oauthbearer.token.endpoint.url string -
sasl.oauthbearer.jwks.endpoint.url string -
sasl.oauthbearer.jwks.endpoint.refresh.ms long 3600000
sasl.oauthbearer.jwks.endpoint.retry.backoff.ms long 100
sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms long 10000
sasl.oauthbearer.clock.skew.seconds int 30
sasl.oauthbearer.expected.audience list ()
sasl.oauthbearer.expected.issuer string -
delegation.token.expiry.check.interval.ms long 3600000 1..
"""

_QUOTAS = """
quota.window.num int 11 1.. | How many windows a quota is measured over.
controller.quota.window.num int 11 1..
quota.window.size.seconds int 1 1.. | The length of such a window.
controller.quota.window.size.seconds int 1 1..
"""

_METRICS = """
metrics.num.samples int 2 1..
metrics.sample.window.ms long 30000 1..
metric.reporters list org.apache.kafka.common.metrics.JmxReporter cluster | Classes that report metrics.
metrics.recording.level string INFO
kafka.metrics.reporters list ()
kafka.metrics.polling.interval.secs int 10 1..
telemetry.max.bytes int 1048576 1.. | The largest report of a client (KIP-714).
"""

_REST = """
request.timeout.ms int 30000 | How long the broker waits for another's answer.
socket.connection.setup.timeout.ms long 10000
socket.connection.setup.timeout.max.ms long 30000
config.providers list () cluster
unstable.api.versions.enable boolean false internal
fetch.purgatory.purge.interval.requests int 1000
producer.purgatory.purge.interval.requests int 1000
delete.records.purgatory.purge.interval.requests int 1
group.coordinator.background.threads int 2 1..
group.coordinator.cached.buffer.max.bytes int 1048588 524288.. cluster
log.initial.task.delay.ms long 30000 0.. internal
"""

_GROUPS = (
    ("Tiered storage.", "There is no tiered storage yet.", _TIERS),
    (
        "Consumer groups of KIP-848.",
        "The consumer group protocol of KIP-848 is not built yet; clients use the classic one.",
        _CONSUMER,
    ),
    ("Share groups.", "Share groups (KIP-932) are not built yet.", _SHARE),
    ("Streams groups.", "The streams group protocol of KIP-1071 is not built yet.", _STREAMS),
    (
        "The quorum of controllers and its log.",
        "Consensus lies with the root of Millrace, not with a Raft quorum, and the metadata log is compacted by key.",
        _ROOT,
    ),
    ("Replication between brokers.", "There is one broker yet.", _REPLICATION),
    ("Transactions.", "Transactions are not built yet.", _TRANSACTIONS),
    ("TLS and SASL.", "Only PLAINTEXT listeners are built yet, and others are refused.", _SECURITY),
    ("Quotas.", "Quotas are not built yet.", _QUOTAS),
    (
        "Metrics.",
        "Metrics are a page for Prometheus (`millrace.metrics.listener`), not classes in the process.",
        _METRICS,
    ),
    ("Workings of Kafka.", "It belongs to how Kafka's broker is built inside.", _REST),
)
_REFUSED = {"remote.log.storage.system.enable"}
_CHANGES = {"cluster": Change.CLUSTER, "per-broker": Change.PER_BROKER}


def _read(line: str, group_doc: str, note: str) -> Key:
    facts, _, doc = line.partition(" | ")
    name, kind, default, *rest = facts.split()
    type_ = Type[kind.upper()]
    valid = next((_range(word) for word in rest if ".." in word), None)
    return Key(
        name=name,
        type=type_,
        default=_default(name, type_, default),
        doc=doc or group_doc,
        valid=valid,
        change=next((_CHANGES[word] for word in rest if word in _CHANGES), Change.RESTART),
        status=Status.REFUSED if name in _REFUSED else Status.ACCEPTED,
        note=note,
        internal="internal" in rest,
    )


def _default(name: str, kind: Type, text: str) -> Value:
    if text == "-":
        return None
    return parse_value(name, kind, "" if text in ("()", "''") else text)


def _range(text: str) -> Validator:
    low, _, high = text.partition("..")
    return between(_number(low), _number(high)) if high else at_least(int(low))


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


FOREIGN_BROKER_KEYS: dict[str, Key] = {
    key.name: key
    for doc, note, table in _GROUPS
    for key in (_read(line, doc, note) for line in table.strip().splitlines())
}
