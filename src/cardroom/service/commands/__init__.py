"""Command handlers: a command comes in; its events are stored, and its result is returned."""
