"""A client of both APIs, and a reader of upkeep's requests, that shares no code with upkeep: written from the API documents and api-notes.

Reads one JSON object from stdin, calls the function that its member `do` names with the other members, and writes the result as JSON.
"""
import base64
import hashlib
import hmac
import itertools
import json
import sys
import time
import urllib.parse
import zlib

import requests

# There is no nonce (api-notes section 1), so each signature gets a second of its own.
SECONDS = itertools.count(int(time.time()) - 200)


def sig_of(msg, api_key):
    return hmac.new(api_key.encode(), msg.encode(), hashlib.sha256).hexdigest()


def meaning_of(msg):
    return json.loads(zlib.decompress(base64.b64decode(msg, validate=True)))


class Client:
    """`tool` adds the habits of the vendor's own tool: a slash after each path, bodies as text without a content type."""

    def __init__(self, url, owner, api_key, tool=False):
        self.url, self.owner, self.api_key, self.tool = url, owner, api_key, tool

    def signature(self, **members):
        message = {"_owner": self.owner, "_timestamp": next(SECONDS), **members}
        msg = base64.b64encode(zlib.compress(json.dumps(message).encode(), 9)).decode()
        return {"msg": msg, "sig": sig_of(msg, self.api_key)}

    def v4(self, method, path, body=None, **filters):
        data = {} if body is None else {"data": json.dumps(body)} if self.tool else {"json": body}
        return self.send(method, "/api/v4" + path, params={**self.signature(), **filters}, **data)

    def v3(self, method, path, **item):
        if method == "POST":
            return self.send(method, "/api/v3/drm" + path, data=self.signature(item=item))
        return self.send(method, "/api/v3/drm" + path, params=self.signature())

    def send(self, method, path, **more):
        answer = requests.request(method, self.url + path + ("/" if self.tool else ""), timeout=20, **more)
        return {"status": answer.status_code, "json": answer.json() if answer.content else None}


def playlist(body, **account):
    """Creates, lists, reads, updates and deletes a playlist."""
    client = Client(**account)
    created = client.v4("POST", "/linear-playlist", body)
    path = "/linear-playlist/" + created["json"]["id"]
    return {
        "created": created,
        "listed": client.v4("GET", "/linear-playlist", desc=body["desc"]),
        "inactive": client.v4("GET", "/linear-playlist", active=0),
        "updated": client.v4("PATCH", path, {"active": 0}),
        "read": client.v4("GET", path),
        "deleted": client.v4("DELETE", path),
        "gone": client.v4("GET", path),
    }


def reads(body, change, **account):
    """Reads a playlist after it was created, updated and deleted."""
    client = Client(**account)
    path = "/linear-playlist/" + client.v4("POST", "/linear-playlist", body)["json"]["id"]
    after_create = client.v4("GET", path)
    client.v4("PATCH", path, change)
    after_update = client.v4("GET", path)
    client.v4("DELETE", path)
    return {"after_create": after_create, "after_update": after_update, "after_delete": client.v4("GET", path)}


def create(path, body, **account):
    return Client(**account).v4("POST", path, body)


def drm(policy, statuses, slicers, **account):
    """Creates, updates and deletes a policy, and sets the rejected statuses and the scope of the static key."""
    client = Client(**account)
    created = client.v3("POST", "/policies/create-or-update", **policy)
    path = "/policy/" + created["json"]["configs"][0]["_id"]
    return {
        "created": created,
        "listed": client.v3("GET", "/policies"),
        "updated": client.v3("POST", "/policies/create-or-update", policy_name=policy["policy_name"]),
        "deleted": client.v3("DELETE", path),
        "statuses": client.v3("POST", "/vmp-reject-statuses/update", vmp_reject_statuses=statuses),
        "slicers": client.v3("POST", "/static-key-slicer-ids/update", static_key_slicer_ids=slicers),
        "scope": client.v3("POST", "/use-static-encryption-key/update", use_static_encryption_key=False),
        "read": client.v3("GET", "/static-key-slicer-ids"),
    }


def replay(**account):
    """Sends one signature twice."""
    client = Client(**account)
    query = client.signature()
    return [client.send("GET", "/api/v4/linear-playlist", params=query) for _ in range(2)]


def vectors(vectors):
    return [{"sig": sig_of(each["msg"], each["api_key"]), "meaning": meaning_of(each["msg"])} for each in vectors]


def verify(connections, owner, api_key, v3_post):
    """Lists the requests of HTTP/1.1 connections, given as the bytes that the client sent, with what is wrong with each signature."""
    found, msgs = [], set()
    for connection in connections:
        rest = base64.b64decode(connection)
        while rest:
            head, _, rest = rest.partition(b"\r\n\r\n")
            line, *fields = head.decode("ascii").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
            length = int(headers.get("content-length", "0"))
            body, rest = rest[:length], rest[length:]
            method, target, _ = line.split(" ")
            url = urllib.parse.urlsplit(target)
            problems = list(problems_of(method, url, headers, body, owner, api_key, v3_post, msgs))
            found.append({"request": f"{method} {url.path}", "problems": problems})
    return found


def problems_of(method, url, headers, body, owner, api_key, v3_post, msgs):
    content_type = headers.get("content-type", "").split(";")[0]
    is_form = url.path.startswith("/api/v3/") and method == "POST" and v3_post == "form"
    query = urllib.parse.parse_qs(url.query, keep_blank_values=True, strict_parsing=url.query != "", errors="strict")
    signed = urllib.parse.parse_qs(body.decode("ascii"), strict_parsing=True, errors="strict") if is_form else query
    [msg], [sig] = signed["msg"], signed["sig"]
    message = meaning_of(msg)
    if not hmac.compare_digest(sig, sig_of(msg, api_key)):
        yield "sig is not the HMAC of msg"
    if set(message) != {"_owner", "_timestamp"} | ({"item"} if is_form else set()):
        yield f"msg has the members {sorted(message)}"
    if message["_owner"] != owner or type(message["_timestamp"]) is not int or abs(message["_timestamp"] - time.time()) > 60:
        yield "owner or time is wrong"
    if msg in msgs:
        yield "msg was sent before"
    msgs.add(msg)
    if is_form and (query or set(signed) != {"msg", "sig"} or content_type != "application/x-www-form-urlencoded"):
        yield "the form has other members, or the query is not empty"
    if method in ("POST", "PATCH") and not is_form and (content_type != "application/json" or not isinstance(json.loads(body), dict)):
        yield "the body is not a JSON object"
    if method in ("GET", "DELETE") and (body or "transfer-encoding" in headers):
        yield f"{method} has a body"


job = json.load(sys.stdin)
json.dump(globals()[job.pop("do")](**job), sys.stdout)
