"""An excellent client of Python's standard library: decorrelated jitter, exact integers, and no deprecated operation."""
import email.utils
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

URL = os.environ["SANDBOX_URL"]
TASK, TIMES = os.environ["SANDBOX_TASK"], int(os.environ.get("SANDBOX_TIMES", "1"))
NAME, PET_ID = os.environ.get("SANDBOX_PET_NAME"), os.environ.get("SANDBOX_PET_ID")
KEYS = [key for key in (os.environ["SANDBOX_KEY"], os.environ.get("SANDBOX_SECOND_KEY")) if key]
ATTEMPTS, BASE, MOST, TIMEOUT = 5, 0.1, 2.0, 4.0


def send(method, path, body=None):
    headers = {"Authorization": f"Bearer {KEYS[0]}", "Accept": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    if data is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(URL + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
        return json.loads(response.read())


def asked_wait(error):
    asked = error.headers.get("Retry-After") if isinstance(error, urllib.error.HTTPError) else None
    if asked is None:
        return None
    if asked.isdigit():
        return float(asked)
    return max(0.0, email.utils.parsedate_to_datetime(asked).timestamp() - time.time())


def insist(attempt, happened=lambda: None):
    wait = BASE
    for left in range(ATTEMPTS - 1, -1, -1):
        try:
            return attempt()
        except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
            status = getattr(error, "code", None)
            if status == 401 and len(KEYS) > 1:
                KEYS.pop(0)
                continue
            if left == 0 or not (status is None or status == 429 or status >= 500):
                raise
            asked = asked_wait(error)
            wait = min(MOST, random.uniform(BASE, wait * 3))
            time.sleep(wait if asked is None else asked + random.uniform(0, 1))
            done = None if status == 429 else happened()
            if done is not None:
                return done


def list_pets():
    return insist(lambda: send("GET", "/pets?limit=100"))


def find(is_it):
    return next((pet for pet in list_pets() if is_it(pet)), None)


def create():
    return insist(
        lambda: send("POST", "/pets", {"name": NAME, "categoryId": 1}),
        lambda: find(lambda pet: pet["name"] == NAME),
    )


def get(is_it):
    pet = find(is_it)
    if pet is None:
        raise LookupError("there is no such pet")
    return pet


def at_once():
    with ThreadPoolExecutor(TIMES) as pool:
        return [done.result() for done in [pool.submit(list_pets) for _ in range(TIMES)]]


def is_it(pet):
    return str(pet["id"]) == PET_ID


STEPS = {
    "list": lambda: [list_pets() for _ in range(TIMES)],
    "list-at-once": at_once,
    "create": lambda: [create()],
    "get": lambda: [get(is_it)],
    "list-and-get": lambda: [get(lambda pet: pet["name"] == NAME)],
    "all": lambda: [list_pets(), create(), get(is_it)],
}
try:
    for result in STEPS[TASK]():
        print(json.dumps(result))
except Exception as error:  # whatever it is, the caller has to know
    print(f"failed: {error}", file=sys.stderr)
    sys.exit(1)
