/** What a user copies into a shell: PowerShell on Windows, a POSIX shell elsewhere. */

interface ReachedSandbox {
  /** The server's address, without `/v1`. */
  readonly base: string;
  readonly key: string;
  /** The file of a certificate to trust. */
  readonly cacert?: string | undefined;
}

/** A first request, as lines. In PowerShell, `curl` alone may be another program, and `export` does not exist. */
export function firstRequest({ base, key, cacert }: ReachedSandbox, platform: NodeJS.Platform): string[] {
  const isWindows = platform === 'win32';
  const quote = (text: string): string =>
    /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", isWindows ? "''" : "'\\''")}'`;
  const trusting = cacert === undefined ? '' : `--cacert ${quote(cacert)} `;
  return [
    ...(isWindows ? [`$env:SANDBOX_URL = '${base}/v1'; $env:SANDBOX_KEY = '${key}'`] : []),
    `${isWindows ? 'curl.exe' : 'curl'} ${trusting}-H 'Authorization: Bearer ${key}' ${base}/v1/pets`,
  ];
}
