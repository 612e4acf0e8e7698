"""Apache Kafka as a single broker on this machine, and its command-line tools: the oracle of the slow checks."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools import kafka_jars
from tools.broker_process import BrokerFailed, BrokerProcess
from tools.processes import child_setup, free_port

# Kafka writes a uuid as base64 without padding; one fixed id lets two runs be compared.
CLUSTER_ID = "AAAAAAAAQACAAAAAAAAAAQ"
TOOL_TIMEOUT_S = 600.0
# The flags of Kafka's own start script.
SERVER_FLAGS = (
    "-server",
    "-XX:+UseG1GC",
    "-XX:MaxGCPauseMillis=20",
    "-XX:InitiatingHeapOccupancyPercent=35",
    "-XX:+ExplicitGCInvokesConcurrent",
    "-XX:MaxInlineLevel=15",
    "-Xshare:auto",
    "-Djava.awt.headless=true",
)
TOOL_FLAGS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
# A client that is measured runs as Kafka's start script would run it.
MEASURED_TOOL_FLAGS = ("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-Xshare:auto")

# A log4j2 configuration: the broker's lines go to its output file, a tool's warnings to its stderr.
LOGGING = """\
status=error
appender.console.type=Console
appender.console.name=console
appender.console.target=SYSTEM_ERR
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=[%d] %p %m (%c)%n
rootLogger.level={level}
rootLogger.appenderRefs=console
rootLogger.appenderRef.console.ref=console
"""


class ToolFailed(Exception):
    """One of Kafka's tools ended with an error; the message holds what it wrote."""


class ApacheKafka(BrokerProcess):
    """One combined broker and controller, Kafka's defaults apart from the factors that one broker needs."""

    name = f"Apache Kafka {kafka_jars.KAFKA_VERSION}"

    def __init__(
        self,
        data_dir: Path,
        config: Mapping[str, str] | None = None,
        heap_mb: int = 512,
        *,
        open_files_max: int | None = None,
        command_prefix: tuple[str, ...] = (),
    ) -> None:
        super().__init__(data_dir, config, open_files_max=open_files_max, command_prefix=command_prefix)
        self.heap_mb = heap_mb

    @property
    def log_dir(self) -> Path:
        return self.base_dir / "kafka-logs"

    @property
    def properties_file(self) -> Path:
        return self.base_dir / "server.properties"

    def _prepare(self) -> None:
        self.port = self.port or free_port()
        controller_port = free_port()
        node_id = self.config.get("node.id", "1")
        properties = {
            "process.roles": "broker,controller",
            "node.id": node_id,
            "controller.quorum.voters": f"{node_id}@127.0.0.1:{controller_port}",
            "listeners": f"PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller_port}",
            "controller.listener.names": "CONTROLLER",
            "log.dirs": str(self.log_dir),
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "share.coordinator.state.topic.replication.factor": "1",
            "share.coordinator.state.topic.min.isr": "1",
        }
        properties.update(self.config)
        self.properties_file.write_text("".join(f"{name}={value}\n" for name, value in properties.items()))
        (self.base_dir / "log4j2.properties").write_text(LOGGING.format(level="info"))
        if not (self.log_dir / "meta.properties").exists():
            run_tool(
                "kafka.tools.StorageTool",
                "format",
                "--cluster-id",
                CLUSTER_ID,
                "--config",
                str(self.properties_file),
            )

    def _command(self) -> list[str]:
        return [
            str(kafka_jars.java()),
            *SERVER_FLAGS,
            f"-Xmx{self.heap_mb}m",
            f"-Xms{self.heap_mb}m",
            f"-Dlog4j2.configurationFile={self.base_dir / 'log4j2.properties'}",
            "-cp",
            kafka_jars.class_path(),
            "kafka.Kafka",
            str(self.properties_file),
        ]

    def run_tool(self, main_class: str, *arguments: str, timeout_s: float = TOOL_TIMEOUT_S) -> str:
        """Run one of Kafka's tools against this broker: ``--bootstrap-server`` is put in front."""
        return run_tool(main_class, "--bootstrap-server", self.bootstrap, *arguments, timeout_s=timeout_s)


def tool_command(main_class: str, arguments: Sequence[str], *, heap_mb: int = 256, measured: bool = False) -> list[str]:
    """The command line of one of Kafka's tools; ``measured`` leaves the compiler as it is for a long run."""
    flags = MEASURED_TOOL_FLAGS if measured else TOOL_FLAGS
    logging_file = kafka_jars.cache_dir() / "tool-log4j2.properties"
    if not logging_file.exists():
        logging_file.parent.mkdir(parents=True, exist_ok=True)
        logging_file.write_text(LOGGING.format(level="warn"))
    return [
        str(kafka_jars.java()),
        *flags,
        f"-Xmx{heap_mb}m",
        f"-Dlog4j2.configurationFile={logging_file}",
        "-cp",
        kafka_jars.class_path(),
        main_class,
        *arguments,
    ]


def run_tool(
    main_class: str,
    *arguments: str,
    standard_input: str | None = None,
    heap_mb: int = 256,
    measured: bool = False,
    timeout_s: float = TOOL_TIMEOUT_S,
) -> str:
    """Run one of Kafka's command-line tools to its end; what it wrote on stdout."""
    finished = try_tool(
        main_class,
        *arguments,
        standard_input=standard_input,
        heap_mb=heap_mb,
        measured=measured,
        timeout_s=timeout_s,
    )
    if finished.returncode:
        raise ToolFailed(
            f"{main_class} {' '.join(arguments)} ended with {finished.returncode}\n{finished.stdout}\n{finished.stderr}"
        )
    return finished.stdout


def try_tool(
    main_class: str,
    *arguments: str,
    standard_input: str | None = None,
    heap_mb: int = 256,
    measured: bool = False,
    timeout_s: float = TOOL_TIMEOUT_S,
) -> subprocess.CompletedProcess[str]:
    """As ``run_tool``, but a failure is an answer too: exit code, stdout and stderr are the caller's to judge."""
    return subprocess.run(
        tool_command(main_class, arguments, heap_mb=heap_mb, measured=measured),
        input=standard_input if standard_input is not None else "",
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout_s,
        preexec_fn=child_setup(),
    )


__all__ = ["ApacheKafka", "BrokerFailed", "ToolFailed", "run_tool", "tool_command", "try_tool"]
