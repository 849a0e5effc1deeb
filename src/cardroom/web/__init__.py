"""The web: JSON calls, streams of views, the clock, company and a coach around one floor."""

from cardroom.extras import need

need("web", "Servers", "fastapi", "uvicorn", "httptools", "httpx", "jinja2", "websockets", "prometheus_client")
