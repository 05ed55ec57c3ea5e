/** `GET /_sandbox/fixtures`. */
import { type Controls, json } from './control.ts';

/** What is shown of a fixture. `count`: how many pets it holds. */
export interface FixtureList {
  list(): readonly { readonly name: string; readonly description: string; readonly count: number }[];
}

export const fixtureControls = (fixtures: FixtureList): Controls => ({
  listFixtures: () =>
    json(200, {
      fixtures: fixtures.list().map(({ name, description, count }) => ({ name, description, pets: count })),
    }),
});
