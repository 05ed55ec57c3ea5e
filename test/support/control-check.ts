/**
 * What the specification of the control API says of requests and responses: tests check each of them, as the validator of a
 * server checks those of the petstore API.
 */
import { readFile } from 'node:fs/promises';
import { partsOfTarget } from '../../src/base/address.ts';
import type { Exchange } from '../../src/base/api/exchange.ts';
import { compileAll } from '../../src/verdict/validator/compile-all.ts';
import { OperationValidator } from '../../src/verdict/validator/operation-validator.ts';
import { type DescribedOperations, type PrismOperation, shareSchemas } from '../../src/verdict/validator/operations.ts';

/** The operations as Prism reads them. */
export async function describedControls(): Promise<DescribedOperations> {
  const { operationsOf } = await import(new URL('../../scripts/build-operations.mjs', import.meta.url).href);
  const specification = new URL('../../src/base/generated/control-api.json', import.meta.url);
  return {
    specification: JSON.parse(await readFile(specification, 'utf8')),
    operations: await operationsOf('spec/control-api.yaml'),
  };
}

/** Makes the function that says what is wrong with an exchange; `undefined` if nothing is. */
export async function controlCheck(): Promise<(exchange: Exchange) => string | undefined> {
  const { specification, operations } = await describedControls();
  const schemas = new Map();
  const seen = new Set<never>();
  const validators = new Map(
    operations.map((each) => {
      const operation = shareSchemas(each, schemas);
      compileAll(each.iid, operation, seen);
      return [each.iid, new OperationValidator(specification, operation)];
    }),
  );
  return (exchange) => {
    const { operation = '', request, response, decision } = exchange;
    const validator = validators.get(operation) as OperationValidator;
    const violations = validator.validate(request, response).violations;
    const own = violations.filter(({ side }) => side === 'response' && exchange.disconnectedAt === undefined);
    const asked = violations.filter(({ side, location, rule }) => {
      if (side === 'response' || (location === 'body' && rule === 'body')) return false;
      // A scheme other than `Bearer` is ignored where no credential is needed.
      if (location !== 'header/authorization') return true;
      return !/^bearer\s+\S/i.test(request.authorization ?? '') && !isOpen(validator.operation);
    });
    const problems = decision.kind === 'rejected' ? decision.problems : [];
    const isMeant = problems.some(
      ({ location, difference }) => difference !== undefined || isInOtherCase(request.target, location),
    );
    const trouble =
      (own.length > 0 && 'the response breaks the specification') ||
      (decision.kind === 'accepted' && asked.length > 0 && 'the service accepted what the specification rejects') ||
      (decision.kind === 'rejected' && asked.length === 0 && !isMeant && 'the specification accepts what was rejected');
    return trouble ? `${operation}: ${trouble}: ${JSON.stringify({ request, response, violations })}` : undefined;
  };
}

const isOpen = ({ security = [] }: PrismOperation): boolean => security.some((schemes) => schemes.length === 0);

/** Names are case-sensitive, but not for Prism. */
function isInOtherCase(target: string, location: string): boolean {
  const [kind, name = ''] = location.split('/');
  const sent = [...new URLSearchParams(partsOfTarget(target).query).keys()];
  return kind === 'query' && sent.some((each) => each !== name && each.toLowerCase() === name.toLowerCase());
}
