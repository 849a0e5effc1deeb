"""A witness behind an HTTP address: GET shows what it cosigned last, POST asks it to cosign a head."""

from __future__ import annotations

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from cardroom.heads.signed import BadHeadsDocument, cosignature_document, read_head, read_proof
from cardroom.heads.witness import NotCosigned, ProofIsStale, Witness

STATE: Final = "state of a Cardroom witness"
_LONGEST_CALL: Final = 64 * 1024


class WitnessServer(ThreadingHTTPServer):
    """Serves one witness."""

    daemon_threads = True

    def __init__(self, witness: Witness, host: str, port: int) -> None:
        self.witness = witness
        super().__init__((host, port), _Handler)

    @property
    def address(self) -> str:
        """Where it is reached."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"


class _Handler(BaseHTTPRequestHandler):
    server: WitnessServer
    server_version = "cardroom-witness"
    sys_version = ""
    timeout = 10
    """Seconds for a slow caller."""

    def do_GET(self) -> None:
        witness = self.server.witness
        newest = witness.newest
        state = newest.entry() if newest else {"head": None, "cosignature": None}
        self._answer(HTTPStatus.OK, {"document": STATE, "version": 1, "key": witness.key.public, **state})

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and int(length) <= _LONGEST_CALL):
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": "Send at most 64 KB, with their length."})
            return
        try:
            call = json.loads(self.rfile.read(int(length)))
            if not isinstance(call, dict) or type(call.get("from")) is not int:
                raise BadHeadsDocument("'from' must be a whole number.")
            head, proof = read_head(call.get("head")), read_proof(call.get("proof"))
        except (ValueError, RecursionError) as wrong:
            self._answer(HTTPStatus.BAD_REQUEST, {"error": str(wrong)})
            return
        try:
            made = self.server.witness.cosign(head, call["from"], proof)
        except ProofIsStale as wrong:
            self._answer(HTTPStatus.PRECONDITION_FAILED, {"error": str(wrong)})
        except NotCosigned as wrong:
            self.log_message("refused: %s", wrong)
            self._answer(HTTPStatus.CONFLICT, {"error": str(wrong)})
        except OSError as wrong:
            self.log_message("cannot write: %s", wrong)
            self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "The witness cannot write to its folder."})
        else:
            self._answer(HTTPStatus.OK, cosignature_document(made.cosignature))

    def _answer(self, status: HTTPStatus, entry: dict[str, Any]) -> None:
        content = json.dumps(entry).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
