"""A receiver of licet's webhooks on Python's standard library alone: POST /webhooks. Copy it, and put your own deeds in.

The secret is in WEBHOOK_SECRET, or in the file that WEBHOOK_SECRET_FILE names; HOST, PORT and INBOX (a SQLite file) may say
the rest. It may be killed at any time: what was acknowledged is in the inbox, and the rest is sent again.
"""

import base64
import hashlib
import hmac
import io
import json
import os
import re
import socket
import sqlite3
import sys
import threading
import time
from contextlib import closing
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONGEST_AGE = 5 * 60
LONGEST_BODY = 1024 * 1024
LONGEST_READ = 30
ROUND_EVERY = 10
CHALLENGE = "Webhooks.Registration.Challenge"
INBOX = os.environ.get("INBOX", "inbox.db")
arrived = threading.Event()
speaking = threading.Lock()


def say(text):
    """One line at a time: deliveries come side by side, and print writes a line in two parts."""
    with speaking:
        print(text, flush=True)


def key_of(secret):
    """The base64-decoded rest of a whsec_ secret, else the secret's own bytes."""
    rest = secret.removeprefix("whsec_")
    key = secret.encode() if rest == secret else base64.b64decode(rest, validate=True)
    if not key:  # anybody could sign by it
        sys.exit("WEBHOOK_SECRET or WEBHOOK_SECRET_FILE is needed")
    return key


def read_secret():
    if "WEBHOOK_SECRET" in os.environ or "WEBHOOK_SECRET_FILE" not in os.environ:
        return os.environ.get("WEBHOOK_SECRET", "").strip()
    with open(os.environ["WEBHOOK_SECRET_FILE"], encoding="utf-8") as file:
        return file.read().strip()


KEY = key_of(read_secret())


def open_inbox():
    return closing(sqlite3.connect(INBOX, isolation_level=None))


def keep(event_id, body):
    """Whether the event is new. It is on the disk afterwards."""
    with open_inbox() as inbox:
        return inbox.execute("insert or ignore into events (id, body) values (?, ?)", (event_id, body)).rowcount == 1


def set_status(inbox, event, status):
    """The newest event of an entitlement says what it is: they need not come in order. Of two at the same time, the later received does."""
    inbox.execute(
        "insert into entitlements (id, status, time) values (?, ?, ?) on conflict (id) do update"
        " set status = excluded.status, time = excluded.time where excluded.time >= entitlements.time",
        (event["entityid"], status, event["time"]),
    )


# What each type of event does here; every other is acknowledged, and ignored.
DEEDS = {
    "Entitlement.Activated": lambda inbox, event: set_status(inbox, event, "active"),
    "Entitlement.Cancelled": lambda inbox, event: set_status(inbox, event, "cancelled"),
}


# What could not be applied, and why: it has its turn again in the next round, and why is said once.
failed = {}


def shown(text):
    """Text of an event as it can stand in a log, control characters escaped."""
    return re.sub(r"[^ -~]", lambda one: f"\\u{ord(one[0]):04x}", str(text))


def apply_waiting(inbox, is_round):
    """Applies what waits, each in one transaction with its mark, so once, whatever crashes; what failed before, in a round alone."""
    for event_id, body in inbox.execute("select id, body from events where applied_at is null order by rowid").fetchall():
        if event_id in failed and not is_round:
            continue
        try:
            event = json.loads(body)
            inbox.execute("begin immediate")
            if event["type"] in DEEDS:
                DEEDS[event["type"]](inbox, event)
            inbox.execute("update events set applied_at = datetime('now') where id = ?", (event_id,))
            inbox.execute("commit")
            failed.pop(event_id, None)
            say(f"applied {event['type']} {shown(event['entityid'])}")
        except Exception as error:
            if inbox.in_transaction:
                inbox.execute("rollback")
            why = f"{type(error).__name__}: {error}"
            if failed.get(event_id) != why:
                say(f"not applied yet: {event_id}: {shown(why)}")
            failed[event_id] = why


def work():
    with open_inbox() as inbox:
        round_at = 0
        while True:
            is_round = time.monotonic() >= round_at
            if is_round:
                round_at = time.monotonic() + ROUND_EVERY
            apply_waiting(inbox, is_round)
            arrived.wait(max(0, round_at - time.monotonic()))
            arrived.clear()


def sign(event_id, stamp, body):
    signed = f"{event_id}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()


def instant_of(stamp):
    """A stamp in seconds, in either of its two forms, whole seconds in both; None for any other."""
    if re.fullmatch(r"[0-9]{1,12}", stamp):
        return int(stamp)
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", stamp):
        return None
    try:
        return datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp()
    except ValueError:
        return None


def refusal(event_id, stamp, signatures, body):
    """Why a delivery is not to be trusted; None where it is."""
    # No dot: what is signed can be cut into its three parts in one way only.
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,200}", event_id):
        return "webhook-id is missing or malformed"
    instant = instant_of(stamp)
    if instant is None or abs(time.time() - instant) > LONGEST_AGE:
        return "webhook-timestamp is missing or too far from now"
    expected = sign(event_id, stamp, body).encode()
    # Two of them while a secret is rotated, with a blank between, or a comma where a proxy joined two headers: any one will do.
    if not any(hmac.compare_digest(given.encode(), expected) for given in re.findall("v1,[A-Za-z0-9+/]{43}=", signatures)):
        return "no webhook-signature is of this body"
    return None


def event_in(body):
    """The event of a body that is signed; None where it is none."""
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(event, dict) and isinstance(event.get("type"), str) and isinstance(event.get("data"), dict)
    return event if is_event else None


class TimedReader(socket.SocketIO):
    """Reads from a connection until a point in time, however slowly it sends."""

    until = 0.0

    def readinto(self, buffer):
        self._sock.settimeout(max(0.001, self.until - time.monotonic()))
        return super().readinto(buffer)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.timed = TimedReader(self.connection, "r")
        self.rfile = io.BufferedReader(self.timed)

    def handle_one_request(self):
        self.timed.until = time.monotonic() + LONGEST_READ
        super().handle_one_request()

    def parse_request(self):
        # Its first line may have been waited for.
        self.timed.until = time.monotonic() + LONGEST_READ
        return super().parse_request()

    def cannot_be_read(self):
        """The status of a request whose body is not read; None where it is."""
        if self.path.split("?")[0] != "/webhooks":
            return 404
        lengths = self.headers.get_all("content-length", [])
        # With two lengths, a proxy and this could see two different bodies.
        if "transfer-encoding" in self.headers or len(lengths) != 1 or not re.fullmatch(r"[0-9]{1,9}", lengths[0]):
            return 400
        return 413 if int(lengths[0]) > LONGEST_BODY else None

    def do_POST(self):
        status = self.cannot_be_read()
        if status:
            # Nothing more is read from this connection, either.
            self.close_connection = True
            return self.answer(status, b"")
        # The bytes that were signed: nothing parses them before.
        length = int(self.headers["content-length"])
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return None
        event_id, stamp = self.headers.get("webhook-id", ""), self.headers.get("webhook-timestamp", "")
        why = refusal(event_id, stamp, " ".join(self.headers.get_all("webhook-signature", [])), body)
        if why:
            say(f"refused: {why}")
            return self.answer(401, why.encode())
        # Whoever signed it is the service. What it is, the body says: of the headers only id and stamp are signed.
        event = event_in(body)
        if event is None:
            # No second attempt would make an event of it: any 4xx but 408 and 429 is final.
            say(f"no event: {event_id}")
            return self.answer(400, b"no event")
        if event["type"] == CHALLENGE:
            answer = json.dumps({"challenge": event["data"].get("challenge")}).encode()
            say("answered the challenge")
            return self.answer(200, answer, sign(event_id, stamp, answer))
        if event["data"].get("_test") is True:
            say(f"test {shown(event['type'])} {event_id}")
        elif event["type"] not in DEEDS:
            say(f"ignored {shown(event['type'])} {event_id}")
        elif not keep(event_id, body):
            say(f"again {event['type']} {event_id}")
        else:
            arrived.set()
        return self.answer(204, b"")

    def answer(self, status, body, signature=None):
        self.connection.settimeout(LONGEST_READ)
        self.send_response(status)
        if signature:
            self.send_header("webhook-signature", signature)
        if status != 204:
            self.send_header("content-type", "application/json" if status == 200 else "text/plain")
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    with open_inbox() as inbox:
        inbox.executescript(
            "pragma journal_mode = wal;"
            "create table if not exists events (id text primary key, body blob not null, applied_at text);"
            "create table if not exists entitlements (id text primary key, status text not null, time text not null);"
        )
    # Deliveries come side by side: what does not fit in the queue of connections would wait a second.
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080"))), Receiver)
    say(f"listening at http://{server.server_address[0]}:{server.server_port}/webhooks")
    threading.Thread(target=work, daemon=True).start()
    server.serve_forever()
