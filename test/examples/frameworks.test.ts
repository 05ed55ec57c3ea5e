/** The files for test frameworks of other languages, each in its framework: a test that passes, and three that must fail. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { CLI } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { junit, PYTEST, run } from './support.ts';

interface Framework {
  /** The file to copy, and where to. */
  readonly example: string;
  readonly copy: string;
  /** The user's files. */
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly [file: string, ...args: string[]];
  /** How it counts one test that passed and three that failed. */
  readonly counts: RegExp;
}

/** The tests of each: a client that does well; one that sends a wrong limit; a test that fails; a wrong expectation. */
const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  pytest: {
    example: 'pytest/conftest.py',
    copy: 'conftest.py',
    files: {
      'test_pets.py': `import urllib.error, urllib.request, pytest

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
`,
    },
    command: PYTEST,
    counts: /3 failed, 1 passed/,
  },
  'Go testing': {
    example: 'go/sandbox.go',
    copy: 'sandbox/sandbox.go',
    files: {
      'go.mod': 'module example.org/pets\n\ngo 1.19\n',
      'pets_test.go': `package pets

import ("io"; "net/http"; "os"; "testing"; "example.org/pets/sandbox")

func TestMain(m *testing.M) { os.Exit(sandbox.Main(m)) }

func get(s *sandbox.Sandbox, path string) string {
	request, _ := http.NewRequest("GET", s.URL+path, nil)
	request.Header.Set("Authorization", "Bearer "+s.Key)
	response, _ := http.DefaultClient.Do(request)
	body, _ := io.ReadAll(response.Body)
	return string(body)
}

func TestGood(t *testing.T) {
	petstore := sandbox.New(t, "empty")
	if get(petstore, "/pets") != "[]" { t.Fatal("not empty") }
	petstore.Verify(\`{"operation":"listPets","exactly":1}\`)
	get(petstore, "/pets?limit=500")
	petstore.ExpectedInvalid = "listPets:400"
}

func TestContract(t *testing.T) { get(sandbox.New(t, "empty"), "/pets?limit=500") }

func TestOwn(t *testing.T) {
	if get(sandbox.New(t, "empty"), "/pets") != "something else" { t.Fatal("it is something else") }
}

func TestVerified(t *testing.T) {
	petstore := sandbox.New(t, "empty")
	get(petstore, "/pets")
	petstore.Verify(\`{"operation":"listPets","exactly":2}\`)
}
`,
    },
    command: ['go', 'test', '-v', './...'],
    counts: /PASS: TestGood.*FAIL: TestContract.*FAIL: TestOwn.*FAIL: TestVerified/s,
  },
  'JUnit 5': {
    example: 'junit/PetstoreSandbox.java',
    copy: 'PetstoreSandbox.java',
    files: {
      'PetsTest.java': `import static org.junit.jupiter.api.Assertions.assertEquals;
import java.net.URI;
import java.net.http.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PetsTest {
  @RegisterExtension PetstoreSandbox sandbox = new PetstoreSandbox("empty");

  String get(String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(sandbox.url + path)).header("Authorization", "Bearer " + sandbox.key);
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test void good() throws Exception {
    assertEquals("[]", get("/pets"));
    sandbox.verify("{\\"operation\\":\\"listPets\\",\\"exactly\\":1}");
    get("/pets?limit=500");
    sandbox.expectedInvalid = "listPets:400";
  }

  @Test void contract() throws Exception { get("/pets?limit=500"); }

  @Test void own() throws Exception { assertEquals("something else", get("/pets")); }

  @Test void verified() throws Exception {
    get("/pets");
    sandbox.verify("{\\"operation\\":\\"listPets\\",\\"exactly\\":2}");
  }
}
`,
    },
    command: junit('PetsTest'),
    counts: /1 tests successful.*3 tests failed/s,
  },
  RSpec: {
    example: 'rspec/petstore_sandbox.rb',
    copy: 'spec/petstore_sandbox.rb',
    files: {
      'spec/pets_spec.rb': `require_relative 'petstore_sandbox'

RSpec.describe 'pets', petstore_sandbox: 'empty' do
  def get(path)
    Net::HTTP.get(URI(petstore_sandbox.url + path), { 'Authorization' => "Bearer #{petstore_sandbox.key}" })
  end

  it 'good' do
    expect(get('/pets')).to eq '[]'
    petstore_sandbox.verify(operation: 'listPets', exactly: 1)
    get('/pets?limit=500')
    petstore_sandbox.expected_invalid = 'listPets:400'
  end

  it('contract') { get('/pets?limit=500') }

  it('own') { expect(get('/pets')).to eq 'something else' }

  it 'verified' do
    get('/pets')
    petstore_sandbox.verify(operation: 'listPets', exactly: 2)
  end
end
`,
    },
    command: ['rspec'],
    counts: /4 examples, 3 failures/,
  },
};

/** A folder with the user's files and the copied one, and the framework's run in it. */
async function runIn({ example, copy, files, command }: Framework, env: Record<string, string>) {
  const folder = await newFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await mkdir(dirname(join(folder, copy)), { recursive: true });
  await cp(join('examples', example), join(folder, copy));
  const [program, ...args] = command;
  const { code, stdout, stderr } = await run(program, args, { folder, env });
  return { folder, code, output: stdout + stderr };
}

it.for(Object.entries(FRAMEWORKS))(
  'one file gives each test of %s a sandbox, and fails it where its client fails the contract check',
  { timeout: limit(120_000) },
  async ([, framework]) => {
    const server = await startTestServer();
    const exec = [process.execPath, CLI, 'exec', '--url', server.url, '--out', 'report.json', '--'] as const;
    const { folder, code, output } = await runIn({ ...framework, command: [...exec, ...framework.command] }, {});

    expect({ code, output }).toEqual({ code: expect.any(Number), output: expect.stringMatching(framework.counts) });
    expect(code).not.toBe(0);
    expect(output).toContain('query/limit');
    expect(output).toContain('expected exactly 2 of such requests, found 1');
    // The requests of all tests, each in a sandbox of its own, in one verdict.
    expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toMatchObject({
      verdict: 'fail',
      sandbox: '4 reports',
      account: { total: 5, validated: 4, expectedInvalid: 1 },
      counts: { violation: 1, expectedInvalid: 1 },
    });
    // The recordings of the failed tests, which open.
    const recordings = (await readdir(join(folder, 'artifacts'))).sort();
    expect(recordings).toEqual(
      ['contract', 'own', 'verified'].map((name) => expect.stringMatching(new RegExp(name, 'i'))),
    );
    for (const name of recordings) {
      expect(output).toContain(`petstore-sandbox open artifacts/${name}`);
      const recording = await readFile(join(folder, 'artifacts', name), 'utf8');
      expect((await server.client().importRecording(recording)).status).toBe(201);
    }
    // Each test's own sandbox has ended; those of the recordings are there.
    expect(server.sandboxes.size).toBe(recordings.length);
  },
);

it('the file for Go starts a server where none is named, and ends it', { timeout: limit(120_000) }, async () => {
  const program = await newFolder();
  // The program by its name, which also tells its process id.
  const script = `#!/bin/sh\necho $$ > ${program}/pid\nexec ${process.execPath} ${CLI} "$@"\n`;
  await writeFile(join(program, 'petstore-sandbox'), script, { mode: 0o755 });
  const PATH = `${program}:${process.env['PATH']}`;
  const { output } = await runIn(FRAMEWORKS['Go testing'] as Framework, { PATH });
  expect(output).toMatch((FRAMEWORKS['Go testing'] as Framework).counts);
  const pid = Number(await readFile(join(program, 'pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

/** The complete tests of docs/guides/languages.md, by the language of their blocks: where each is saved. */
const COMPLETE: Readonly<Record<string, readonly [framework: string, file: string]>> = {
  python: ['pytest', 'test_pets.py'],
  go: ['Go testing', 'pets_test.go'],
  java: ['JUnit 5', 'PetsTest.java'],
  ruby: ['RSpec', 'spec/pets_spec.rb'],
};

it.for(Object.entries(COMPLETE))(
  'the test in %s that the page on languages shows passes as it is',
  { timeout: limit(120_000) },
  async ([language, [name, file]]) => {
    const page = await readFile('docs/guides/languages.md', 'utf8');
    const text = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] as string;
    const framework = FRAMEWORKS[name] as Framework;
    const server = await startTestServer();
    const exec = [process.execPath, CLI, 'exec', '--url', server.url, '--'] as const;
    const files = { ...framework.files, [file]: text };
    const { code, output } = await runIn({ ...framework, files, command: [...exec, ...framework.command] }, {});
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('contract check passed') });
  },
);
