/** The validator for all operations, and its message loop. */
import type { MessagePort } from 'node:worker_threads';
import type { Verdict } from '../../base/api/exchange.ts';
import { rejectUnknownFormats } from '../../base/api/json-schema.ts';
import { shorten } from '../../base/text.ts';
import { compileAll } from './compile-all.ts';
import { decodeInput, encodeVerdict, type ValidatorInput, WORKER_READY } from './message.ts';
import { OperationValidator } from './operation-validator.ts';
import { type DescribedOperations, type Node, shareSchemas } from './operations.ts';

/** Validates one exchange; throws if it cannot. */
export type Validate = (input: ValidatorInput) => Verdict;

/**
 * Builds the validator, and checks each operation.
 * @throws if the specification has an unknown format, or a schema that does not compile
 */
export function exchangeValidator({ specification, operations: described }: DescribedOperations): Validate {
  rejectUnknownFormats('openapi', specification);
  const schemas = new Map<string, unknown>();
  const seen = new Set<Node>();
  const validators = new Map<string, OperationValidator>();
  for (const each of described) {
    const operation = shareSchemas(each, schemas);
    validators.set(each.iid, new OperationValidator(specification, operation));
    compileAll(each.iid, operation, seen);
  }
  return ({ operation, request, response }) => {
    const validator = validators.get(operation);
    if (!validator) throw new Error(`the specification does not describe the operation ${operation}`);
    return validator.validate(request, response);
  };
}

/** Responds to every batch of inputs with a batch of verdicts, in order, and posts `WORKER_READY` first. */
export function serveValidation(port: MessagePort, validator: Validate): void {
  // Prism's media type parser throws and catches internally. These stack traces are unused, and cost 4 µs each.
  Error.stackTraceLimit = 0;
  port.on('message', (inputs: readonly string[]) => {
    port.postMessage(inputs.map((text) => encodeVerdict(verdictBy(validator, decodeInput(text)))));
  });
  port.postMessage(WORKER_READY);
}

/** The verdict on an exchange; where the validator throws, nothing is known of it. */
export function verdictBy(validator: Validate, input: ValidatorInput): Verdict {
  try {
    return validator(input);
  } catch (error) {
    const validationError = `the validator failed: ${shorten((error as Error).message, 500)}`;
    return { violations: [], warnings: [], validationError };
  }
}
