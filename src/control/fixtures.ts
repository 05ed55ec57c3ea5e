/** `GET /_sandbox/fixtures`. */
import type { Fixtures } from '../sandbox/fixtures.ts';
import { type Controls, json } from './control.ts';

export const fixtureControls = (fixtures: Pick<Fixtures, 'list'>): Controls => ({
  listFixtures: () =>
    json(200, {
      fixtures: fixtures.list().map(({ name, description, count }) => ({ name, description, pets: count })),
    }),
});
