/** The referee for all operations, and its message loop. */
import type { MessagePort } from 'node:worker_threads';
import { refuseUnknownFormats } from '../core/json-schema.ts';
import type { Verdict } from '../requests/exchange.ts';
import { decode, encodeVerdict, type Input, READY } from './message.ts';
import { OperationReferee } from './operation-validator.ts';
import { type Node, type Specifications, shareSchemas } from './operations.ts';
import { selfCheck } from './self-check.ts';

/** Judges one exchange; throws if it cannot. */
export type Referee = (input: Input) => Verdict;

/**
 * Builds the referee. It checks each operation with the specification's examples before the operation's first verdict:
 * those of the interface now, those of the controls at their first exchange, because most starts use few of them.
 * @throws if a specification has an unknown format; or, for the interface, if a schema does not compile, or if an
 * example of the specification is rejected
 */
export function createReferee(specifications: Specifications): Referee {
  const operations = new Map<string, () => OperationReferee>();
  const schemas = new Map<string, unknown>();
  const seen = new Set<Node>();
  for (const [specificationName, { specification, operations: described }] of Object.entries(specifications)) {
    const isInterface = specificationName === 'interface';
    refuseUnknownFormats(isInterface ? 'openapi' : specificationName, specification);
    for (const operation of shareSchemas(described, schemas)) {
      const name = `${specificationName}/${operation.iid}`;
      const checked = onFirstUse(() => {
        const referee = new OperationReferee(specification, operation);
        selfCheck(name, referee, seen);
        return referee;
      });
      if (isInterface) checked();
      operations.set(name, checked);
    }
  }
  return ({ operation, request, response }) => {
    const checked = operations.get(operation);
    if (!checked) throw new Error(`no specification describes the operation ${operation}`);
    return checked().validator(request, response);
  };
}

/** The value is made at the first call. A call that throws makes none. */
function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Responds to every batch of inputs with a batch of verdicts, in order, and posts `READY` first. */
export function serve(port: MessagePort, referee: Referee): void {
  // Prism's media type parser throws and catches internally. These stack traces are unused, and cost 4 µs each.
  Error.stackTraceLimit = 0;
  port.on('message', (batch: readonly string[]) => {
    port.postMessage(batch.map((text) => responseTo(text, referee)));
  });
  port.postMessage(READY);
  // Prism's start leaves twice as much garbage as the memory that it needs from now on.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

function responseTo(text: string, referee: Referee): string {
  try {
    return encodeVerdict(referee(decode(text)));
  } catch (error) {
    return encodeVerdict({
      violations: [],
      warnings: [],
      validationError: `the referee failed: ${(error as Error).message}`,
    });
  }
}
