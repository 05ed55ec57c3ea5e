/** Drills in the tests of a client, in any runner. */

import { operations } from '../../base/generated/facts.ts';
import { waitForValidator } from '../../client/client.ts';
import { type DrillResult, isMistake, returnedResults, runDrill } from '../../client/run-drill.ts';
import { connectTo } from '../../client/trusting.ts';
import { detailLines } from '../report/formats/text.ts';
import { drillsReportOf, drillsResults } from './drills-report.ts';

/** The location of a sandbox server; the result of `startSandbox()` fits. */
export interface SandboxServer {
  /** Base address of its API. */
  readonly url: string;
  /** The certificate to trust, in PEM, where its own is self-signed. */
  readonly ca?: string | undefined;
  /** Required if only the admin may create keys. */
  readonly adminToken?: string | undefined;
  /** Resolves when the validator is loaded, which a sandbox waits for; without it, the server's health is asked. */
  readonly ready?: Promise<unknown> | undefined;
}

const EXAMPLE = operations.createPet.bodyExample;

/** A pet as the specification's example has it, under a name of its own. */
export type DrilledPet = {
  readonly [Field in keyof typeof EXAMPLE]: Widened<(typeof EXAMPLE)[Field]>;
};

type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;

/** What the client under test has to do, and where. */
export interface DrillCall {
  /** Base address of the API. */
  readonly url: string;
  readonly key: string;
  /** Where the first key is revoked. */
  readonly secondKey: string | null;
  readonly task: DrillResult['task'];
  /** How often. */
  readonly times: number;
  /** The pet to create, or to find by its name or id. */
  readonly pet: DrilledPet;
  readonly petId: string | null;
}

/** The client under test failed a drill, or could not be graded: `result` says why. */
export class DrillError extends Error {
  override readonly name = 'DrillError';
  readonly result: DrillResult;

  constructor(result: DrillResult) {
    const report = drillsReportOf([result], { strict: result.strict, createdAt: result.startedAt });
    super(detailLines(drillsResults(report), { full: true }).join('\n'));
    this.result = result;
  }
}

/**
 * Puts a client through a drill. It reports failure by throwing, and returns the pet or list that the task asks for;
 * an array of them where the task has several steps.
 *
 * @param strict whether failed checks of the level `should` count too
 * @throws {DrillError} unless the verdict is `pass`
 */
export async function drillOn(
  server: SandboxServer,
  id: string,
  client: (call: DrillCall) => unknown,
  { strict = false }: { strict?: boolean | undefined } = {},
): Promise<DrillResult> {
  const anyone = await connectTo({ url: server.url, ca: server.ca, credential: server.adminToken });
  await (server.ready ?? waitForValidator(anyone));
  const result = await runDrill(
    anyone,
    id,
    async ({ url, key, secondKey, task, times, petName, petId }) => {
      const pet = { ...EXAMPLE, name: petName ?? '' };
      try {
        const returned = await client({ url, key, secondKey, task, times, pet, petId });
        return { success: true, results: returnedResults(returned) };
      } catch (error) {
        return { success: false, crashed: isMistake(error), results: [] };
      }
    },
    { strict },
  );
  if (result.verdict !== 'pass') throw new DrillError(result);
  return result;
}
