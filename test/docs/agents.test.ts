/** The pages for coding agents: AGENTS.md and the skill. Their other lines run in pages.test.ts. */
import { access, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parsePage } from '../support/pages.ts';

const agents = await readFile('AGENTS.md', 'utf8');
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
};

/** The commands of the blocks, and those that stand in the text. */
const commands = [
  ...parsePage('AGENTS.md', agents).blocks.flatMap(({ text }) => text.trim().split('\n')),
  ...[...agents.matchAll(/`(npm [^`]+)`/g)].map(([, command]) => command as string),
];

/** `undefined` if the command is there, otherwise what is missing. */
async function missing(command: string): Promise<string | undefined> {
  const script = /^npm (?:run )?(\S+)$/.exec(command)?.[1];
  if (script !== undefined) return script === 'ci' || script in manifest.scripts ? undefined : command;
  const file = /^npx vitest run (\S+)$/.exec(command)?.[1] ?? command;
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
