"""`cardroom device`: equipment that speaks over the network, registered here; and units to play with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import AsJson, Second, TableName, Why, examples
from cardroom.extras import require_packages

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import Floor

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

DeviceName = Annotated[str, typer.Argument(metavar="DEVICE", help="The device's name.", show_default=False)]
Server = Annotated[str, typer.Option(metavar="URL", help="Where the card room is served.")]
Token = Annotated[
    str,
    typer.Option(metavar="TOKEN", envvar="CARDROOM_DEVICE_TOKEN", help="The device's token.", show_default=False),
]
LOCAL = "http://127.0.0.1:8000"


@app.callback(
    epilog="""A Milky Way at a table, from nothing to its presses:

- `cardroom device register table-1 T-1001 tabulator --by rosa` (prints the token, once)
- `cardroom serve`
- `cardroom device play milky-way --token TOKEN --rounds 20`
"""
)
def device() -> None:
    """Register tabulators, data loggers, LED signs, monitors and dealers' consoles; play units that speak over HTTP."""


@deed(
    app,
    "device register table-1 T-1001 tabulator --by rosa",
    "device register table-1 screen-1 monitor --by rosa --json",
    "device register table-1 console-1 console --by rosa (of a live table)",
    signs=False,
)
def register(
    table: TableName,
    device: DeviceName,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="tabulator, data-logger, led, monitor or console.", show_default=False)
    ],
) -> Deed:
    """Let a device speak for a table, and print its token, this once: renew the device when the token is lost."""
    return lambda sent: sent.floor.register_device(sent.id, sent.who, table, device, kind)


@deed(app, 'device renew T-1001 --why "The paper with the token lay about" --by rosa', signs=False)
def renew(device: DeviceName, why: Why = "") -> Deed:
    """Give a device another token, and print it, this once: the one before it is worth nothing any more."""
    return lambda sent: sent.floor.renew_device(sent.id, sent.who, device, why)


@deed(app, 'device withdraw T-1001 --why "It goes back to the maker" --by rosa', signs=False)
def withdraw(device: DeviceName, why: Why = "") -> Deed:
    """Let a device speak no more."""
    return lambda sent: sent.floor.withdraw_device(sent.id, sent.who, device, why)


@look(app, "device list", "device list --json", name="list")
def all_devices() -> Look:
    """List all devices, and what holds one up."""
    from cardroom.floor.desks.devices import device_standing
    from cardroom.floor.entries import answer_entry
    from cardroom.terminal.pages.equipment import devices_page

    def read(floor: Floor) -> Answer:
        standings = [device_standing(name, stands) for name, stands in floor.devices().items()]
        return Answer({"devices": [answer_entry(one) for one in standings]}, devices_page(standings))

    return read


@deed(app, 'device accept-gap A1-77 --why "The memory card was wet" --by rosa --second lee')
def accept_gap(device: DeviceName, why: Why = "", second: Second = None) -> Deed:
    """Let a data logger go on behind records that it has lost: the counter stands for them. Two people accept that."""
    from cardroom.jackpots.plain import written

    def do(sent: Sender) -> Answer:
        taken = sent.floor.accept_gap(sent.id, sent.who, device, why, second=second)
        said = f"{device} goes on behind record {taken.number}: its counter was read as it stood there."
        return Answer(written(taken), said)

    return do


@deed(app, 'device accept-rounds T-1001 12 --why "The network was down all evening" --by rosa --second lee')
def accept_rounds(
    device: DeviceName,
    rounds: Annotated[
        int, typer.Argument(metavar="N", help="How many rounds it may send.", parser=Whole(1), show_default=False)
    ],
    why: Why = "",
    second: Second = None,
) -> Deed:
    """Accept rounds of a device that has sent more than its table can have played. Two people accept them."""
    return lambda sent: sent.floor.accept_rounds(sent.id, sent.who, device, rounds, why, second=second)


@deed(app, 'device refuse-rounds T-1001 --why "Nobody played at that hour" --by rosa --second lee')
def refuse_rounds(device: DeviceName, why: Why = "", second: Second = None) -> Deed:
    """Refuse such rounds: they are never counted, and the device is withdrawn. Two people refuse them."""
    return lambda sent: sent.floor.refuse_rounds(sent.id, sent.who, device, why, second=second)


@app.command(
    epilog=examples(
        "device play milky-way --token TOKEN --rounds 20 --every 0.5",
        "device play andromeda-1 --token TOKEN --log A1-77.log --fail lost-lines=0.1,late=0.2,cut=0.1",
        "device play andromeda-3 --token TOKEN --screen MONITOR-TOKEN --fail jump=1@17 --seed 7",
        "device play milky-way --token TOKEN --server http://cardroom:8000 --fail clock=+90s,repeat=0.2 --json",
    )
)
def play(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="milky-way, andromeda-1 or andromeda-3.", show_default=False)
    ],
    token: Token,
    server: Server = LOCAL,
    rounds: Annotated[int, typer.Option(metavar="N", help="How many rounds.", parser=Whole(1, 1_000_000))] = 10,
    every: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="Between two rounds.")] = 1.0,
    seed: Annotated[
        int | None,
        typer.Option(metavar="S", help="The same seed brings the same wagers and failures.", parser=Whole(0)),
    ] = None,
    fail: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE,…",
            help="lost-lines, garbled, late, repeat, cut =SHARE; jump=BY@ROUND; forget=ROUND; clock=+90s.",
        ),
    ] = None,
    patience: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="How long to wait for a server, or for people.")
    ] = 300,
    log: Annotated[
        str | None, typer.Option(metavar="FILE", help="An Andromeda-1's file; UNIT.log when left out.")
    ] = None,
    dealer: Annotated[str, typer.Option(metavar="NAME", help="Who deals, by the data logger.")] = "Kim",
    screen: Annotated[
        str | None, typer.Option(metavar="TOKEN", help="Show the table's LED sign or monitor, with its own token.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a unit that tells a server of its presses, with failures on demand; for tests and for showing.

    What goes wrong on the line heals by itself: everything is sent again under its id. A counter that jumps, and what
    the unit has lost, hold it up until people on the floor have done what the sentence says; exit code 1 when the
    patience ends before that.
    """
    require_packages("web", "Units that speak over the network", "httpx")
    from cardroom.cli.device_play import Wanted, play_and_tell

    wanted = Wanted(model, server, token, rounds, every, seed, tuple(fail or ()), patience, log, dealer, screen)
    play_and_tell(wanted, as_json=as_json)


@app.command(
    epilog=examples("device watch --token MONITOR-TOKEN", "device watch --token SIGN-TOKEN --every 2 --changes 5")
)
def watch(
    token: Token,
    server: Server = LOCAL,
    every: Annotated[float, typer.Option(metavar="SECONDS", min=0.05, help="How often an LED sign asks.")] = 1.0,
    changes: Annotated[
        int | None, typer.Option(metavar="N", help="Leave after so many pictures; Ctrl-C otherwise.", parser=Whole(1))
    ] = None,
) -> None:
    """Be the screen of a table: a monitor follows its display, an LED sign fetches its line."""
    require_packages("web", "Units that speak over the network", "httpx")
    from cardroom.cli.device_play import watch_and_show

    watch_and_show(server, token, every, changes)
