"""Signed heads: a Merkle log of where every hash chain ends, its signatures, its destinations, and a witness.

The format, to the byte, is in ``docs/heads.md``. Nothing here reads a database.
"""
