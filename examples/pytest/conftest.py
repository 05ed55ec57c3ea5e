"""A petstore sandbox for each test. Copy this file to your tests, and run them: `npx petstore-sandbox exec --start -- pytest`.

A test that takes `petstore_sandbox` fails if its client fails the contract check. `exec` makes one verdict on all tests; without
it, the tests use the server at `SANDBOX_URL`. The recording of a failed test is in `artifacts`:
`npx petstore-sandbox open FILE` shows it.
"""
import json
import os
import re
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

URL = os.environ.get("SANDBOX_URL", "http://127.0.0.1:4020/v1")
ARTIFACTS = Path("artifacts")
REPORTS = os.environ.get("SANDBOX_REPORTS")  # set by `exec`


class PetstoreSandbox:
    """`url` and `key` are for the client under test."""

    def __init__(self, **options):
        self.url, self.key, self.expected_invalid = URL, None, None
        issued = json.loads(self.control("POST", "/keys", {"ttlSeconds": 600, **options}))
        self.url, self.key, self.id = issued["baseUrl"], issued["key"], issued["sandbox"]

    def control(self, method, path, body=None):
        """Calls the control API: `("POST", "/reset")`, or `("PUT", "/clock", {"now": "2030-12-05T00:00:00Z"})`."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.key}"} if self.key else {})}
        data = None if body is None else json.dumps(body).encode()
        request = Request(re.sub("/v1/?$", "/_sandbox", self.url) + path, data, headers, method=method)
        try:
            return urlopen(request, timeout=30).read().decode()
        except HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None

    def verify(self, **expected):
        """Fails unless the client sent this: `verify(operation="createPet", status=201, exactly=1)`."""
        self.control("POST", "/requests/verify", expected)

    def report(self, format):
        query = f"expectedInvalid={self.expected_invalid}&" if self.expected_invalid else ""
        return self.control("GET", f"/report?{query}format={format}")

    def expect_contract_passed(self):
        if json.loads(self.report("json"))["verdict"] != "pass":
            raise AssertionError(self.report("text"))


@pytest.fixture
def petstore_sandbox_options():
    """Override it to start with other pets: `return {"fixture": "empty"}`."""
    return {}


@pytest.fixture
def petstore_sandbox(request, petstore_sandbox_options):
    sandbox = PetstoreSandbox(label=request.node.name[:100], **petstore_sandbox_options)
    yield sandbox
    if REPORTS:
        Path(REPORTS, f"{sandbox.id}.json").write_text(sandbox.report("json"), "utf-8")
    sandbox.control("DELETE", "/")


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item):
    """Runs after a test that passed."""
    if sandbox := getattr(item, "funcargs", {}).get("petstore_sandbox"):
        sandbox.expect_contract_passed()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    sandbox = getattr(item, "funcargs", {}).get("petstore_sandbox")
    if sandbox and report.when == "call" and report.failed:
        ARTIFACTS.mkdir(exist_ok=True)
        file = ARTIFACTS / (re.sub(r"[^\w.-]+", "-", item.nodeid)[-100:] + ".jsonl")
        file.write_text(sandbox.control("GET", "/export?format=recording"))
        report.sections.append(("petstore sandbox", f"npx petstore-sandbox open {file}"))
