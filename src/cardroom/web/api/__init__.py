"""The JSON calls under ``/api/v1``."""
