// The page of the control API, from its specification: one table of all endpoints. A step of generate.mjs.

/** The page's names for the security schemes of an operation. */
const CALLERS = { sandboxKey: 'a key', adminToken: 'the admin token' };

const EXAMPLES = `URL=\${URL:-http://127.0.0.1:4020}
KEY=$(petstore-sandbox keys create --quiet --url $URL)
control() { curl -sS --fail-with-body -w '\\n' -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }
control -d '{"count":3,"status":"sold"}' $URL/_sandbox/pets                      # add generated pets
control -d '{"name":"before"}' $URL/_sandbox/snapshots                           # save the state
control -d '{"operation":"createPet","status":503,"times":1}' $URL/_sandbox/faults  # fail the next create
control -X PUT -d '{"now":"2030-12-05T00:00:00Z"}' $URL/_sandbox/clock           # the day on which getPet is removed
control -d '{"snapshot":"before"}' $URL/_sandbox/reset                           # restore the state
control "$URL/_sandbox/report?format=text"                                       # what the client did wrong`;

/** The text of docs/reference/control-api.md. @param specification spec/control-api.yaml, parsed */
export const controlApiPage = ({ servers: [{ url: base }], info, paths, tags }) => {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const request = `${method.toUpperCase()} ${base}${path === '/' ? '' : path}`;
      return { request, ...operation };
    }),
  );
  const section = ({ name, description }) => {
    const rows = operations
      .filter(({ tags: own }) => own.includes(name))
      .map(({ request, security, summary }) => `| \`${request}\` | ${callersOf(security)} | ${summary} |`);
    return `### ${name}\n\n${description}\n\n| request | needs | what it does |\n|---|---|---|\n${rows.join('\n')}`;
  };
  return `${[
    '<!-- Generated from spec/control-api.yaml by scripts/generate.mjs; change the specification instead. -->',
    '# The control API',
    'Create keys, seed data, set the clock, make requests fail, and read what your client sent. A running server shows the\n' +
      'whole reference, with every field and response, at `/_sandbox/docs`; it is made from\n' +
      '[spec/control-api.yaml](../../spec/control-api.yaml). [Install](../start/install.md) says how to get the command that this example uses.\n' +
      'With a server running:',
    `\`\`\`sh\n${EXAMPLES}\n\`\`\``,
    info.description.trim(),
    '## Endpoints',
    ...tags.map(section),
  ].join('\n\n')}\n`;
};

/** Who may call: an empty requirement is open to everyone (OpenAPI, Security Requirement). */
const callersOf = (security) =>
  security.map((each) => Object.keys(each).map((name) => CALLERS[name])[0] ?? 'nothing').join(' or ') || 'nothing';
