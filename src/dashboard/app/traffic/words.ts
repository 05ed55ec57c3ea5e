/** The specification's text at the place of a violation. */
import { readJson } from '../../../client/json.ts';
import { writeJson } from '../../../core/int64.ts';
import { openClient } from '../session.ts';

export interface Words {
  /** `maximum: 100` */
  readonly rule: string;
  /** The value of the rule. */
  readonly value: unknown;
  /** The type of the field that is missing. */
  readonly type: string | undefined;
  /** The nearest description. */
  readonly description: string | undefined;
}

/** The specification of the API, as served by this server. @throws {ClientError} */
export async function readSpecification(): Promise<unknown> {
  return readJson(await openClient().text('GET /openapi.json'));
}

/** @param pointer a JSON pointer: `#/components/schemas/NewPet/required` @param place `body/categoryId` */
export function wordsAt(specification: unknown, pointer: string, location: string): Words | undefined {
  const steps = pointer
    .replace(/^#\/?/, '')
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const nodes: unknown[] = [specification];
  for (const step of steps) {
    const next = memberOf(nodes.at(-1), step);
    if (next === undefined) return undefined;
    nodes.push(next);
  }
  const value = nodes.at(-1);
  const name = steps.at(-1) as string;
  // A missing field is described where it is declared.
  const field =
    name === 'required'
      ? memberOf(memberOf(nodes.at(-2), 'properties'), location.split('/').at(-1) as string)
      : undefined;
  const described = [...nodes, field].reverse().find((node) => typeof memberOf(node, 'description') === 'string');
  const type = memberOf(field, 'type');
  return {
    value,
    type: typeof type === 'string' ? type : undefined,
    rule: typeof value === 'object' && !Array.isArray(value) ? name : `${name}: ${writeJson(value)}`,
    description: memberOf(described, 'description') as string | undefined,
  };
}

function memberOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, name)
    ? (node as Record<string, unknown>)[name]
    : undefined;
}
