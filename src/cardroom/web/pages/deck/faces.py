"""The faces: an index in two corners, large enough for a card as wide as a thumbnail; pips where they have always lain;
courts with the emblem twice, the second on its head."""

from __future__ import annotations

from typing import Final

from cardroom.web.pages.deck.emblems import BRASS, JACK, JOKER, KING, QUEEN
from cardroom.web.pages.deck.outlines import placed
from cardroom.web.pages.deck.shapes import LETTERS, RANKS, SUITS

WIDTH: Final = 250
HEIGHT: Final = 350
FACE: Final = (
    '<rect x="1.5" y="1.5" width="247" height="347" rx="17" '
    'style="fill:var(--card-face,#fdfaf3);stroke:var(--card-edge,#c9bfae);stroke-width:3"/>'
)
INK: Final = {
    "c": "var(--suit-c,#1d1b19)",
    "d": "var(--suit-d,#b3261e)",
    "h": "var(--suit-h,#b3261e)",
    "s": "var(--suit-s,#1d1b19)",
}

_LEFT, _MIDDLE, _RIGHT = 94, 125, 156
_ENDS: Final = (62, 288)
_THREE: Final = (62, 175, 288)
_FOUR: Final = (62, 137, 213, 288)
PIPS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "2": tuple((_MIDDLE, y) for y in _ENDS),
    "3": tuple((_MIDDLE, y) for y in _THREE),
    "4": tuple((x, y) for x in (_LEFT, _RIGHT) for y in _ENDS),
    "5": (*((x, y) for x in (_LEFT, _RIGHT) for y in _ENDS), (_MIDDLE, 175)),
    "6": tuple((x, y) for x in (_LEFT, _RIGHT) for y in _THREE),
    "7": (*((x, y) for x in (_LEFT, _RIGHT) for y in _THREE), (_MIDDLE, 118)),
    "8": (*((x, y) for x in (_LEFT, _RIGHT) for y in _THREE), (_MIDDLE, 118), (_MIDDLE, 232)),
    "9": (*((x, y) for x in (_LEFT, _RIGHT) for y in _FOUR), (_MIDDLE, 175)),
    "T": (*((x, y) for x in (_LEFT, _RIGHT) for y in _FOUR), (_MIDDLE, 99), (_MIDDLE, 251)),
}
"""Where the pips of a number lie; those below the middle stand on their heads."""

_PIP: Final = 0.4
_ACE: Final = 1.16
_EMBLEMS: Final = {"J": JACK, "Q": QUEEN, "K": KING}
_PANEL: Final = "M74 16h160v180h-58v138h-160v-180h58z"
"""A court's frame leaves the corners of the index free, and is the same upside down."""
_STAR: Final = "M0 -48L13 -17L46 -15L20 6L29 38L0 20L-29 38L-20 6L-46 -15L-13 -17Z"


def number(rank: str, suit: str) -> str:
    """A card with pips; the ace has one, large."""
    size = _ACE if rank == "A" else _PIP
    places = ((_MIDDLE, HEIGHT // 2),) if rank == "A" else PIPS[rank]
    pips = "".join(placed(SUITS[suit], x, y, size, turned=y > HEIGHT / 2) for x, y in places)
    return f'{FACE}<g style="fill:{INK[suit]}"><path d="{pips}"/>{_twice(_index(rank, suit))}</g>'


def court(rank: str, suit: str) -> str:
    """A jack, a queen or a king."""
    half = (
        f'<g transform="translate(152 79)" style="stroke:{INK[suit]};stroke-width:5;stroke-linejoin:round">'
        f'{_EMBLEMS[rank]}</g><path d="{placed(SUITS[suit], 152, 149, 0.42)}"/>'
    )
    frame = (
        f'<path style="fill:{BRASS};fill-opacity:.2;stroke:{INK[suit]};stroke-width:3" d="{_PANEL}"/>'
        f'<path style="stroke:{INK[suit]};stroke-width:3" d="M16 154L234 196"/>'
    )
    return f'{FACE}<g style="fill:{INK[suit]}">{frame}{_twice(_index(rank, suit) + half)}</g>'


def joker() -> str:
    """The joker has no suit: a star stands where the others have their rank."""
    letters = "".join(placed(LETTERS[one], 34, 96 + 28 * at, 0.26) for at, one in enumerate("JOKER"))
    index = (
        f'<path style="fill:{INK["h"]}" d="{placed(_STAR, 39, 48, 0.64)}"/>'
        f'<path style="fill:none;stroke:{INK["s"]};stroke-width:4.5" d="{letters}"/>'
    )
    return f'{FACE}{_twice(index)}<g transform="translate(125 182) scale(.66)">{JOKER}</g>'


def _index(rank: str, suit: str) -> str:
    across = 38 if rank == "T" else 40
    return (
        f'<path style="fill:none;stroke:{INK[suit]};stroke-width:12;stroke-miterlimit:2" '
        f'd="{placed(RANKS[rank], across, 53, 0.93)}"/>'
        f'<path d="{placed(SUITS[suit], 40, 122, 0.48)}"/>'
    )


def _twice(half: str) -> str:
    return f'{half}<g transform="rotate(180 {WIDTH // 2} {HEIGHT // 2})">{half}</g>'
