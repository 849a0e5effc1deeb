"""The documentation as a site: ``make docs`` lets MkDocs build it, and what is peculiar to this house stands here.

``hooks`` is what MkDocs calls; ``commands`` writes the page of all commands from the commands themselves, ``notebook``
a page from a notebook, ``doctests`` lets examples in docstrings be read as code, ``names`` knows what the reference has
to describe, ``outside`` finds what a page would load from elsewhere, and ``theme`` has the looks.
"""
