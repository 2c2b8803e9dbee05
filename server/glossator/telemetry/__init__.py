"""OpenTelemetry spans of turns; the only importer of `opentelemetry`."""
