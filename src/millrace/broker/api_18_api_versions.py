"""ApiVersions (18): which APIs this broker serves, in which versions.

Versions: 0 to 4. Answered before authentication.
Behaviour: a version that is too new is answered in version 0 with UNSUPPORTED_VERSION and this API's own range, so
that the client can ask again (KIP-511). Only what works is named.
Version notes: 3 flexible, with the client's name and version, which must look like a name and a version; 4 allows
features whose lowest version is 0. Produce is said to begin at version 0, as Kafka says it: old librdkafka takes a
higher number for a broker that cannot compress (KIP-896); versions below 3 are refused all the same.
"""

from __future__ import annotations

import re
from typing import Any

from millrace.base.errors import Refused
from millrace.broker.api import Api, Context
from millrace.kafka import codes, messages

Response = messages.ApiVersionsResponse
Version = messages.ApiVersionsResponse.ApiVersion

_SOFTWARE = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?")
PRODUCE = 0


def handle(context: Context, request: Any) -> Any:
    if context.api_version >= 3:
        for name in (request.client_software_name, request.client_software_version):
            if not _SOFTWARE.fullmatch(name):
                raise Refused(codes.INVALID_REQUEST, f"client software {name!r} is not a name or version")
        peer = getattr(context.connection, "context", None)
        if peer is not None:
            peer.software = f"{request.client_software_name} {request.client_software_version}"
    return Response(api_keys=_ranges(context))


def _ranges(context: Context) -> list[Any]:
    return [
        Version(api_key=key, min_version=0 if key == PRODUCE else low, max_version=high)
        for key, (low, high) in sorted(context.broker.api_versions.items())
    ]


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    ranges = []
    if code == codes.UNSUPPORTED_VERSION:
        low, high = context.broker.api_versions[18]
        ranges = [Version(api_key=18, min_version=low, max_version=high)]
    return Response(error_code=code, api_keys=ranges)


API = Api(18, "ApiVersions", (0, 4), handle, fail=fail)
