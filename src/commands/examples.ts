/** The examples that `--help` shows. A test parses each of them with the program's own parser. */

/** What a line does, and the line. */
type Example = readonly [about: string, line: string];

/** By the name of the command; the empty name is the program's. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  '': [
    ['Start a server on port 4020 that keeps nothing on disk', 'petstore-sandbox --memory'],
    ['Create a key, in another shell', 'export SANDBOX_KEY=$(petstore-sandbox keys create --quiet)'],
    [
      'Run your tests in a fresh sandbox; fail if they fail the contract check',
      'petstore-sandbox exec --start -- npm test',
    ],
  ],
  serve: [
    ['Store sandboxes in JSON files', 'petstore-sandbox serve --data ./data'],
    ['Store nothing on disk; use any free port', 'petstore-sandbox serve --memory --port 0'],
    [
      'Serve HTTPS with a preconfigured key',
      'petstore-sandbox serve --tls self-signed --api-key my-own-key-0123456789',
    ],
  ],
  wait: [
    ['Wait up to 30 seconds for the server on this machine', 'petstore-sandbox wait'],
    ['Wait for another server', 'petstore-sandbox wait --url http://sandbox:4020/v1 --timeout 60'],
  ],
  keys: [
    ['Create a key', 'export SANDBOX_KEY=$(petstore-sandbox keys create --quiet)'],
    ['List the keys to its sandbox', 'petstore-sandbox keys list'],
  ],
  'keys create': [
    ['Create a key and keep it in a variable', 'export SANDBOX_KEY=$(petstore-sandbox keys create --quiet)'],
    ['Start without pets; expire after an hour', 'petstore-sandbox keys create --fixture empty --ttl 3600'],
    ['Start with exactly the pets of a file', 'petstore-sandbox keys create --fixture-file pets.csv'],
  ],
  'keys share': [
    ['Create a second key to the same sandbox', 'petstore-sandbox keys share --label frontend'],
    ['Print only the key', 'petstore-sandbox keys share --quiet'],
  ],
  'keys list': [
    ['List the keys to your sandbox', 'petstore-sandbox keys list'],
    ['The same for programs', 'petstore-sandbox keys list --json'],
  ],
  'keys revoke': [
    ['Revoke a key by its id', 'petstore-sandbox keys revoke key_8fK2'],
    ['As the operator', 'petstore-sandbox keys revoke key_8fK2 --sandbox sbx_3mQ7'],
  ],
  reset: [
    ['Go back to the fixture', 'petstore-sandbox reset'],
    ['Go back to a snapshot', 'petstore-sandbox reset --snapshot before'],
    ['Start from another fixture, with an empty request log', 'petstore-sandbox reset --fixture large --request-log'],
  ],
  pets: [
    ['Add 100 pets', 'petstore-sandbox pets generate --count 100'],
    ['Add the same pets each time', 'petstore-sandbox pets generate --count 100 --seed 7 --status sold'],
  ],
  'pets generate': [
    ['Add 100 pets', 'petstore-sandbox pets generate --count 100'],
    ['Add the same pets each time', 'petstore-sandbox pets generate --count 100 --seed 7 --status sold'],
  ],
  export: [
    ['Save the sandbox, to open or replay it elsewhere', 'petstore-sandbox export --out recording.jsonl'],
    ['Save the requests as an HTTP Archive', 'petstore-sandbox export --format har --out requests.har'],
  ],
  fork: [
    ['Copy the sandbox', 'petstore-sandbox fork'],
    ['Keep the key of the copy in a variable', 'export SANDBOX_KEY=$(petstore-sandbox fork --quiet)'],
  ],
  snapshots: [
    ['Save the state', 'petstore-sandbox snapshots save before'],
    ['Go back to it', 'petstore-sandbox reset --snapshot before'],
  ],
  'snapshots save': [
    ['Save the state as "before"', 'petstore-sandbox snapshots save before'],
    ['Go back to it', 'petstore-sandbox reset --snapshot before'],
  ],
  'snapshots list': [
    ['List the snapshots', 'petstore-sandbox snapshots list'],
    ['The same for programs', 'petstore-sandbox snapshots list --json'],
  ],
  'snapshots delete': [
    ['Delete the snapshot "before"', 'petstore-sandbox snapshots delete before'],
    ['As the operator', 'petstore-sandbox snapshots delete before --sandbox sbx_3mQ7'],
  ],
  clock: [
    ['Go to the day on which getPet is removed', 'petstore-sandbox clock set 2030-12-05T00:00:00Z'],
    ['Go back to real time', 'petstore-sandbox clock reset'],
  ],
  'clock show': [
    ["Show the sandbox's time", 'petstore-sandbox clock show'],
    ['The same for programs', 'petstore-sandbox clock show --json'],
  ],
  'clock set': [
    ['Go to the day on which getPet is removed', 'petstore-sandbox clock set 2030-12-05T00:00:00Z'],
    ['Freeze the clock', 'petstore-sandbox clock set --freeze'],
    ['Start it again', 'petstore-sandbox clock set --run'],
  ],
  'clock advance': [
    ['Move 30 days forward', 'petstore-sandbox clock advance P30D'],
    ['Move an hour and a half forward', 'petstore-sandbox clock advance PT1H30M'],
  ],
  'clock reset': [
    ['Go back to real time', 'petstore-sandbox clock reset'],
    ['As the operator', 'petstore-sandbox clock reset --sandbox sbx_3mQ7'],
  ],
  faults: [
    ['Fail the next two lists', 'petstore-sandbox faults add --operation listPets --status 503 --times 2'],
    ['Delete all rules', 'petstore-sandbox faults clear'],
  ],
  'faults add': [
    ['Fail the next two lists', 'petstore-sandbox faults add --operation listPets --status 503 --times 2'],
    [
      'Create the pet, but lose the response',
      'petstore-sandbox faults add --operation createPet --when after --connection reset --times 1',
    ],
    ['Delay a fifth of all requests', 'petstore-sandbox faults add --delay 500 --probability 0.2 --seed 7'],
  ],
  'faults list': [
    ['List the rules, and how often each was triggered', 'petstore-sandbox faults list'],
    ['The same for programs', 'petstore-sandbox faults list --json'],
  ],
  'faults clear': [
    ['Delete all rules', 'petstore-sandbox faults clear'],
    ['Delete one rule', 'petstore-sandbox faults clear flt_5tR1'],
  ],
  requests: [
    ['List the requests that broke the specification', 'petstore-sandbox requests list --violations'],
    ['Show each request as it arrives', 'petstore-sandbox requests tail'],
  ],
  'requests list': [
    ['List the requests that broke the specification', 'petstore-sandbox requests list --violations'],
    ['List the last ten creates', 'petstore-sandbox requests list --operation createPet --limit 10'],
    ['List the requests without a valid key', 'petstore-sandbox requests list --unmatched'],
  ],
  'requests show': [
    ['Show a request and its response', 'petstore-sandbox requests show req_7hW4'],
    ['The same for programs', 'petstore-sandbox requests show req_7hW4 --json'],
  ],
  'requests verify': [
    ['Exactly one pet was created', 'petstore-sandbox requests verify --operation createPet --status 201 --exactly 1'],
    ['A pet named Rex was sent', `petstore-sandbox requests verify --method POST --body '{"name": "Rex"}'`],
    ['Nothing used getPet', 'petstore-sandbox requests verify --operation getPet --at-most 0'],
  ],
  'requests tail': [
    ['Show each request as it arrives', 'petstore-sandbox requests tail'],
    ['Print one JSON value per line', 'petstore-sandbox requests tail --json'],
  ],
  'requests clear': [
    ['Clear the request log between two tests', 'petstore-sandbox requests clear'],
    ['Clear the requests without a valid key', 'petstore-sandbox requests clear --unmatched'],
  ],
  report: [
    ['Print the verdict', 'petstore-sandbox report'],
    ['Write JUnit for your CI system', 'petstore-sandbox report --format junit --out contract.xml'],
    ['Accept the 400 that a test provokes', 'petstore-sandbox report --strict --expect-invalid createPet:400'],
  ],
  exec: [
    ['Start a server for this run', 'petstore-sandbox exec --start -- npm test'],
    [
      'Keep the report, the request log and the recording',
      'petstore-sandbox exec --start --artifacts artifacts -- npm test',
    ],
    ['Use a running server, and a fixture', 'petstore-sandbox exec --fixture large -- pytest -q'],
  ],
  drill: [
    ['Run all drills', 'petstore-sandbox drill --start -- node my-client.mjs'],
    ['Run one drill', 'petstore-sandbox drill --start --only lost-create -- node my-client.mjs'],
    ['Accept known failures', 'petstore-sandbox drill --start --known-failures drills.yml -- node my-client.mjs'],
  ],
  fixtures: [
    ["List the server's fixtures", 'petstore-sandbox fixtures list'],
    ['Check your own directory', 'petstore-sandbox fixtures check ./fixtures'],
  ],
  'fixtures check': [
    ['Check a directory', 'petstore-sandbox fixtures check ./fixtures'],
    ['The same for programs', 'petstore-sandbox fixtures check ./fixtures --json'],
  ],
  'fixtures list': [
    ["List the server's fixtures", 'petstore-sandbox fixtures list'],
    ['The same for programs', 'petstore-sandbox fixtures list --json'],
  ],
  'fixtures save': [
    ['Save the pets as a fixture', 'petstore-sandbox fixtures save ./fixtures/checkout.json'],
    ['Use it later', 'petstore-sandbox serve --fixtures ./fixtures --fixture checkout'],
  ],
  conform: [
    ['Check a server; the key is in SANDBOX_KEY', 'petstore-sandbox conform --url https://example.com/v1'],
    ['Also send requests that add pets', 'petstore-sandbox conform --url https://example.com/v1 --allow-create'],
    [
      'Fail a CI job on new differences only',
      'petstore-sandbox conform --url https://example.com/v1 --known-differences known.txt --format junit --out conform.xml',
    ],
  ],
  open: [
    ['Show a saved sandbox on a free port', 'petstore-sandbox open recording.jsonl'],
    ['On a port of your choice', 'petstore-sandbox open recording.jsonl --port 4021'],
  ],
  replay: [
    ['Send the requests again to a fresh sandbox', 'petstore-sandbox replay recording.jsonl'],
    ['Send the reads to another server', 'petstore-sandbox replay recording.jsonl --url https://example.com/v1'],
  ],
};
