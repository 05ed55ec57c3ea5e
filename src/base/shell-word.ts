/** Words of commands that a user copies into a shell. */

/** A text in quotes for a POSIX shell, which can pass no NUL on. */
export const shellQuoted = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`;

/** A path or another text as one word of a command: in quotes where it needs them, for PowerShell on Windows. */
export function shellWord(text: string, platform: string): string {
  const isPlain = platform === 'win32' ? /^[\w+=:./\\-]+$/ : /^[\w@%+=:,./-]+$/;
  if (isPlain.test(text)) return text;
  return platform === 'win32' ? powerShellQuoted(text) : shellQuoted(text);
}

/** A text in quotes for PowerShell. */
export const powerShellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
