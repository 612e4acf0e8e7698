"""Which client asks for what: every workout through a recording proxy, into ``docs/clients.json``.

python -m tools.exercised            against Millrace; writes the file, which `make docs` puts into the table
python -m tools.exercised --apache   against Apache Kafka: do the workouts themselves hold?
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from tools.apache_kafka import ApacheKafka
from tools.broker_process import BrokerProcess
from tools.kafka_jars import KAFKA_VERSION
from tools.our_broker import OurBroker
from tools.recording_proxy import RecordingProxy
from tools.workouts import WORKOUTS

FILE = Path(__file__).resolve().parent.parent / "docs" / "clients.json"


def exercise(broker: BrokerProcess, proxy: RecordingProxy) -> dict[str, Any]:
    """Client -> its version, and the versions of each request key it sent."""
    found = {}
    for name, (distribution, workout) in WORKOUTS.items():
        proxy.take()
        workout(f"127.0.0.1:{proxy.port}")
        versions: dict[int, set[int]] = {}
        for key, version in proxy.take():
            versions.setdefault(key, set()).add(version)
        found[name] = {
            "version": metadata.version(distribution) if distribution else KAFKA_VERSION,
            "requests": {str(key): sorted(sent) for key, sent in sorted(versions.items())},
        }
        print(f"{name}: {len(versions)} requests of {broker.name} exercised")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--apache", action="store_true", help="against Apache Kafka; writes nothing")
    options = parser.parse_args()
    with RecordingProxy() as proxy, tempfile.TemporaryDirectory() as folder:
        config = {
            "advertised.listeners": f"PLAINTEXT://127.0.0.1:{proxy.port}",
            "group.initial.rebalance.delay.ms": "0",
        }
        broker = (ApacheKafka if options.apache else OurBroker)(Path(folder), config)
        with broker:
            proxy.target_port = broker.port
            found = exercise(broker, proxy)
    if not options.apache:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
