/** What the parts of `npm run bench:growth` share. */
import type { OwnServer } from '../own-server.ts';

export const ROUNDS = 3;
export const SETTLE_MS = 3_000;

/** A row of a table. */
export type Row = readonly string[];

export const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

export const newKey = async ({ call }: OwnServer, fixture: string): Promise<string> =>
  (await call<{ key: string }>('POST', '/_sandbox/keys', { fixture })).key;

/** Prints what the validator said. */
export async function sayJudged(server: OwnServer): Promise<void> {
  say(`  the validator: ${JSON.stringify(await server.health())}`);
}
