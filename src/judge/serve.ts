/** The referee for all operations, and its message loop. */
import type { MessagePort } from 'node:worker_threads';
import type { Verdict } from '../exchange.ts';
import { refuseUnknownFormats } from '../json-schema.ts';
import { decode, encodeVerdict, type Input, READY } from './message.ts';
import { OperationReferee } from './operation-referee.ts';
import { type Node, type Specifications, shareSchemas } from './operations.ts';
import { selfCheck } from './self-check.ts';

/** Judges one exchange; throws if it cannot. */
export type Referee = (input: Input) => Verdict;

/**
 * Builds the referee and checks it with the specifications' examples.
 * @throws if a schema does not compile or has an unknown format, or an example of a specification is rejected
 */
export function createReferee(specifications: Specifications): Referee {
  const operations = new Map<string, OperationReferee>();
  const schemas = new Map<string, unknown>();
  const seen = new Set<Node>();
  for (const [specificationName, { specification, operations: described }] of Object.entries(specifications)) {
    refuseUnknownFormats(specificationName === 'interface' ? 'openapi' : specificationName, specification);
    for (const operation of shareSchemas(described, schemas)) {
      const name = `${specificationName}/${operation.iid}`;
      const referee = new OperationReferee(specification, operation);
      selfCheck(name, referee, seen);
      operations.set(name, referee);
    }
  }
  return ({ operation, request, response }) => {
    const referee = operations.get(operation);
    if (!referee) throw new Error(`no specification describes the operation ${operation}`);
    return referee.judge(request, response);
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
    return encodeVerdict({ violations: [], warnings: [], unjudged: `the referee failed: ${(error as Error).message}` });
  }
}
