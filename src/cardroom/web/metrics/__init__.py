"""Figures for whoever watches over the server, in the form that Prometheus reads, on a listener of their own."""

from cardroom.web.metrics.figures import Figures
from cardroom.web.metrics.listener import telling_figures

__all__ = ["Figures", "telling_figures"]
