/** The container engine: `CONTAINER_TOOL`, by default docker. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program of the engine, and what it is run with. */
export const tool = process.env['CONTAINER_TOOL'] ?? 'docker';

/** Podman has no timer for health checks where there is no systemd, and a few flags of its own. */
export const isPodman = /(?:^|\/)podman$/.test(tool);

/**
 * A tool that wraps another of the same name looks for it behind itself on the PATH: so it must come first, and once.
 * `npm run` puts folders before it.
 */
function pathFor(command: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const home = folders.find((folder) => isExecutable(join(folder, command)));
  return home === undefined
    ? folders.join(delimiter)
    : [home, ...folders.filter((each) => each !== home)].join(delimiter);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const environment = {
  ...process.env,
  PATH: tool.includes('/') ? `${dirname(tool)}:${process.env['PATH']}` : pathFor(tool),
};

/** Runs the engine with these arguments, whatever its exit code. */
export function tryEngine(...args: readonly string[]): Promise<Ran> {
  return new Promise((done, failed) => {
    execFile(tool, args, { env: environment, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') {
        failed(new Error(`${tool} cannot be run: set CONTAINER_TOOL to a container engine`, { cause: error }));
      } else done({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

/** Runs the engine; its standard output. @throws {Error} with what it said, when it fails */
export async function engine(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryEngine(...args);
  if (code !== 0) throw new Error(`${tool} ${args.slice(0, 3).join(' ')} … ended with ${code}:\n${stderr}${stdout}`);
  return stdout;
}

/** What the engine knows of an image or a container. */
export async function inspect(what: string, kind: 'image' | 'container' = 'container'): Promise<Inspected> {
  const [found] = JSON.parse(await engine(kind, 'inspect', what)) as Inspected[];
  if (!found) throw new Error(`${tool} knows no ${kind} ${what}`);
  return found;
}

/** The part that docker and podman say alike. */
export interface Inspected {
  readonly Size: number;
  readonly Config: {
    readonly User: string;
    readonly Entrypoint: readonly string[];
    readonly Volumes: Record<string, unknown>;
    readonly ExposedPorts: Record<string, unknown>;
    readonly Labels: Record<string, string>;
  };
  readonly State: {
    readonly Running: boolean;
    readonly OOMKilled: boolean;
    readonly ExitCode: number;
    readonly StartedAt: string;
    readonly FinishedAt: string;
    readonly Health?: { readonly Status: string };
  };
}
