"""Does the task of a drill with a client: `petstore-sandbox drill` describes it in variables. Each pet or list that the
task asks for is printed as a line of JSON; an error ends with exit code 1."""
import json
import os
from concurrent.futures import ThreadPoolExecutor

URL, KEY = os.environ["SANDBOX_URL"], os.environ["SANDBOX_KEY"]
HEADERS = {"Authorization": f"Bearer {KEY}"}


def run(list_pets, create, get):
    times = int(os.environ.get("SANDBOX_TIMES", "1"))
    name, pet_id = os.environ.get("SANDBOX_PET_NAME"), os.environ.get("SANDBOX_PET_ID")
    new_pet = {"name": name, "categoryId": 1}

    def at_once():
        with ThreadPoolExecutor(times) as pool:
            return [done.result() for done in [pool.submit(list_pets) for _ in range(times)]]

    results = {
        "list": lambda: [list_pets() for _ in range(times)],
        "list-at-once": at_once,
        "create": lambda: [create(new_pet)],
        "get": lambda: [get(pet_id)],
        "list-and-get": lambda: [get(next(pet["id"] for pet in list_pets() if pet["name"] == name))],
        "all": lambda: [list_pets(), create(new_pet), get(pet_id)],
    }[os.environ["SANDBOX_TASK"]]()
    for result in results:
        print(json.dumps(result))
