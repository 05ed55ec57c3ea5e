/** Validates the requests of a HAR in this thread, as the validator of a server does in its own. */
import { readFileSync } from 'node:fs';
import type { Exchange, Verdict } from '../../base/api/exchange.ts';
import petstore from '../../base/generated/petstore.json' with { type: 'json' };
import { shorten } from '../../base/text.ts';
import { agree } from '../validator/agreement.ts';
import { VerdictCache } from '../validator/known-verdicts.ts';
import { exchangeValidator, type Validate } from '../validator/serve.ts';
import type { ValidateExchange } from './har-report.ts';

/** Characters of a HAR with cached verdicts. */
const MAX_HAR_VERDICTS = 128 * 1024;
/** Characters of an exchange. */
const MOST = 16 * 1024 * 1024;

/** Written by `scripts/build-operations.mjs`, in the folder of the bundle. */
const OPERATIONS = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/operations.json' : 'operations.json',
  import.meta.url,
);

/** Compiles the specification once. @returns makes the validator of one HAR */
export function harValidator(): () => ValidateExchange {
  const { operations } = JSON.parse(readFileSync(OPERATIONS, 'utf8'));
  const validator = exchangeValidator({ specification: petstore, operations });
  return () => {
    const remembered = new VerdictCache(MAX_HAR_VERDICTS);
    return (exchange) => {
      const isRemembered = exchange.request.body === undefined;
      const verdict = (isRemembered ? remembered.get(exchange) : undefined) ?? verdictOf(exchange, validator);
      if (isRemembered && verdict.validationError === undefined) remembered.set(exchange, verdict);
      return agree(exchange, verdict).verdict;
    };
  };
}

function verdictOf({ operation = '', request, response }: Exchange, validator: Validate): Verdict {
  if (response.body.length > MOST) return withoutVerdict(`it is larger than ${MOST} characters`);
  try {
    return validator({ operation, request, response });
  } catch (error) {
    return withoutVerdict(`the validator failed: ${shorten((error as Error).message, 500)}`);
  }
}

const withoutVerdict = (validationError: string): Verdict => ({ violations: [], warnings: [], validationError });
