"""urllib3 with Retry for statuses too: what may be repeated, up to three times, with backoff and Retry-After."""
import json

import urllib3
from task import HEADERS, URL, run

retry = urllib3.Retry(total=3, backoff_factor=0.2, status_forcelist=[429, 502, 503, 504])
client = urllib3.PoolManager(headers={**HEADERS, "Content-Type": "application/json"}, retries=retry)


def send(method, path, body=None):
    response = client.request(method, URL + path, body=body and json.dumps(body))
    if response.status >= 400:
        raise RuntimeError(f"{response.status} {response.data[:200]}")
    return json.loads(response.data)


run(
    list_pets=lambda: send("GET", "/pets?limit=100"),
    create=lambda pet: send("POST", "/pets", pet),
    get=lambda pet_id: send("GET", f"/pets/{pet_id}"),
)
