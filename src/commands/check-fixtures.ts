/** `petstore-sandbox fixtures check`: whether a server would start with these fixtures. No server is needed. */
import { stat } from 'node:fs/promises';
import { counted, table } from '../client/text.ts';
import { SettingsError } from '../config.ts';
import { FixtureError } from '../sandbox/fixture-file.ts';
import { openFixtures } from '../sandbox/fixtures.ts';
import { EXIT } from './exit-codes.ts';
import { output } from './output.ts';

/**
 * Checks each file, and makes up what is to be made up; returns the exit code, 1 where one is wrong.
 *
 * @throws {SettingsError} for what is no directory
 */
export async function checkFixtures(directory: string, { json = false }: { json?: boolean }): Promise<number> {
  const out = output({ json });
  const about = await stat(directory).catch(() => undefined);
  if (!about?.isDirectory()) throw new SettingsError(`${directory} is no directory; name the one with the fixtures`);
  try {
    const fixtures = await openFixtures({ shipped: directory });
    const list = fixtures.list();
    // Whoever checks a directory means one that holds some.
    if (list.length === 0) throw new FixtureError(`${directory}: no fixtures; they are files that end in .json`);
    for (const { name } of list) await fixtures.load(name);
    out.show({ ok: true, fixtures: list, problems: [] }, () => [
      ...table(list.map(({ name, count, description }) => [name, counted(count, 'pet'), description])),
      `${counted(list.length, 'fixture')}, nothing wrong`,
    ]);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    const problems = error.message.split('\n');
    out.show({ ok: false, fixtures: [], problems }, () => problems);
    return EXIT.failed;
  }
}
