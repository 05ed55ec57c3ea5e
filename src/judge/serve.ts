/** The referee for all operations, and how it answers what is posted to it. */
import type { MessagePort } from 'node:worker_threads';
import type { Verdict } from '../exchange.ts';
import { refuseUnknownFormats } from '../json-schema.ts';
import { decode, encodeVerdict, type Input, READY } from './message.ts';
import { OperationReferee } from './operation-referee.ts';
import { type Documents, type Node, shareSchemas } from './operations.ts';
import { selfCheck } from './self-check.ts';

/** Judges one exchange; throws where it cannot. */
export type Referee = (input: Input) => Verdict;

/**
 * Builds the referee and tries it on the documents' examples.
 * @throws when a schema does not compile or has an unknown format, or an example of a document is refused
 */
export function createReferee(documents: Documents): Referee {
  const operations = new Map<string, OperationReferee>();
  const schemas = new Map<string, unknown>();
  const seen = new Set<Node>();
  for (const [documentName, { document, operations: described }] of Object.entries(documents)) {
    refuseUnknownFormats(documentName === 'interface' ? 'openapi' : documentName, document);
    for (const operation of shareSchemas(described, schemas)) {
      const name = `${documentName}/${operation.iid}`;
      const referee = new OperationReferee(document, operation);
      selfCheck(name, referee, seen);
      operations.set(name, referee);
    }
  }
  return ({ operation, request, answer }) => {
    const referee = operations.get(operation);
    if (!referee) throw new Error(`no document describes the operation ${operation}`);
    return referee.judge(request, answer);
  };
}

/** Answers every batch of inputs with a batch of verdicts, in order, and says when it is ready. */
export function serve(port: MessagePort, referee: Referee): void {
  // Prism's media type parsing throws and catches in passing. Nobody reads those traces, and they cost 4 µs each.
  Error.stackTraceLimit = 0;
  port.on('message', (batch: readonly string[]) => {
    port.postMessage(batch.map((text) => answerTo(text, referee)));
  });
  port.postMessage(READY);
  // Prism's start leaves twice as much behind as it needs from now on.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

function answerTo(text: string, referee: Referee): string {
  try {
    return encodeVerdict(referee(decode(text)));
  } catch (error) {
    return encodeVerdict({ violations: [], warnings: [], unjudged: `the referee failed: ${(error as Error).message}` });
  }
}
