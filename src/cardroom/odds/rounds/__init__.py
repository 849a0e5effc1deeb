"""Simulated rounds: streams, blocks, tallies, a cluster; sessions and progressives."""
