"""The documentation as a site: what ``make docs`` adds to MkDocs.

``hooks`` is what MkDocs calls. ``commands`` writes the page of all commands from their help, and ``notebook`` a page
from a notebook. ``doctests`` renders examples in docstrings as code, ``names`` lists what the reference must describe,
and ``external_addresses`` finds what a page would load from another host. ``theme`` has the styles.
"""
