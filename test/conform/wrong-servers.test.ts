/** Every mistake of {@link FAULTS} is found, and nothing else. */
import { describe, expect, test } from 'vitest';
import type { ConformCheck } from '../../src/conform/check.ts';
import { basisOf } from '../../src/conform/rules.ts';
import { suite } from '../../src/conform/suite.ts';
import { sharedServer } from '../support/server.ts';
import { found, run } from './run.ts';
import { FAULTS, type Fault, startWrongServer } from './wrong-server.ts';

const RULE_OF = new Map(suite('a-key-of-somebody').map(({ name, rule }) => [name, rule]));

/** Whether a check is one of those that may find a mistake. */
function finds(fault: Fault, name: string): boolean {
  const { rules, checks } = FAULTS[fault];
  if (checks instanceof RegExp) return checks.test(name);
  if (typeof checks !== 'function') return checks.includes(name);
  return checks(name, rules.includes(RULE_OF.get(name) as never));
}

/** Some mistakes, and whether a run shows them that creates no pet. */
const SHOWN_BY_READING: Readonly<Partial<Record<Fault, boolean>>> = {
  'unvalidated query': true,
  'limit ignored': true,
  'bad body accepted': false,
  'names HTML-escaped': false,
  'key in another case accepted': true,
  'pets stored twice': false,
  'filter after the limit': true,
  'HEAD of nothing': true,
  'failure as text for bodies that are no JSON': false,
  'byte order mark': true,
};

/** They show only in a list of more pets than the fixture has: other checks create them. */
const NEED_MANY: readonly Fault[] = ['default limit ignored', 'filter after the limit'];

const server = await sharedServer();
/** The address of a wrong server, and the key of its sandbox. */
const startWrong = async (fault: Fault, fixture = 'default') => {
  const { key = '' } = await server.sandbox({ fixture });
  return [await startWrongServer(server.url, key, fault), key] as const;
};

describe('a wrong server', () => {
  const faults = Object.keys(FAULTS) as Fault[];
  // The checks that are about it, and of the others a tenth, another one for each mistake.
  test.each(faults)('is found out, and nothing else is said of it: %s', async (fault) => {
    const [url, key] = await startWrong(fault);
    const isOther = (at: number) => NEED_MANY.includes(fault) || at % 10 === faults.indexOf(fault) % 10;
    const conformance = await run(url, key, {}, ({ name }, at) => finds(fault, name) || isOther(at));
    expect(found(conformance).sort()).toEqual(FAULTS[fault].rules.toSorted());
    expect(conformance.verdict).toBe('differs');
  });

  test.each(Object.entries(SHOWN_BY_READING))(
    'is found out in each mode that can show it: %s (by reading: %s)',
    async (fault, isShownByReading) => {
      const [url, key] = await startWrong(fault as Fault);
      const ofSpecification = FAULTS[fault as Fault].rules.filter((rule) => basisOf(rule) === 'specification');
      const about = ({ name }: ConformCheck) => finds(fault as Fault, name);
      const specificationOnly = await run(url, key, { specificationOnly: true }, about);
      expect(found(specificationOnly).sort()).toEqual(ofSpecification.sort());
      expect(specificationOnly.verdict).toBe(ofSpecification.length > 0 ? 'differs' : 'conforms');
      const reading = await run(url, key, { allowCreate: false }, about);
      expect(reading.verdict).toBe(isShownByReading ? 'differs' : 'conforms');
    },
  );

  test('that stores pets twice is found out where no list can have all pets', async () => {
    expect(found(await run(...(await startWrong('pets stored twice', 'large'))))).toEqual(['stored-once']);
  });

  test('that repeats what it was sent does not get the key into the outcome', async () => {
    const [url, key] = await startWrong('request repeated');
    const told = JSON.stringify((await run(url, key)).results);
    expect(told).toContain('Bearer <KEY>');
    // One of the keys that it is sent is this one in another case.
    expect(told.toLowerCase()).not.toContain(key.slice(0, -2).toLowerCase());
  });
});
