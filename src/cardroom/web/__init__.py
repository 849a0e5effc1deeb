"""The web: JSON calls, streams of views, the clock, company and a coach around one floor."""

from cardroom.extras import require_packages

require_packages(
    "web", "Servers", "fastapi", "uvicorn", "httptools", "httpx", "jinja2", "websockets", "prometheus_client"
)
