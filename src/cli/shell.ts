/** What a user copies into a shell: PowerShell on Windows, a POSIX shell elsewhere. */
import { rowLines } from '../base/layout.ts';
import { powerShellQuoted, shellWord } from '../base/text.ts';
import { screenBehind } from './terminal.ts';

interface ReachedSandbox {
  /** Its address, without `/v1`; where there is no sandbox yet, that of the server. */
  readonly base: string;
  readonly key: string;
  /** The file of a certificate to trust. */
  readonly cacert?: string | undefined;
}

/** A first request, as lines. In PowerShell, `curl` alone may be another program, and `export` does not exist. */
export function firstRequest({ base, key, cacert }: ReachedSandbox, platform: NodeJS.Platform): string[] {
  const isWindows = platform === 'win32';
  const word = (text: string): string => shellWord(text, platform);
  const trusting = cacert === undefined ? '' : `--cacert ${word(cacert)} `;
  return [
    ...(isWindows
      ? [`$env:SANDBOX_URL = ${powerShellQuoted(`${base}/v1`)}; $env:SANDBOX_KEY = ${powerShellQuoted(key)}`]
      : []),
    `${isWindows ? 'curl.exe' : 'curl'} ${trusting}-H ${word(`Authorization: Bearer ${key}`)} ${word(`${base}/v1/pets`)}`,
  ];
}

/** How people reach a server: what it says of itself, and a first request to copy. */
export function bannerOf(rows: readonly (readonly [name: string, text: string])[], sandbox: ReachedSandbox): string {
  const screen = { ...screenBehind(process.stdout), width: Number.POSITIVE_INFINITY };
  const lines = [
    ...rowLines(
      rows.map(([name, text]) => ({ left: [[name, 'quiet']], text })),
      screen,
    ),
    ...firstRequest(sandbox, process.platform),
  ];
  return `\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}

/** A dashboard in a banner. */
export const signsInOnce = (link: string): string => `${link}  (signs in once, within an hour)`;
