#!/usr/bin/env python3
"""A scripted model server, for tests that must never leave the machine.

It speaks three formats, told apart by the request's path:

  Anthropic Messages   POST .../messages
  OpenAI Responses     POST .../responses
  Gemini               POST .../models/M:generateContent, :streamGenerateContent

It keeps no state: the last user prompt holds a script, and the number of tool results after
that prompt says how far the script got. So resuming a conversation, retrying a request and
many clients at once all work. What a script may hold, in order:

  create a file foo.txt with the word bar   calls the write tool, then says "Created foo.txt."
  [[write: path=text]]   calls whichever tool for writing the client offered
  [[shell: command]]     calls the client's shell
  [[tool: NAME {json}]]  calls that very tool
  [[say: text]]          ends the turn with this text
  [[sleep: seconds]]     waits before going on
  [[loop]]               calls the shell for ever
  [[hang]] [[drop]]      never answers; closes the connection unanswered
  [[error: KIND]]        auth, forbidden, bad_request, not_found, rate_limit, server, overloaded
  anything else          "Echo: " and the end of the prompt

Prints one line of JSON when it serves, {"port": 41233, "pid": 77}. GET /_fake/requests lists
what was asked. Keys are logged in clear: give it made-up ones only. Python 3.10 or newer.
"""
import argparse
import json
import os
import re
import signal
import socket
import ssl
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# ---------------------------------------------------------------- the script

DIRECTIVE = re.compile(r"\[\[\s*([a-z_]+)\s*(?::\s*(.*?))?\s*\]\]", re.S)
CREATE = re.compile(
    r"create (?:a |the )?file\s+(?:named |called )?[\"'`]?([\w./-]+?)[\"'`]?"
    r"\s+with (?:the )?(?:word|text|content|contents)\s+[\"'`]?([^\"'`\n]+?)[\"'`.]?\s*$",
    re.I | re.M)

#: what an error directive answers: HTTP status, Anthropic type, OpenAI code, Gemini status
ERRORS = {
    "auth": (401, "authentication_error", "invalid_api_key", "UNAUTHENTICATED"),
    "forbidden": (403, "permission_error", "forbidden", "PERMISSION_DENIED"),
    "bad_request": (400, "invalid_request_error", "invalid_request", "INVALID_ARGUMENT"),
    "not_found": (404, "not_found_error", "model_not_found", "NOT_FOUND"),
    "rate_limit": (429, "rate_limit_error", "rate_limit_exceeded", "RESOURCE_EXHAUSTED"),
    "server": (500, "api_error", "server_error", "INTERNAL"),
    "overloaded": (529, "overloaded_error", "overloaded", "UNAVAILABLE"),
}


def parse_script(prompt):
    """Turn a prompt into steps: ('write', path, text) | ('shell', cmd) | ('say', text) | ..."""
    steps = []
    for name, arg in DIRECTIVE.findall(prompt):
        if name == "write":
            path, _, text = arg.partition("=")
            steps.append(("write", path.strip(), text))
        elif name in ("shell", "say", "tool", "sleep"):
            steps.append((name, arg))
        elif name == "error":
            steps.append(("error", arg if arg in ERRORS else "server"))
        elif name in ("hang", "drop", "loop"):
            steps.append((name,))
    if not steps:
        m = CREATE.search(prompt)
        if m:
            steps = [("write", m.group(1), m.group(2)), ("say", f"Created {m.group(1)}.")]
    return steps


def next_step(prompt, done):
    """The step to answer with, given how many tool results followed the prompt."""
    steps = parse_script(prompt)
    calls = 0
    for step in steps:
        if step[0] == "loop":
            return ("shell", f"echo loop {done}")
        if step[0] in ("write", "shell", "tool"):
            if calls == done:
                return step
            calls += 1
        elif step[0] == "sleep":
            if calls == done:
                time.sleep(min(float(step[1] or 1), 600))
        elif calls == done:
            return step
    return ("say", "Done." if steps else f"Echo: {prompt.strip()[-200:]}")


# ------------------------------------------------- tool calls, by client's tools

def pick_tool(tools, step):
    """Map an abstract step on whatever tools the client offered.

    tools: list of (name, kind, properties), kind being 'function' or 'custom', with
    '@namespace' behind it where the client groups its tools.
    Returns (name, kind, args) or None.
    """
    by = {t[0]: t for t in tools}
    if step[0] == "tool":                       # [[tool: NAME {json}]]: verbatim
        name, _, raw = step[1].partition(" ")
        if name not in by:
            return None
        kind = by[name][1]
        return name, kind, (raw if kind.startswith("custom") else json.loads(raw or "{}"))
    if step[0] == "write":
        path, text = step[1], step[2]
        for name in ("Write", "write", "write_file", "create"):
            if name in by:
                props = by[name][2]
                key = next((k for k in ("file_path", "filePath", "path", "absolute_path")
                            if k in props), "file_path")
                body = next((k for k in ("content", "file_text", "contents") if k in props),
                            "content")
                return name, by[name][1], {key: path, body: text}
        kind = by.get("apply_patch", ("", "", {}))[1]
        if kind.startswith("custom"):
            lines = "\n".join("+" + ln for ln in text.split("\n"))
            return ("apply_patch", kind,
                    f"*** Begin Patch\n*** Add File: {path}\n{lines}\n*** End Patch\n")
        step = ("shell", "printf '%s\\n' " + _quote(text) + " > " + _quote(path))
    cmd = step[1]
    for name in ("Bash", "bash", "exec_command", "shell_command", "run_shell_command", "shell"):
        if name in by:
            props = by[name][2]
            if "cmd" in props:
                return name, by[name][1], {"cmd": cmd}
            argv = props.get("command", {}).get("type") == "array"
            args = {"command": ["bash", "-c", cmd] if argv else cmd}
            for extra in ("description", "mode", "sessionId"):
                if extra in props:
                    args[extra] = {"description": "scripted", "mode": "sync",
                                   "sessionId": "s1"}[extra]
            return name, by[name][1], args
    for name, kind, _props in tools:            # a code-running tool (Codex "exec")
        if kind.startswith("custom") and name == "exec":
            return name, kind, ("const r = await tools.exec_command({cmd: "
                                + json.dumps(cmd) + "}); text(r.output);")
    return None


def _quote(s):
    return "'" + s.replace("'", "'\\''") + "'"


class Call:
    """What the model 'says': either text or one tool call, plus token counts."""

    def __init__(self, text=None, tool=None, tokens_in=0, tokens_out=0):
        self.text, self.tool = text, tool
        self.tokens_in, self.tokens_out = tokens_in, tokens_out


def answer(prompt, done, tools, body_len):
    """Returns a Call, or ('error'|'hang'|'drop', ...) for the transport to act on."""
    step = next_step(prompt, done)
    if step[0] in ("error", "hang", "drop"):
        return step
    tokens_in = max(1, body_len // 4)
    if step[0] == "say":
        return Call(text=step[1], tokens_in=tokens_in, tokens_out=max(1, len(step[1]) // 4))
    try:
        picked = pick_tool(tools, step)
    except ValueError:                                  # arguments that are no JSON
        picked = None
    if picked is None:
        offered = ", ".join(t[0] for t in tools)
        return Call(text=f"Cannot do {' '.join(step)}; tools offered: {offered}",
                    tokens_in=tokens_in, tokens_out=20)
    return Call(tool=picked, tokens_in=tokens_in, tokens_out=25)


def schema_stub(schema):
    """The smallest value that fits a JSON schema (side requests ask for JSON)."""
    if not isinstance(schema, dict):
        return {}
    if schema.get("enum"):
        return schema["enum"][0]
    t = str(schema.get("type", "object")).lower()
    if t == "object":
        props = schema.get("properties", {})
        return {k: schema_stub(v) for k, v in props.items()
                if k in schema.get("required", list(props))}
    return {"string": "ok", "number": 1, "integer": 1, "boolean": False, "array": []}.get(t)


def strip_reminders(text):
    """Drop the context blocks that clients wrap around or append to a prompt."""
    tags = r"system-reminder|environment_context|user_instructions|session_context|" \
           r"permissions instructions|skills_instructions|apps_instructions"
    return re.sub(rf"<({tags})\b.*?</\1>", "", text, flags=re.S)


# ------------------------------------------------------- reading the formats

def _texts(content):
    if isinstance(content, str):
        return [content]
    return [b.get("text", "") for b in content or [] if isinstance(b, dict) and "text" in b]


def _last_prompt(turns):
    """turns: list of ('user', text) | ('tool', n) | ('model', _).  -> prompt, results after it."""
    done, prompt = 0, ""
    for kind, val in reversed(turns):
        if kind == "tool":
            done += val
        elif kind == "user" and strip_reminders(val).strip():
            prompt = strip_reminders(val)
            break
    return prompt, done


def read_anthropic(b):
    turns = []
    for m in b.get("messages", []):
        content = m.get("content")
        if m.get("role") == "assistant":
            turns.append(("model", 0))
            continue
        if m.get("role") != "user":                    # mid-conversation system messages
            continue
        n = sum(1 for x in content if isinstance(x, dict) and x.get("type") == "tool_result") \
            if isinstance(content, list) else 0
        turns.append(("tool", n) if n else ("user", "\n".join(_texts(content))))
    tools = [(t["name"], "function", t.get("input_schema", {}).get("properties", {}))
             for t in b.get("tools", []) if "name" in t and "input_schema" in t]
    fmt = (b.get("output_config") or {}).get("format") or b.get("output_format") or {}
    return (*_last_prompt(turns), tools, fmt.get("schema"))


def _openai_tools(tools):
    out = []
    for t in tools or []:
        f = t.get("function", t)
        if t.get("type") == "namespace":                # tools grouped under a name
            inner = _openai_tools(t.get("tools"))
            out += [(n, f"{k}@{t['name']}", p) for n, k, p in inner]
        elif "name" in f:
            out.append((f["name"], t.get("type", "function"),
                        (f.get("parameters") or {}).get("properties", {})))
    return out


def read_responses(b):
    turns, tools = [], list(b.get("tools") or [])
    items = b.get("input", [])
    if isinstance(items, str):
        items = [{"type": "message", "role": "user", "content": items}]
    for it in items:
        kind = it.get("type", "message")
        if kind.endswith("_output"):
            turns.append(("tool", 1))
        elif kind == "additional_tools":               # tools declared inside the input list
            tools += it.get("tools") or []
        elif kind == "message" and it.get("role") == "user":
            turns.append(("user", "\n".join(_texts(it.get("content")))))
    fmt = (b.get("text") or {}).get("format") or {}
    return (*_last_prompt(turns), _openai_tools(tools), fmt.get("schema"))


def read_gemini(b):
    turns = []
    for c in b.get("contents", []):
        parts = c.get("parts", [])
        n = sum(1 for p in parts if "functionResponse" in p)
        if c.get("role") == "model":
            continue
        turns.append(("tool", n) if n else ("user", "\n".join(_texts(parts))))
    tools = []
    for t in b.get("tools", []):
        for f in t.get("functionDeclarations", []):
            schema = f.get("parametersJsonSchema") or f.get("parameters") or {}
            tools.append((f["name"], "function", schema.get("properties", {})))
    g = b.get("generationConfig", {})
    return (*_last_prompt(turns), tools, g.get("responseJsonSchema") or g.get("responseSchema"))


# ------------------------------------------------------- writing the formats

def write_anthropic(model, c):
    """-> (whole response, list of (event, data))"""
    mid = "msg_" + uuid.uuid4().hex[:24]
    usage = {"input_tokens": c.tokens_in, "output_tokens": c.tokens_out,
             "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    if c.tool:
        name, _kind, args = c.tool
        block = {"type": "tool_use", "id": "toolu_" + uuid.uuid4().hex[:20], "name": name,
                 "input": args}
        start = dict(block, input={})
        delta = {"type": "input_json_delta", "partial_json": json.dumps(args)}
        stop = "tool_use"
    else:
        block = {"type": "text", "text": c.text}
        start = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": c.text}
        stop = "end_turn"
    msg = {"id": mid, "type": "message", "role": "assistant", "model": model,
           "content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage}
    ev = [
        ("message_start", {"message": dict(msg, content=[], stop_reason=None,
                                           usage=dict(usage, output_tokens=1))}),
        ("content_block_start", {"index": 0, "content_block": start}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None},
                           "usage": usage}),
        ("message_stop", {}),
    ]
    return msg, [(e, dict(type=e, **d)) for e, d in ev]


def write_responses(model, c):
    rid = "resp_" + uuid.uuid4().hex[:24]
    usage = {"input_tokens": c.tokens_in, "input_tokens_details": {"cached_tokens": 0},
             "output_tokens": c.tokens_out, "output_tokens_details": {"reasoning_tokens": 0},
             "total_tokens": c.tokens_in + c.tokens_out}
    ev = []
    if c.tool:
        name, kind, args = c.tool
        kind, _, space = kind.partition("@")
        cid = "call_" + uuid.uuid4().hex[:20]
        if kind == "custom":
            item = {"type": "custom_tool_call", "id": "ctc_1", "call_id": cid, "name": name,
                    "input": args, "status": "completed"}
            empty = dict(item, input="", status="in_progress")
            deltas = [("response.custom_tool_call_input.delta", {"delta": args})]
        else:
            raw = json.dumps(args)
            item = {"type": "function_call", "id": "fc_1", "call_id": cid, "name": name,
                    "arguments": raw, "status": "completed"}
            empty = dict(item, arguments="", status="in_progress")
            deltas = [("response.function_call_arguments.delta", {"delta": raw}),
                      ("response.function_call_arguments.done", {"arguments": raw})]
        if space:
            item["namespace"] = empty["namespace"] = space
    else:
        part = {"type": "output_text", "text": c.text, "annotations": []}
        item = {"type": "message", "id": "item_1", "role": "assistant", "status": "completed",
                "content": [part]}
        empty = dict(item, content=[], status="in_progress")
        at = {"content_index": 0}
        deltas = [
            ("response.content_part.added", dict(at, part=dict(part, text=""))),
            ("response.output_text.delta", dict(at, delta=c.text)),
            ("response.output_text.done", dict(at, text=c.text)),
            ("response.content_part.done", dict(at, part=part)),
        ]
    base = {"id": rid, "object": "response", "created_at": int(time.time()), "model": model,
            "status": "in_progress", "output": [], "usage": None}
    full = dict(base, status="completed", output=[item], usage=usage)
    ev.append(("response.created", {"response": base}))
    ev.append(("response.output_item.added", {"output_index": 0, "item": empty}))
    for e, d in deltas:
        ev.append((e, dict(d, item_id=item["id"], output_index=0)))
    ev.append(("response.output_item.done", {"output_index": 0, "item": item}))
    ev.append(("response.completed", {"response": full}))
    return full, [(e, dict(type=e, sequence_number=i, **d)) for i, (e, d) in enumerate(ev)]


def write_gemini(model, c):
    if c.tool:
        name, _kind, args = c.tool
        part = {"functionCall": {"name": name, "args": args}}
    else:
        part = {"text": c.text}
    full = {"candidates": [{"content": {"role": "model", "parts": [part]},
                            "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": c.tokens_in,
                              "candidatesTokenCount": c.tokens_out,
                              "totalTokenCount": c.tokens_in + c.tokens_out},
            "modelVersion": model, "responseId": uuid.uuid4().hex}
    return full, [(None, full)]


FORMATS = {"anthropic": (read_anthropic, write_anthropic),
           "responses": (read_responses, write_responses),
           "gemini": (read_gemini, write_gemini)}


def route(path):
    """Path -> (format, model or None, streaming or None)"""
    p = path.split("?")[0].rstrip("/")
    m = re.search(r"/models/([^/:]+):(generateContent|streamGenerateContent)$", p)
    if m:
        return "gemini", m.group(1), m.group(2).startswith("stream")
    if p.endswith("/responses"):
        return "responses", None, None
    if p.endswith("/messages"):
        return "anthropic", None, None
    return None, None, None


# ----------------------------------------------------------------------- transport

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "model-server"

    def log_message(self, *_args):
        pass

    def _json(self, status, obj, headers=()):
        data = json.dumps(obj).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.send_header("request-id", "req_" + uuid.uuid4().hex[:16])
        for k, v in headers:
            self.send_header(k, v)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _sse(self, events):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("cache-control", "no-cache")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for name, data in events:
            text = data if isinstance(data, str) else json.dumps(data)
            raw = ((f"event: {name}\n" if name else "") + f"data: {text}\n\n").encode()
            self.wfile.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
            self.wfile.flush()
            if self.server.opts.delay:
                time.sleep(self.server.opts.delay)
        self.wfile.write(b"0\r\n\r\n")

    def _error(self, fmt, kind):
        status, a, o, g = ERRORS[kind]
        message = f"scripted {kind} error"
        if fmt == "gemini":
            details = []
            if kind == "auth":                          # a bad key is a 400 there, not a 401
                status, g, message = 400, "INVALID_ARGUMENT", "API key not valid."
                details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo",
                            "reason": "API_KEY_INVALID"}]
            return self._json(status, {"error": {"code": status, "message": message,
                                                 "status": g, "details": details}})
        if fmt == "anthropic":
            message = "invalid x-api-key" if kind == "auth" else message
            return self._json(status, {"type": "error", "error": {"type": a, "message": message}},
                              [("x-should-retry", "true" if status >= 429 else "false")])
        message = "Incorrect API key provided." if kind == "auth" else message
        return self._json(status, {"error": {"message": message, "type": o, "code": o,
                                             "param": None}})

    def _key(self):
        h = self.headers
        auth = h.get("authorization", "")
        query = re.search(r"[?&]key=([^&]+)", self.path)
        return (h.get("x-api-key") or h.get("x-goog-api-key")
                or (query and query.group(1))
                or (auth[7:] if auth.lower().startswith("bearer ") else auth))

    def _body(self):
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            out = b""
            while True:
                n = int(self.rfile.readline().split(b";")[0] or b"0", 16)
                if n == 0:
                    self.rfile.readline()
                    break
                out += self.rfile.read(n)
                self.rfile.readline()
        else:
            out = self.rfile.read(int(self.headers.get("content-length") or 0))
        enc = self.headers.get("content-encoding", "")
        if enc in ("gzip", "deflate"):
            import zlib
            out = zlib.decompress(out, 47)
        return out

    def do_GET(self):
        self.server.record(self, None, b"")
        p = self.path.split("?")[0]
        if p == "/_fake/requests":
            return self._json(200, self.server.seen)
        if self.headers.get("upgrade"):                 # WebSocket: refuse, clients fall back
            return self._json(426, {"error": {"message": "no websocket here"}})
        if p.endswith("/models"):
            ids = ["fake-model"]
            return self._json(200, {
                "object": "list", "has_more": False, "first_id": ids[0], "last_id": ids[-1],
                "data": [{"id": i, "object": "model", "type": "model", "display_name": i,
                          "created": 0, "created_at": "2025-01-01T00:00:00Z",
                          "owned_by": "fake"} for i in ids],
                "models": []})
        return self._json(404, {"error": {"message": f"no such path: {p}", "code": 404,
                                          "type": "not_found_error"}})

    do_HEAD = do_GET

    def do_POST(self):
        raw = self._body()
        fmt, model, stream = route(self.path)
        self.server.record(self, fmt, raw)
        key = self.server.opts.require_key
        if key and fmt and self._key() != key:
            return self._error(fmt, "auth")
        try:
            b = json.loads(raw or b"{}")
        except ValueError:
            b = {}
        p = self.path.split("?")[0]
        if p.endswith("/count_tokens"):
            return self._json(200, {"input_tokens": len(raw) // 4})
        if p.endswith(":countTokens"):
            return self._json(200, {"totalTokens": len(raw) // 4})
        if fmt is None:
            return self._json(404, {"error": {"message": f"no such path: {p}", "code": 404,
                                              "type": "not_found_error"}})
        read, write = FORMATS[fmt]
        prompt, done, tools, schema = read(b)
        if schema and not tools:
            out = Call(text=json.dumps(schema_stub(schema)), tokens_in=5, tokens_out=5)
        elif not tools and parse_script(prompt):
            # a side request (title, summary) that repeats the prompt: errors apply, tools do not
            step = next_step(prompt, 0)
            out = step if step[0] in ("error", "hang", "drop") else \
                Call(text="Side answer", tokens_in=5, tokens_out=5)
        else:
            out = answer(prompt, done, tools, len(raw))
        if isinstance(out, tuple):
            if out[0] == "error":
                return self._error(fmt, out[1])
            if out[0] == "hang":                        # until the client gives up
                self.connection.settimeout(self.server.opts.hang)
                try:
                    self.rfile.read(1)
                except OSError:
                    pass
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)  # 'drop': close without an answer
            return None
        full, events = write(model or b.get("model") or "fake-model", out)
        if stream if stream is not None else b.get("stream"):
            if fmt == "gemini" and "alt=sse" not in self.path:
                return self._json(200, [full])
            return self._sse(events)
        return self._json(200, full)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, opts):
        super().__init__((opts.host, opts.port), Handler)
        self.opts, self.seen, self.lock = opts, [], threading.Lock()
        if opts.cert:
            ctx = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            ctx.load_cert_chain(opts.cert, opts.key or opts.cert)
            self.tls = ctx
        else:
            self.tls = None

    def finish_request(self, request, client_address):
        if self.tls:                                    # handshake in the worker thread
            request.settimeout(20)
            request = self.tls.wrap_socket(request, server_side=True)
            request.settimeout(None)
        super().finish_request(request, client_address)

    def handle_error(self, request, client_address):
        pass                                            # clients that hang up are normal here

    def record(self, h, fmt, raw):
        entry = {"t": round(time.time(), 3), "method": h.command, "path": h.path,
                 "host": h.headers.get("host"), "format": fmt, "key": h._key(),
                 "user_agent": h.headers.get("user-agent"), "bytes": len(raw)}
        with self.lock:
            if not h.path.startswith("/_fake/"):
                self.seen.append(entry)
            if self.opts.log:
                with open(self.opts.log, "a", encoding="utf-8") as f:
                    f.write(json.dumps(entry) + "\n")
            if self.opts.dump and raw:
                os.makedirs(self.opts.dump, exist_ok=True)
                name = f"{len(self.seen):04d}-{fmt or 'other'}.json"
                with open(os.path.join(self.opts.dump, name), "wb") as f:
                    f.write(raw)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--host", default="127.0.0.1", help="loopback only unless you mean it")
    ap.add_argument("--port", type=int, default=0, help="0 = any free port (printed)")
    ap.add_argument("--require-key", help="answer 401 to any other API key or bearer token")
    ap.add_argument("--cert", help="serve TLS with this PEM chain")
    ap.add_argument("--key", help="private key, when not inside --cert")
    ap.add_argument("--log", help="append one JSON line per request to this file")
    ap.add_argument("--dump", help="write each request body into this folder")
    ap.add_argument("--delay", type=float, default=0, help="seconds between stream events")
    ap.add_argument("--hang", type=float, default=600, help="longest a [[hang]] holds, seconds")
    ap.add_argument("--exit-with-stdin", action="store_true",
                    help="stop when standard input closes, so that no server outlives its test")
    opts = ap.parse_args()
    srv = Server(opts)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    print(json.dumps({"port": srv.server_address[1], "pid": os.getpid()}), flush=True)
    if opts.exit_with_stdin:
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    try:
        srv.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
