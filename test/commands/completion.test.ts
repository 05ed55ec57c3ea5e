/** `petstore-sandbox completion`: what the shells complete. bash runs; zsh and fish check the syntax where they are. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionsOf } from '../../src/commands/completion/completions.ts';
import { buildProgram } from '../../src/commands/program.ts';
import { CLI } from '../support/program.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-completion-'));
  await mkdir(join(folder, 'a folder'));
  await writeFile(join(folder, 'case.json'), '');
  for (const shell of SHELLS) {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'completion', shell]);
    await writeFile(join(folder, shell), stdout);
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** What bash completes: each line is the words of a call, the last one being completed, with | between them. */
async function complete(lines: readonly string[]): Promise<string[][]> {
  const script = `source ./bash
while IFS='|' read -ra words; do
  COMP_WORDS=(petstore-sandbox "\${words[@]}") COMP_CWORD=\${#words[@]}
  [[ \${COMP_WORDS[COMP_CWORD]} == . ]] && COMP_WORDS[COMP_CWORD]=''
  _petstore_sandbox
  (IFS='|'; echo "\${COMPREPLY[*]}")
done`;
  const running = promisify(execFile)('bash', ['--norc', '-uc', script], { cwd: folder });
  running.child.stdin?.end(`${lines.join('\n')}\n`);
  const { stdout, stderr } = await running;
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|').filter((word) => word !== ''));
}

describe('bash', () => {
  const CASES: readonly (readonly [string, readonly string[]])[] = [
    ['ke', ['keys']],
    ['keys|c', ['create']],
    ['keys|create|--fi', ['--fixture', '--fixture-file']],
    ['help|fix', ['fixtures']],
    ['--po', ['--port']],
    ['--log-format|.', ['pretty', 'json']],
    ['report|--format|=|j', ['json', 'junit']],
    ['export|--format|.', ['case', 'har', 'curl', 'fixture']],
    ['faults|add|--operation|get', ['getPet']],
    ['keys|create|--label|.', []],
    ['open|ca', ['case.json']],
    ['backup|--to|.', ['a folder']],
    ['completion|.', SHELLS],
    ['exec|--start|--|compge', ['compgen']],
    ['drill|--|cat|ca', ['case.json']],
  ];

  it('completes commands, flags, their values, files, and a command after --', async () => {
    const completed = await complete(CASES.map(([line]) => line));
    expect(completed.map((words, at) => [CASES[at]?.[0], words])).toEqual(CASES);
  });

  it('knows every command and every flag', async () => {
    const all = completionsOf(buildProgram([], {}));
    expect(all.length).toBeGreaterThan(40);
    const words = (path: string): string => path.replaceAll(' ', '|').replace(/$/, path === '' ? '' : '|');
    const flags = await complete(all.map(({ path }) => `${words(path)}--`));
    expect(flags).toEqual(all.map((each) => each.flags.map(({ name }) => name)));
    const groups = all.filter(({ commands }) => commands.length > 0);
    const below = await complete(groups.map(({ path }) => `${words(path)}.`));
    expect(below).toEqual(groups.map(({ commands }) => commands.map(({ name }) => name)));
  });
});

it.each(SHELLS)('%s takes the script', (shell) => {
  const { error, status, stderr } = spawnSync(shell, ['-n', join(folder, shell)], { encoding: 'utf8' });
  // A shell that is not installed.
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
