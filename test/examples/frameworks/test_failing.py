import urllib.error, urllib.request, pytest

@pytest.fixture
def petstore_sandbox_options():
    return {"fixture": "empty"}

def get(sandbox, path):
    headers = {"Authorization": f"Bearer {sandbox.key}"}
    return urllib.request.urlopen(urllib.request.Request(sandbox.url + path, headers=headers)).read()

def test_good(petstore_sandbox):
    assert get(petstore_sandbox, "/pets") == b"[]"
    petstore_sandbox.verify(operation="listPets", exactly=1)
    with pytest.raises(urllib.error.HTTPError):
        get(petstore_sandbox, "/pets?limit=500")
    petstore_sandbox.expected_invalid = "listPets:400"

def test_contract(petstore_sandbox):
    with pytest.raises(urllib.error.HTTPError):
        get(petstore_sandbox, "/pets?limit=500")

def test_own(petstore_sandbox):
    assert get(petstore_sandbox, "/pets") == b"something else"

def test_verified(petstore_sandbox):
    get(petstore_sandbox, "/pets")
    petstore_sandbox.verify(operation="listPets", exactly=2)
