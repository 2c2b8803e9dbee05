"""The way out: OpenTelemetry's batches over HTTP, kept quiet. Importing this takes 0.2 s."""

import logging
import os
from collections.abc import Sequence

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from glossator import __version__
from glossator.telemetry.collector import traces_url

_log = logging.getLogger(__name__)

_REQUEST_TIMEOUT_S = 5.0


class QuietExporter(SpanExporter):
    """Sends spans and says once when that fails; `n_lost` counts those that never arrived."""

    def __init__(self, url: str) -> None:
        self.n_lost = 0
        self._url = url
        self._exporter = OTLPSpanExporter(url, timeout=_REQUEST_TIMEOUT_S)
        # It would complain of each batch, and of each try; in a terminal into the answer.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch. Called on the processor's thread."""
        result = self._exporter.export(spans)
        if result is not SpanExportResult.SUCCESS:
            if not self.n_lost:
                _log.warning(
                    "Spans cannot be sent to `%s`; turns go on without. Start the collector or "
                    "empty `telemetry.endpoint`.",
                    self._url,
                )
            self.n_lost += len(spans)
        return result

    def shutdown(self) -> None:
        """Give up what is being tried again."""
        self._exporter.shutdown()  # type: ignore[no-untyped-call] # Has no annotations.


def make_provider(endpoint: str) -> tuple[TracerProvider, QuietExporter]:
    """Build what makes spans and what sends them; nothing is connected yet."""
    attributes: dict[str, str] = {SERVICE_VERSION: __version__}
    if not os.environ.get("OTEL_SERVICE_NAME"):
        attributes[SERVICE_NAME] = "glossator"
    exporter = QuietExporter(traces_url(endpoint))
    provider = TracerProvider(resource=Resource.create(attributes), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider, exporter
