"""Metrics for Prometheus, on their own address."""

from cardroom.web.prometheus.exporter import MetricsCollector, serve_metrics

__all__ = ["MetricsCollector", "serve_metrics"]
