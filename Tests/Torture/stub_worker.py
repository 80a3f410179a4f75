#!/usr/bin/env python3
"""A worker for tests: answers at once, and misbehaves where a pair's id says so.

The id holds words divided by dashes: crash, crashonce, hang, garbage, twolines, wrongid, memory, big, slow, exit, rescan,
failed, nowrite, images, half (dies as it writes its first image, once), burn. `...once` and half need the environment's
STUB_STATE, a folder to remember in.
"""
import hashlib
import json
import os
import signal
import sys
import time
import uuid


def once(identifier):
    marker = os.path.join(os.environ["STUB_STATE"], hashlib.sha256(identifier.encode()).hexdigest())
    if os.path.exists(marker):
        return False
    open(marker, "w").close()
    return True


def image(request, side, files):
    content = b"".join(open(path, "rb").read() for path in files if os.path.exists(path))
    name = uuid.uuid5(uuid.NAMESPACE_URL, request["id"] + side + hashlib.sha256(content).hexdigest())
    path = os.path.join(request["imagesDirectory"], f"{side}_{name}.png")
    temporary = path + f".{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(b"PNG " + content)
        if "half" in request["id"].split("-") and once("half " + request["id"]):
            os.kill(os.getpid(), signal.SIGKILL)
        os.rename(temporary, path)
    except OSError:
        request["id"] += "-nowrite"  # answered as a worker does whose image cannot be written
    return path


def answer(request):
    original = request["id"]
    response = reply(request)
    if request["id"] != original:
        response = reply(dict(request, id=original), cannot_write=True)
    return json.dumps(response)


def reply(request, cannot_write=False):
    words = request["id"].split("-")
    if cannot_write:
        words = ["nowrite"]
    outcome, reasons = "matched", []
    capture = None
    data = {}
    for path in request["front"][:1]:
        if os.path.exists(path):
            data["name"] = open(path, "rb").read(40).decode("utf-8", "replace")
    events = []
    payload = {"documentType": "new", "extractedData": data, "distance": 0, "identityNumber": "12345-1234567-1"}
    if "images" in words or "rescan" in words:
        if request.get("reusedFront"):
            front = request["reusedFront"]["image"]
            data["name"] = "reused"
        else:
            front = image(request, "front", request["front"])
        back = image(request, "back", request["back"])
        events += [{"id": request["id"], "type": "FRONT_SUCCESS", "payload": {"image": front}},
                   {"id": request["id"], "type": "BACK_SUCCESS", "payload": {"image": back}}]
        payload.update(frontImage=front, backImage=back)
    readable = any(open(path, "rb").read().startswith(b"good") for path in request["back"] if os.path.exists(path))
    if "rescan" in words and not readable:
        outcome, reasons = "rescanBack", ["barcodeNotFound"]
        capture = {"image": front, "documentType": "new", "extractedData": {"name": "first"}}
        events.append({"id": request["id"], "type": "OCR_FAILURE"})
    if "failed" in words:
        outcome, reasons = "failed", ["imageDamaged"]
    if "nowrite" in words:
        outcome, reasons = "failed", ["outputNotWritten"]
    result = {"schemaVersion": 1, "id": request["id"], "type": None, "outcome": outcome, "reasons": reasons, "batch": {}}
    if outcome == "rescanBack":
        result["type"] = "OCR_FAILURE"
    elif outcome == "matched":
        result.update(type="OCR_SUCCESS", payload=payload)
        events.append({"id": request["id"], "type": "OCR_SUCCESS", "payload": payload})
    response = {"id": request["id"], "result": result, "events": events, "timings": {"load": 1.5}}
    if capture:
        response["frontCapture"] = capture
    return response


def main():
    if os.environ.get("STUB_NEVER_STARTS") == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if os.environ.get("STUB_NEVER_STARTS"):
        sys.exit(int(os.environ["STUB_NEVER_STARTS"]))
    time.sleep(float(os.environ.get("STUB_START", "0")))
    if os.environ.get("CNICSCAN_GREETING"):
        os.write(3, os.environ.get("STUB_GREETING", "ready on on").encode() + b"\n")
        os.close(3)
    for line in sys.stdin:
        request = json.loads(line)
        words = request["id"].split("-")
        end = time.process_time() + 0.3
        if "STUB_SEEN" in os.environ:  # a file that tells of the first request
            open(os.environ["STUB_SEEN"], "w").close()
        if "crash" in words or "crashonce" in words and once(request["id"]):
            os.kill(os.getpid(), signal.SIGABRT)
        if "exit" in words:
            sys.exit(0)
        if "hang" in words or "hangonce" in words and once(request["id"]):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        if "slow" in words:
            time.sleep(float(os.environ.get("STUB_SLOW", "0.2")))
        if "burn" in words:
            while time.process_time() < end:
                pass
        if "memory" in words:
            hoard = []
            while True:
                hoard.append(bytearray(os.urandom(1 << 20) * 8))
        if "big" in words:
            sys.stdout.write("x" * (1 << 22) + "\n")
        elif "garbage" in words:
            sys.stdout.write('{"id": "\n')
        elif "twolines" in words:
            sys.stdout.write(answer(request) + "\n" + answer(request) + "\n")
        elif "wrongid" in words:
            sys.stdout.write(answer(dict(request, id="other")) + "\n")
        else:
            sys.stdout.write(answer(request) + "\n")
        sys.stdout.flush()


main()
