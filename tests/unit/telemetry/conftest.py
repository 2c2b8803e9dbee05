"""A collector on a loopback socket, which decodes what it is sent."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue


@dataclass(frozen=True, slots=True)
class SentSpan:
    """A span as it arrived. Times are in nanoseconds since 1970."""

    name: str
    id: bytes
    parent_id: bytes
    trace_id: bytes
    kind: str
    attributes: dict[str, Any]
    events: tuple[tuple[str, dict[str, Any]], ...]
    is_error: bool
    description: str
    start: int
    end: int


@dataclass
class Collector:
    """Takes spans; answers with `status`."""

    url: str = ""
    status: int = 200
    spans: list[SentSpan] = field(default_factory=list)
    resource: dict[str, Any] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    heard: threading.Event = field(default_factory=threading.Event)

    def named(self, name: str) -> SentSpan:
        [span] = [span for span in self.spans if span.name == name]
        return span

    def children_of(self, span: SentSpan) -> list[str]:
        own = [each for each in self.spans if each.parent_id == span.id]
        return [each.name for each in sorted(own, key=lambda each: (each.start, each.end))]

    def take(self, path: str, body: bytes) -> None:
        self.paths.append(path)
        self.bodies.append(body)
        request = ExportTraceServiceRequest.FromString(body)
        for group in request.resource_spans:
            self.resource = {each.key: plain(each.value) for each in group.resource.attributes}
            self.spans += [_read(span) for scope in group.scope_spans for span in scope.spans]
        self.heard.set()


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            made.take(self.path, self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(made.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield made
        server.shutdown()
        thread.join()


def plain(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [plain(each) for each in value.array_value.values]
    return getattr(value, kind) if kind else None


def _read(span: Any) -> SentSpan:
    return SentSpan(
        name=span.name,
        id=span.span_id,
        parent_id=span.parent_span_id,
        trace_id=span.trace_id,
        kind=span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_").lower(),
        attributes={each.key: plain(each.value) for each in span.attributes},
        events=tuple(
            (each.name, {one.key: plain(one.value) for one in each.attributes})
            for each in span.events
        ),
        is_error=span.status.code == span.status.STATUS_CODE_ERROR,
        description=span.status.message,
        start=span.start_time_unix_nano,
        end=span.end_time_unix_nano,
    )
