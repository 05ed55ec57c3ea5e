/** The flags that name any server of the petstore API: `--url` and `--key`. */
import { SettingsError } from '../server/settings.ts';

/** The API's base address, ending in `/v1`, which is added where it is missing. @throws {SettingsError} */
export function readBase(text: string | undefined, source = '--url'): string {
  const parsed = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (
    parsed &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.search + parsed.hash + parsed.username + parsed.password === ''
  )
    return `${parsed.href.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
  const got = text === undefined ? 'nothing' : JSON.stringify(text.replace(/\/\/.*@/, '//…@'));
  throw new SettingsError(`${source} must be the base address of the API, like http://127.0.0.1:4020/v1; got ${got}`);
}

/** Errors never quote the key, not even a malformed one. @throws {SettingsError} */
export function readKey(flag: string | undefined, variable: string | undefined): string {
  const key = flag ?? variable;
  if (!key) throw new SettingsError('a key is needed: give it with --key or SANDBOX_KEY');
  if (/^[\x21-\x7e]{8,4096}$/.test(key)) return key;
  throw new SettingsError(
    `${flag === undefined ? 'SANDBOX_KEY' : '--key'} must be 8 to 4096 visible ASCII characters without spaces`,
  );
}
