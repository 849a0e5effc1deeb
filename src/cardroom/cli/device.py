"""`cardroom device`: networked equipment is added, renewed, and removed; simulated units for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import AsJson, ReasonOption, SecondLogin, TableName, WholeNumber, examples
from cardroom.cli.shared.output import CommandOutput
from cardroom.extras import require_packages

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

DeviceArgument = Annotated[str, typer.Argument(metavar="DEVICE", help="The device's name.", show_default=False)]
ServerOption = Annotated[str, typer.Option(metavar="URL", help="The address of the server.")]
TokenOption = Annotated[
    str,
    typer.Option(metavar="TOKEN", envvar="CARDROOM_DEVICE_TOKEN", help="The device's token.", show_default=False),
]
LOCAL_SERVER = "http://127.0.0.1:8000"


@app.callback(
    epilog="""A Milky Way tabulator, from setup to its first presses:

- `cardroom device add table-1 T-1001 tabulator --by rosa` (prints the token, once)
- `cardroom serve`
- `cardroom device simulate milky-way --token TOKEN --rounds 20`
"""
)
def device() -> None:
    """Add, renew, and remove tabulators, data loggers, LED signs, monitors, and dealers' consoles; simulate units."""


@declare_action(
    app,
    "device add table-1 T-1001 tabulator --by rosa",
    "device add table-1 screen-1 monitor --by rosa --json",
    "device add table-1 console-1 console --by rosa (of a live table)",
    changes_signs=False,
    name="add",
)
def add_device(
    table: TableName,
    device: DeviceArgument,
    kind: Annotated[
        str,
        typer.Argument(metavar="KIND", help="tabulator, data-logger, led, monitor, or console.", show_default=False),
    ],
) -> CommandAction:
    """Add a device to a table and print its token once. If the token is lost, renew the device."""
    return lambda request: request.card_room.register_device(request.id, request.login, table, device, kind)


@declare_action(app, 'device renew T-1001 --why "The token was left in the open" --by rosa', changes_signs=False)
def renew(device: DeviceArgument, why: ReasonOption = "") -> CommandAction:
    """Give a device a new token and print it once. The old token stops working."""
    return lambda request: request.card_room.renew_device_token(request.id, request.login, device, why)


@declare_action(
    app, 'device remove T-1001 --why "It goes back to the maker" --by rosa', name="remove", changes_signs=False
)
def remove_device(device: DeviceArgument, why: ReasonOption = "") -> CommandAction:
    """Remove a device. Its token stops working."""
    return lambda request: request.card_room.withdraw_device(request.id, request.login, device, why)


@declare_query(app, "device list", "device list --json", name="list")
def list_devices() -> CommandQuery:
    """List all devices and why one is blocked."""
    from cardroom.service.commands.devices import summarize_device
    from cardroom.service.json_output import result_to_json
    from cardroom.terminal.pages.equipment import devices_page

    def read(card_room: CardRoom) -> CommandOutput:
        results = [summarize_device(name, state) for name, state in card_room.list_devices().items()]
        return CommandOutput({"devices": [result_to_json(result) for result in results]}, devices_page(results))

    return read


@declare_action(app, 'device accept-gap A1-77 --why "The memory card was wet" --by rosa --second lee')
def accept_gap(device: DeviceArgument, why: ReasonOption = "", second: SecondLogin = None) -> CommandAction:
    """Accept lost records of a data logger: its counter accounts for the lost rounds. Needs two people."""
    from cardroom.room.codec import encode

    def do(request: CommandRequest) -> CommandOutput:
        acknowledgment = request.card_room.accept_logger_gap(request.id, request.login, device, why, second=second)
        text = f"{device} continues after record {acknowledgment.number}, with the counter reading of that record."
        return CommandOutput(encode(acknowledgment), text)

    return do


@declare_action(app, 'device accept-rounds T-1001 12 --why "The network was down all evening" --by rosa --second lee')
def accept_rounds(
    device: DeviceArgument,
    rounds: Annotated[
        int,
        typer.Argument(metavar="N", help="The number of rounds to accept.", parser=WholeNumber(1), show_default=False),
    ],
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Accept rounds of a device that has sent more than its table can have played. Needs two people."""
    return lambda request: request.card_room.accept_device_rounds(
        request.id, request.login, device, rounds, why, second=second
    )


@declare_action(app, 'device refuse-rounds T-1001 --why "The table was closed" --by rosa --second lee')
def refuse_rounds(device: DeviceArgument, why: ReasonOption = "", second: SecondLogin = None) -> CommandAction:
    """Refuse such rounds: they are never counted, and the device is removed. Needs two people."""
    return lambda request: request.card_room.refuse_device_rounds(request.id, request.login, device, why, second=second)


@app.command(
    "simulate",
    epilog=examples(
        "device simulate milky-way --token TOKEN --rounds 20 --every 0.5",
        "device simulate andromeda-1 --token TOKEN --log A1-77.log --fail lost-lines=0.1,late=0.2,cut=0.1",
        "device simulate andromeda-3 --token TOKEN --screen MONITOR-TOKEN --fail jump=1@17 --seed 7",
        "device simulate milky-way --token TOKEN --server http://cardroom:8000 --fail clock=+90s,repeat=0.2 --json",
    ),
)
def simulate(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="milky-way, andromeda-1, or andromeda-3.", show_default=False)
    ],
    token: TokenOption,
    server: ServerOption = LOCAL_SERVER,
    rounds: Annotated[
        int, typer.Option(metavar="N", help="The number of rounds.", parser=WholeNumber(1, 1_000_000))
    ] = 10,
    every: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="Seconds between rounds.")] = 1.0,
    seed: Annotated[
        int | None,
        typer.Option(metavar="S", help="The same seed repeats the same wagers and failures.", parser=WholeNumber(0)),
    ] = None,
    fail: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE,…",
            help="lost-lines, garbled, late, repeat, cut =SHARE; jump=BY@ROUND; forget=ROUND; clock=+90s.",
        ),
    ] = None,
    patience: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="How long to wait for the server or for people.")
    ] = 300,
    log: Annotated[
        str | None, typer.Option(metavar="FILE", help="An Andromeda-1's file; UNIT.log when left out.")
    ] = None,
    dealer: Annotated[str, typer.Option(metavar="NAME", help="The dealer whom the data logger names.")] = "Kim",
    screen: Annotated[
        str | None, typer.Option(metavar="TOKEN", help="Also show the table's LED sign or monitor; its token.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a unit that sends its presses to a server, with failures on demand, for tests and demonstrations.

    Network failures heal by themselves: everything is sent again under its id. A counter jump or lost records block the
    unit until people follow the printed instruction. Exit code 1: --patience ended first.
    """
    require_packages("equipment-simulators", "Simulated devices", "cardroom_equipment_simulators")
    from cardroom_equipment_simulators.commands import DeviceRun, run_device

    run = DeviceRun(model, server, token, rounds, every, seed, tuple(fail or ()), patience, log, dealer, screen)
    run_device(run, as_json=as_json)


@app.command(
    epilog=examples("device watch --token MONITOR-TOKEN", "device watch --token SIGN-TOKEN --every 2 --changes 5")
)
def watch(
    token: TokenOption,
    server: ServerOption = LOCAL_SERVER,
    every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.05, help="Seconds between two requests of an LED sign.")
    ] = 1.0,
    changes: Annotated[
        int | None,
        typer.Option(metavar="N", help="Exit after this many pictures; otherwise press Ctrl-C.", parser=WholeNumber(1)),
    ] = None,
) -> None:
    """Show the screen of a table: a monitor follows its display, an LED sign requests its line."""
    require_packages("equipment-simulators", "Simulated devices", "cardroom_equipment_simulators")
    from cardroom_equipment_simulators.commands import watch_screen

    watch_screen(server, token, every, changes)
