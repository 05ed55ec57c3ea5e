import json
import os
from urllib.request import Request, urlopen


def get(path):
    """Call your own client here. `petstore-sandbox exec` sets both variables."""
    headers = {"Authorization": f"Bearer {os.environ['SANDBOX_KEY']}"}
    return urlopen(Request(os.environ["SANDBOX_URL"] + path, headers=headers), timeout=30)


def test_lists_the_pets_that_are_available():
    response = get("/pets?status=available&limit=5")
    assert response.status == 200
    assert "Biscuit" in [pet["name"] for pet in json.load(response)]
