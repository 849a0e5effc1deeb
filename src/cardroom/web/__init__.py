"""The web server: the JSON API, pages, event streams, timers, bots, and the coach of one card room."""

from cardroom.extras import require_packages

require_packages(
    "web", "Servers", "fastapi", "uvicorn", "httptools", "httpx", "jinja2", "websockets", "prometheus_client"
)
