/** Compiles schemas before their first verdict: Prism silently accepts everything for one that it cannot compile. */
import type { Content, Node, PrismOperation } from './operations.ts';
import { compiles, parameterCompiles, type Side } from './prism.ts';

/**
 * Compiles every schema of an operation.
 * @param seen schemas that were compiled for another operation; this one's are added
 * @throws an error that names the operation and the part of it
 */
export function compileAll(name: string, operation: PrismOperation, seen: Set<Node>): void {
  const { request, responses } = operation;
  const bundle = operation.__bundled__;
  for (const parameters of [request?.path ?? [], request?.query ?? [], request?.headers ?? []]) {
    for (const parameter of parameters) {
      if (!parameter.schema || seen.has(parameter.schema)) continue;
      if (!parameterCompiles(parameter, bundle)) throw uncompilable(name, `parameter ${parameter.name}`);
      seen.add(parameter.schema);
    }
  }
  const check = (side: Side, contents: readonly Content[] | undefined, part: string): void => {
    for (const { schema } of contents ?? []) {
      if (!schema || seen.has(schema)) continue;
      if (!compiles(side, schema, bundle)) throw uncompilable(name, part);
      seen.add(schema);
    }
  };
  check('request', request?.body?.contents, 'request body');
  for (const response of responses) check('response', response.contents, `response ${response.code}`);
}

const uncompilable = (name: string, part: string): Error =>
  new Error(`${name}: the schema of its ${part} does not compile, so it would accept everything`);
