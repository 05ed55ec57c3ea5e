// Does the task of a drill with a client: `petstore-sandbox drill` describes it in variables. Each pet or list that the
// task asks for is printed as a line of JSON; an error ends with exit code 1.
const { SANDBOX_TASK: task, SANDBOX_TIMES: times = '1', SANDBOX_PET_NAME: name, SANDBOX_PET_ID: id } = process.env;

/** Base address of the API, and the key. */
export const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;

/** `list()` resolves to the pets. */
export async function run({ list, create, get }) {
  const pet = { name, categoryId: 1 };
  const tasks = {
    list: async () => {
      for (let i = 0; i < Number(times); i++) print(await list());
    },
    'list-at-once': async () => {
      for (const pets of await Promise.all(Array.from({ length: Number(times) }, () => list()))) print(pets);
    },
    create: async () => print(await create(pet)),
    get: async () => print(await get(id)),
    'list-and-get': async () => print(await get((await list()).find((each) => each.name === name).id)),
    all: async () => {
      for (const step of [list, () => create(pet), () => get(id)]) print(await step());
    },
  };
  await tasks[task]();
}

const print = (result) => process.stdout.write(`${JSON.stringify(result)}\n`);
