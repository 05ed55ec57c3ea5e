/** `petstore-sandbox fixtures check`: whether a server would start with these fixtures. It needs no server. */
import { stat } from 'node:fs/promises';
import { counted, table } from '../client/text.ts';
import { FixtureError } from '../sandbox/fixture-file.ts';
import { openFixtures } from '../sandbox/fixtures.ts';
import { SettingsError } from '../server/settings.ts';
import { output } from './output.ts';
import { EXIT } from './problems.ts';

/**
 * Validates each file, and generates pets where needed; returns the exit code, 1 if a file is invalid.
 * @throws {SettingsError} if the path is not a directory
 */
export async function checkFixtures(directory: string, { json = false }: { json?: boolean }): Promise<number> {
  const out = output({ json });
  const about = await stat(directory).catch(() => undefined);
  if (!about?.isDirectory()) throw new SettingsError(`${directory} is not a directory; name the one with the fixtures`);
  try {
    const fixtures = await openFixtures({ shipped: directory });
    const list = fixtures.list();
    // A directory without fixtures is probably a mistake.
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
