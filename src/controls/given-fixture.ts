/** The fixture that a body gives: its name, or the fixture itself. */
import { ROUND } from '../http/heavy-lane.ts';
import { newFixture } from '../sandbox/new-fixture.ts';
import type { NewFixture } from '../store/own-fixture.ts';
import type { Call } from './control.ts';

/** Characters of a pet, about. */
const A_PET = 80;

/** Runs `use` with the fixture of the body, `undefined` if it gives none: large ones when their turn comes. */
export async function withGivenFixture<T>(
  { body, inline, req }: Call,
  use: (fixture: string | NewFixture | undefined) => Promise<T>,
): Promise<T> {
  if (inline === undefined) return use(body['fixture'] as string | undefined);
  const fixture = await newFixture(inline, (work) => req.exchange.inTurn(ROUND, work));
  return req.exchange.inTurn(fixture.pets.length * A_PET, () => use(fixture));
}
