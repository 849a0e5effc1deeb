"""Short texts in as few lines as they fit in; none of them is broken over two lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.align import Align
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text


@dataclass(frozen=True, slots=True)
class Packed:
    """The texts one after the other; one that alone is longer than a line is broken between words."""

    texts: Sequence[Text]
    centered: bool = True
    between: str = "  "

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [Text()]
        for text in self.texts:
            if lines[-1] and lines[-1].cell_len + len(self.between) + text.cell_len > options.max_width:
                lines.append(Text())
            lines[-1].append(self.between if lines[-1] else "").append(text)
        yield from (Align.center(line) if self.centered else line for line in lines)
