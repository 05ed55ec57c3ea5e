/** The pages that people read: their command blocks, links and headings. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, posix, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CLI } from '../support/program.ts';
import { limit } from '../support/slow.ts';

/** A block of lines to paste. */
interface Block {
  /** With what lets its last command fail, if `<!-- exit code 1 -->` is on the line above it. */
  readonly text: string;
  /** Why no test runs it: `<!-- not run: REASON -->` on the line above it. */
  readonly notRun: string | undefined;
  /** What it prints: the block of the language `text` or `json` that follows it, where `…` stands for anything. */
  readonly prints: string | undefined;
}

interface Page {
  /** From the project's root, `docs/guides/requests.md`. */
  readonly file: string;
  readonly blocks: readonly Block[];
  /** Of all its blocks, the others too. */
  readonly languages: readonly string[];
  /** Targets of its links within the project, as they are written. */
  readonly links: readonly string[];
  /** What `#…` may name. */
  readonly anchors: ReadonlySet<string>;
}

const FENCE =
  /(?:<!-- (?:not run: ([^\n]+?)|(exit code 1)) -->\n)?^```(\w*)[^\n]*\n([\s\S]*?)^```$(?:(?=\n\n```(?:text|json)\n([\s\S]*?)^```$)|)/gm;

function parsePage(file: string, text: string): Page {
  const blocks = [...text.matchAll(FENCE)]
    .filter(([, , , language = '']) => language === 'sh')
    .map(([, notRun, fails, , lines = '', prints]) => {
      const text = fails === undefined ? lines : `${lines.trimEnd()} || [ $? = 1 ]\n`;
      return { text, notRun, prints };
    });
  const languages = [...text.matchAll(FENCE)].map(([, , , language = '']) => language);
  const prose = text.replace(FENCE, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target));
  return { file, blocks, languages, links, anchors: anchorsOf(prose) };
}

/** As GitHub makes them: a heading that comes again gets a number. */
function anchorsOf(prose: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
    const slug = words.replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  return new Set(anchors);
}

/** Every page of the project: those right in the root, and below folders with pages. */
export async function allPages(): Promise<Page[]> {
  const below = await Promise.all(
    ['docs', 'examples', 'scripts/bench'].map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((file) => posix.join(folder, file)),
    ),
  );
  // `scripts/bench` installs packages of others; the lines of their pages are not ours to run.
  const files = [...(await readdir('.')), ...below.flat()].filter(
    (file) => /\.md$|\/llms\.txt$/.test(file) && !file.split('/').includes('node_modules'),
  );
  return Promise.all(files.sort().map(async (file) => parsePage(file, await readFile(file, 'utf8'))));
}

interface Surroundings {
  /** The server's address: stands in the place of the one that pages show. */
  readonly url: string;
  /** A key and a sandbox in the place of those that a start prints. */
  readonly key?: string;
  readonly sandbox?: string;
  readonly env?: Record<string, string>;
}

/** What a page shows where its reader has another. */
export const SHOWN_ADDRESS = 'http://127.0.0.1:4020';
const SHOWN_KEY = 'petsbx_…';
const SHOWN_SANDBOX = '/sbx_…/';
const BETWEEN = '=====';

/**
 * Pastes the blocks into one shell, in order, in a folder of their own, with the program on the PATH, where `npx` finds it
 * too, and beside the examples.
 * @returns what each block printed, errors too
 * @throws {Error} with what it said, when a line fails
 */
export async function paste(
  blocks: readonly string[],
  { url, key = SHOWN_KEY, sandbox = '…', env = {} }: Surroundings,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'page-'));
  try {
    const program = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`;
    await writeFile(join(folder, 'petstore-sandbox'), program, { mode: 0o755 });
    await writeFile(join(folder, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    await symlink(resolve('examples'), join(folder, 'examples'));
    const lines = blocks
      .join(`\necho; echo ${BETWEEN}\n`)
      .replaceAll(SHOWN_ADDRESS, url)
      .replaceAll(SHOWN_KEY, key)
      .replaceAll(SHOWN_SANDBOX, `/${sandbox}/`);
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', `exec 2>&1\n${lines}`], {
      cwd: folder,
      env: {
        PATH: [folder, process.env['PATH']].join(delimiter),
        HOME: folder,
        URL: url,
        SANDBOX_URL: `${url}/v1`,
        ...env,
      },
      timeout: limit(60_000),
    });
    return stdout.split(BETWEEN).map((text) => text.trim());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
