/** Stores a fixture of a sandbox's own. */
import { retain } from './branch-references.ts';
import { weightOf } from './change.ts';
import { branchOf, type NewFixture, type OwnFixture, ownFixture } from './own-fixture.ts';
import type { Shared } from './planned-changes.ts';

/**
 * See `Store.withFixture`. Its branch is written before any head that references it. A kill in between leaves a branch
 * without a reference, which the next start moves to `lost+found/`.
 */
export async function withFixture<T>(
  { account, write, release }: Shared,
  { nextId, pets }: NewFixture,
  use: (own: OwnFixture) => Promise<T>,
): Promise<T> {
  account.refuseLargeFixture(pets.length);
  const changes = pets.map((added) => ({ added }));
  account.refuseBeyondBytes(weightOf(changes));
  const own = ownFixture(nextId, branchOf(changes));
  const { branch } = own.log;
  account.bytes += branch.bytes;
  // Held until then: of several sandboxes that take it, one may end before the next begins.
  const held = retain([branch]);
  try {
    write((disk) => disk.writeBranch(branch, changes));
    return await use(own);
  } finally {
    release(held);
  }
}
