"""The card room in the browser: pages that the server draws, and keeps true while they are open."""
