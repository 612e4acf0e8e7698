"""Writes messages.pyi and records.pyi of src/millrace/kafka anew from the declarations."""

from __future__ import annotations

from pathlib import Path

from millrace.kafka import messages, records
from millrace.schema.stub import stub_source

KAFKA = Path(messages.__file__).parent
REMAKE = "python -m tools.write_stubs"


def stubs() -> dict[Path, str]:
    """The stub files with what they should hold."""
    requests = [messages.request_type(key).MESSAGE for key in messages.API_KEYS]
    responses = [messages.response_type(key).MESSAGE for key in messages.API_KEYS]
    headers = [messages.RequestHeader.MESSAGE, messages.ResponseHeader.MESSAGE]
    rest = [getattr(records, name).MESSAGE for name in records.NAMES]
    wanted = {"messages": [*requests, *responses, *headers], "records": rest}
    return {
        KAFKA / f"{name}.pyi": stub_source((KAFKA / f"{name}.py").read_text(), declared, REMAKE)
        for name, declared in wanted.items()
    }


def main() -> None:
    for path, text in stubs().items():
        path.write_text(text)


if __name__ == "__main__":
    main()
