/** A fault as a sentence: Fail the next listPets with 503, once. Setup has the long form. */
import { operationNames } from '../../../generated/facts.ts';
import { Menu } from '../kit/copy.tsx';
import { Choice, Form, type Given, named } from '../kit/form.tsx';
import { addressOf, type Filter } from '../route.ts';
import { useSession } from '../session.ts';
import type { NewFault } from '../setup/fault-rules.ts';

const WITH: readonly (readonly [words: string, rule: NewFault])[] = [
  ['503', { status: 503 }],
  ['429, wait 2 s', { status: 429, retryAfter: 2 }],
  ['500', { status: 500 }],
  ['a lost response', { when: 'after', connection: 'reset' }],
  ['a timeout', { delayMs: 60_000 }],
  ['a cut body', { connection: 'truncate' }],
];
const WHICH = [
  ['1', 'next'],
  ['2', '2nd'],
  ['3', '3rd'],
  ['4', '4th'],
  ['5', '5th'],
] as const;
const TIMES = [
  ['1', 'once'],
  ['2', 'twice'],
  ['3', 'three times'],
  ['', 'from then on'],
] as const;

export function FaultLine({ filter }: { filter: Filter }) {
  const { client } = useSession();
  const place = async ({ which, operation, failure, times }: Given): Promise<string> => {
    const rule = {
      ...WITH.find(([words]) => words === failure)?.[1],
      ...(operation && { operation }),
      ...(Number(which) > 1 && { from: Number(which) }),
      ...(times && { times: Number(times) }),
    } as NewFault;
    await client.request('POST /faults', { body: rule });
    return 'The fault waits.';
  };
  return (
    <Menu title="+ Fault on the next…" class="fault-line">
      <Form button="Place the fault" class="sentence" onSend={place}>
        <Choice label="Fail the" name="which">
          {WHICH}
        </Choice>
        <Choice label="request of" name="operation" none="any operation" defaultValue={filter.operation}>
          {named(operationNames)}
        </Choice>
        <Choice label="with" name="failure">
          {named(WITH.map(([words]) => words))}
        </Choice>
        <Choice label="how often" name="times">
          {TIMES}
        </Choice>
      </Form>
      <a href={addressOf('setup')}>Any other fault</a>
    </Menu>
  );
}
