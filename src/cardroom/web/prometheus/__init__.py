"""Metrics for Prometheus, on a listener of their own."""

from cardroom.web.prometheus.exporter import MetricsCollector, serve_metrics

__all__ = ["MetricsCollector", "serve_metrics"]
