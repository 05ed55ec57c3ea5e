/** The validator for all operations, and its message loop. */
import type { MessagePort } from 'node:worker_threads';
import type { Verdict } from '../api/exchange.ts';
import { rejectUnknownFormats } from '../api/json-schema.ts';
import { shorten } from '../core/text.ts';
import { compileAll } from './compile-all.ts';
import { decodeInput, encodeVerdict, READY, type ValidatorInput } from './message.ts';
import { OperationValidator } from './operation-validator.ts';
import { type Node, type Specifications, shareSchemas } from './operations.ts';

/** Validates one exchange; throws if it cannot. */
export type Validate = (input: ValidatorInput) => Verdict;

/**
 * Builds the validator. It checks each operation with the specification's examples before the operation's first verdict:
 * those of the API now, those of the control API at their first exchange, because most starts use few of them.
 * @throws if a specification has an unknown format; or, for the API, if a schema does not compile, or if an
 * example of the specification is rejected
 */
export function exchangeValidator(specifications: Specifications): Validate {
  const operations = new Map<string, () => OperationValidator>();
  const schemas = new Map<string, unknown>();
  const seen = new Set<Node>();
  for (const [specificationName, { specification, operations: described }] of Object.entries(specifications)) {
    const isInterface = specificationName === 'petstore';
    // The main thread does this for the control API.
    if (isInterface) rejectUnknownFormats('openapi', specification);
    for (const each of described) {
      const name = `${specificationName}/${each.iid}`;
      const checked = onFirstUse(() => {
        const operation = shareSchemas(each, schemas);
        const validator = new OperationValidator(specification, operation);
        compileAll(name, operation, seen);
        return validator;
      });
      if (isInterface) checked();
      operations.set(name, checked);
    }
  }
  return ({ operation, request, response }) => {
    const checked = operations.get(operation);
    if (!checked) throw new Error(`no specification describes the operation ${operation}`);
    return checked().validate(request, response);
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
export function serveValidation(port: MessagePort, validator: Validate): void {
  // Prism's media type parser throws and catches internally. These stack traces are unused, and cost 4 µs each.
  Error.stackTraceLimit = 0;
  port.on('message', (inputs: readonly string[]) => {
    port.postMessage(inputs.map((text) => responseTo(text, validator)));
  });
  port.postMessage(READY);
}

function responseTo(text: string, validator: Validate): string {
  try {
    return encodeVerdict(validator(decodeInput(text)));
  } catch (error) {
    return encodeVerdict({
      violations: [],
      warnings: [],
      validationError: `the validator failed: ${shorten((error as Error).message, 500)}`,
    });
  }
}
