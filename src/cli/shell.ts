/** What a user copies into a shell: PowerShell on Windows, a POSIX shell elsewhere. */
import { powerShellQuoted, shellWord } from '../base/text.ts';

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
