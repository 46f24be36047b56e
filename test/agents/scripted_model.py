"""A model behind the API of OpenAI that follows a script: it asks the tool for a table, and tells the caller that it is
booked, also where the tool has failed. That is the fault that is planted."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROMPT = "You book tables at a restaurant. Say what the tools answer."
CALLER = ["I want a table for four at half past seven.", "Then move it to eight, please.", "Thank you, goodbye."]
BOOKED = "Your table for four is booked."


def find_table(time: str) -> dict:
    if time == "19:30":
        raise RuntimeError("booking system timed out")
    return {"status": "booked", "time": time}


def start_model() -> str:
    """Starts it on a free port and returns its base address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for delta, reason in [(answer_to(asked["messages"]), None), ({}, "stop")]:
            choice = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": reason}
            chunk = {"id": "one", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
            self.wfile.write(f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_):
        pass


def answer_to(messages: list[dict]) -> dict:
    last = messages[-1]
    said = json.dumps(last["content"])
    if last["role"] == "tool":
        return {"content": BOOKED}
    if "goodbye" in said:
        return {"content": "Goodbye."}
    time = "20:00" if "eight" in said else "19:30"
    function = {"name": "find_table", "arguments": json.dumps({"time": time})}
    return {"tool_calls": [{"index": 0, "id": f"use_{len(messages)}", "type": "function", "function": function}]}
