/** A fault as a sentence: The next createPet breaks the connection after it happened. */
import { useState } from 'preact/hooks';
import { operationNames } from '../../base/generated/facts.ts';
import { Choice, Form, named } from '../kit/form.tsx';
import { sentence } from '../kit/visible.tsx';
import { placeNow } from '../route.ts';
import { useSession } from '../session.ts';
import { describeRule, type NewFaultRule } from './fault-rules.ts';

/** What commonly goes wrong. */
const FAILURES: readonly (readonly [words: string, rule: NewFaultRule])[] = [
  ['gets 503', { status: 503 }],
  ['gets 429, retry after 2 s', { status: 429, retryAfter: 2 }],
  ['gets 500', { status: 500 }],
  ['breaks the connection after it happened', { when: 'after', connection: 'reset' }],
  ['takes a minute', { delayMs: 60_000 }],
  ['takes two seconds', { delayMs: 2_000 }],
  ['gets half of its response', { connection: 'truncate' }],
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

/** The sentence below the choices is the one that is placed. */
export function FaultForm() {
  const { client } = useSession();
  const [{ which, operation, failure, times }, set] = useState({
    ...{ which: '1', operation: placeNow().operation ?? '', failure: '0', times: '1' },
  });
  const rule = {
    ...FAILURES[Number(failure)]?.[1],
    ...(operation && { operation }),
    ...(Number(which) > 1 && { from: Number(which) }),
    ...(times && { times: Number(times) }),
  } as NewFaultRule;
  const place = async (): Promise<string> => {
    await client.request('POST /faults', { body: rule });
    return sentence(describeRule(rule));
  };
  const part = (name: 'which' | 'operation' | 'failure' | 'times', value: string) => ({
    value,
    onChange: (chosen: string) => set((before) => ({ ...before, [name]: chosen })),
  });
  return (
    <Form button="Place the fault" class="sentence" onSend={place}>
      <div class="row">
        <Choice label="The" {...part('which', which)}>
          {WHICH}
        </Choice>
        <Choice label="Operation" none="any" {...part('operation', operation)}>
          {named(operationNames)}
        </Choice>
        <Choice label="What happens" {...part('failure', failure)}>
          {FAILURES.map(([words], index) => [String(index), words])}
        </Choice>
        <Choice label="How often" {...part('times', times)}>
          {TIMES}
        </Choice>
      </div>
      <p>{sentence(describeRule(rule))}</p>
    </Form>
  );
}
