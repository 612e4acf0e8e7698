"""The recipes in ``examples/deploy`` fit the package: their configuration is valid and what they copy is there."""

from __future__ import annotations

import re
from pathlib import Path

from millrace.base.config import BrokerConfig
from millrace.base.properties import parse_properties

HOUSE = Path(__file__).resolve().parent.parent
DEPLOY = HOUSE / "examples" / "deploy"


def test_the_configuration_of_the_image_is_valid() -> None:
    broker = BrokerConfig(parse_properties((DEPLOY / "server.properties").read_text(encoding="utf8")))
    (listener,) = broker.listeners()
    assert (listener.host, listener.advertised_host) == ("0.0.0.0", "localhost")
    assert broker.notices() == []


def test_the_image_is_made_of_what_is_there() -> None:
    recipe = (DEPLOY / "Containerfile").read_text(encoding="utf8")
    copied = [name for line in re.findall(r"^COPY (?!--from)(.+)$", recipe, re.MULTILINE) for name in line.split()[:-1]]
    assert copied
    assert [name for name in copied if not (HOUSE / name).exists()] == []


def test_a_deployment_installs_what_the_development_lock_names() -> None:
    def pins(path: Path) -> set[str]:
        return set(re.findall(r"^([a-z0-9-]+==[^ ;\\]+)", path.read_text(encoding="utf8"), re.MULTILINE))

    deployed = pins(DEPLOY / "requirements.lock")
    assert deployed
    assert deployed < pins(HOUSE / "requirements.lock")


def test_the_locks_name_no_index() -> None:
    for path in (DEPLOY / "requirements.lock", HOUSE / "requirements.lock"):
        text = path.read_text(encoding="utf8")
        assert "://" not in text
        assert "--index" not in text
        assert text.count("==") <= text.count("--hash=sha256:")
