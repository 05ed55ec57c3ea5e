// Does the task of a drill with a client: `petstore-sandbox drill` tells it in variables. An error ends with exit code 1.
const { SANDBOX_TASK: task, SANDBOX_TIMES: times = '1', SANDBOX_PET_NAME: name, SANDBOX_PET_ID: id } = process.env;

/** Base address of the API, and the key. */
export const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;

/** `list()` resolves to the pets; `getById` is for a client whose `get` does without the deprecated operation. */
export async function run({ list, create, get, getById = get }) {
  const tasks = {
    list: async () => {
      for (let i = 0; i < Number(times); i++) await list();
    },
    'list-at-once': () => Promise.all(Array.from({ length: Number(times) }, () => list())),
    create: () => create({ name, categoryId: 1 }),
    get: () => get(id),
    'list-and-get': async () => getById((await list()).find((pet) => pet.name === name).id),
    all: async () => [await list(), await create({ name, categoryId: 1 }), await get(id)],
  };
  await tasks[task]();
}
