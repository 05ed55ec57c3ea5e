/** `GET /_sandbox/fixtures`. */
import { type Controls, json } from './control.ts';

/** The list form of a fixture. `count`: the number of its pets. */
interface FixtureList {
  list(): readonly { readonly name: string; readonly description: string; readonly count: number }[];
}

export const fixtureControls = (fixtures: FixtureList): Controls => ({
  listFixtures: () =>
    json(200, {
      fixtures: fixtures.list().map(({ name, description, count }) => ({ name, description, pets: count })),
    }),
});
