/** `GET /_sandbox/fixtures`. */
import { type ControlContext, type Controls, json } from './control.ts';

export const fixtureControls = ({ fixtures }: ControlContext): Controls => ({
  listFixtures: () =>
    json(200, {
      fixtures: fixtures.list().map(({ name, description, count }) => ({ name, description, pets: count })),
    }),
});
