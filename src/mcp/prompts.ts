/** The prompts: two tasks that a person gives to a coding agent. */

const command = {
  name: 'command',
  description: 'The command that runs the client or its tests, such as `npm test`.',
  required: true,
};

export const PROMPTS = [
  {
    name: 'fix-client',
    title: 'Fix a petstore client',
    description: 'Test a client against a sandbox of its own, and correct it until the verdict is pass.',
    arguments: [command],
  },
  {
    name: 'prepare-for-removal',
    title: 'Prepare a client for the removal of getPet',
    description: 'Find out whether a client still works when getPet is removed, and move it to the replacement.',
    arguments: [command],
  },
];

const TEXTS: Readonly<Record<string, (command: string) => string>> = {
  'fix-client': (run) => `Make the petstore client in this project pass its contract check.

1. Call sandbox_create. Run \`${run}\` with SANDBOX_URL and SANDBOX_KEY from its result, without changing the tests.
2. Call verdict. For each finding, correct the client as the finding says, not the test. A test that sends an invalid request on purpose sets the header \`Sandbox-Expect: invalid\`.
3. Reset the sandbox with its request log, run again, and repeat until the verdict is pass. Incomplete is not a pass.
4. Call drill for lost-create, retry-after-seconds and truncated-list, if the client has a task that fits, and correct what fails.

Report what was wrong, with the requests, and what you changed.`,
  'prepare-for-removal': (
    run,
  ) => `Prepare the petstore client in this project for the removal of getPet on 5 December 2030.

1. Call sandbox_create. Run \`${run}\` with SANDBOX_URL and SANDBOX_KEY from its result.
2. Call requests with operation getPet. If there are none, the client does not use it: say so and stop.
3. Call preview: it names the requests that stop working. Call sandbox_change with setClock {"now": "2030-12-05T00:00:00Z"}, and run again to see what breaks.
4. Move the client to \`GET /pets\` with the \`status\` filter, reset the sandbox, set the clock again, and run again.
5. Call verify with operation getPet and atMost 0, and verdict with strict true. Both must pass.

Report what you changed.`,
};

/** The message of a prompt; `undefined` if no prompt has this name. */
export const promptText = (name: string, run: string): string | undefined => TEXTS[name]?.(run);
