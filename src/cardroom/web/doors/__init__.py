"""The doors of the room: how it is reached, by whom, how much and how often, and what goes out with every answer."""
