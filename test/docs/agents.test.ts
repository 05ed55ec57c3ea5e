/** The pages for coding agents: AGENTS.md, llms.txt and the skill. pages.test.ts runs the blocks of the last two. */
import { access, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildProgram } from '../../src/commands/program.ts';
import { parsePage } from '../support/pages.ts';

const agents = await readFile('AGENTS.md', 'utf8');
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
};

/** The commands of the blocks, and those that stand in the text. */
const commands = [
  ...parsePage('AGENTS.md', agents).blocks.flatMap(({ text }) => text.trim().split('\n')),
  ...inline(agents),
];

/** The commands of npm in the text, also those that are joined. */
function inline(text: string): string[] {
  return [...text.matchAll(/`((?:npm|npx) [^`]+)`/g)].flatMap(([, command = '']) => command.split(' && '));
}

/** `undefined` if the command is there, otherwise what is missing. */
async function missing(command: string): Promise<string | undefined> {
  const script = /^npm (?:run )?(\S+)$/.exec(command)?.[1];
  if (script !== undefined) return ['ci', 'link'].includes(script) || script in manifest.scripts ? undefined : command;
  const file = /^npx vitest run (\S+)$/.exec(command)?.[1] ?? command;
  if (file === 'FILE') return undefined;
  return access(file).then(
    () => undefined,
    () => command,
  );
}

it('every command of AGENTS.md is there', async () => {
  expect(commands.length).toBeGreaterThan(10);
  const found = await Promise.all(commands.map(missing));
  expect(found.filter((each) => each !== undefined)).toEqual([]);
});

describe('llms.txt and the skill', () => {
  it.each(['docs/llms.txt', 'skills/petstore-sandbox/SKILL.md'])('%s names what is there', async (file) => {
    const text = await readFile(file, 'utf8');
    expect((await Promise.all(inline(text).map(missing))).filter((each) => each !== undefined)).toEqual([]);
    // Flags and commands that the program has.
    const program = buildProgram([], {});
    const commands = (within: Command): Command[] => [within, ...within.commands.flatMap(commands)];
    const flags = commands(program).flatMap(({ options }) => options.map(({ long }) => long));
    const named = [...text.matchAll(/`(--[a-z-]+)/g)].map(([, flag]) => flag);
    expect(named.filter((flag) => !flags.includes(flag))).toEqual([]);
    // Endpoints that the specification of the controls has, and pages that are served.
    const { paths } = parse(await readFile('spec/controls.yaml', 'utf8')) as { paths: Record<string, unknown> };
    const called = [...text.matchAll(/\/_sandbox(\/[a-z/.]+)/g)].map(([, path = '']) => path);
    expect(called.filter((path) => !(path in paths))).toEqual([]);
    const served = [...text.matchAll(/`(\/docs\/[a-z-]+\.md)`/g)].map(([, path = '']) => path);
    await expect(Promise.all(served.map((path) => access(`.${path}`)))).resolves.toBeDefined();
  });
});

it('every path of the layout in AGENTS.md is there', async () => {
  const rows = [...agents.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell as string);
  const paths = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string));
  expect(paths.length).toBeGreaterThan(8);
  await expect(Promise.all(paths.map((path) => access(path)))).resolves.toBeDefined();
});

it('AGENTS.md has at most 80 lines', () => {
  expect(agents.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
});

it('the front matter of the skill has its name, which is that of its folder, and a description', async () => {
  const skill = await readFile('skills/petstore-sandbox/SKILL.md', 'utf8');
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? [];
  const { name, description, ...others } = parse(head) as Record<string, string>;
  expect(name).toBe('petstore-sandbox');
  expect(description?.length).toBeGreaterThan(50);
  expect(description?.length).toBeLessThanOrEqual(1024);
  expect(others).toEqual({});
});

it('the package holds the skill, and package and image hold llms.txt with its pages', async () => {
  expect(manifest.files).toEqual(expect.arrayContaining(['docs/*.md', 'docs/llms.txt', 'skills']));
  expect(await readFile('Dockerfile', 'utf8')).toMatch(/^COPY docs docs$[\s\S]*cp -R dist docs /m);
  expect(await readFile('.dockerignore', 'utf8')).toMatch(/^!docs\/\*\.md\n!docs\/llms\.txt$/m);
});
