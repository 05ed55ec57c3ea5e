/** A fault as a sentence: The next createPet breaks the connection after it happened. */
import { useState } from 'preact/hooks';
import { operationNames } from '../../base/generated/facts.ts';
import { Choice, Form, named } from '../kit/form.tsx';
import { sentence } from '../kit/visible.tsx';
import { placeNow } from '../route.ts';
import { useSession } from '../session.ts';
import { describeRule, happeningOf, type NewFaultRule, nth, placeFault } from './fault-rules.ts';

/** What commonly goes wrong. */
const FAILURES: readonly NewFaultRule[] = [
  { status: 503 },
  { status: 429, retryAfter: 2 },
  { status: 500 },
  { when: 'after', connection: 'reset' },
  { delayMs: 60_000 },
  { delayMs: 2_000 },
  { connection: 'truncate' },
];
const WHICH = [1, 2, 3, 4, 5].map((place) => [String(place), nth(place)] as const);
const TIMES = [
  ['1', 'once'],
  ['2', 'twice'],
  ['3', 'three times'],
  ['', 'from then on'],
] as const;

/** The sentence below the choices is the one that is placed. */
export function FaultForm() {
  const session = useSession();
  const [{ which, operation, failure, times }, set] = useState({
    ...{ which: '1', operation: placeNow().operation ?? '', failure: '0', times: '1' },
  });
  const rule = {
    ...FAILURES[Number(failure)],
    ...(operation && { operation }),
    ...(Number(which) > 1 && { from: Number(which) }),
    ...(times && { times: Number(times) }),
  } as NewFaultRule;
  const part = (name: 'which' | 'operation' | 'failure' | 'times', value: string) => ({
    value,
    onChange: (chosen: string) => set((before) => ({ ...before, [name]: chosen })),
  });
  return (
    <Form button="Place the fault" onSend={() => placeFault(session, rule)}>
      <div class="row">
        <Choice label="The" {...part('which', which)}>
          {WHICH}
        </Choice>
        <Choice label="Operation" none="any" {...part('operation', operation)}>
          {named(operationNames)}
        </Choice>
        <Choice label="What happens" {...part('failure', failure)}>
          {FAILURES.map((each, index) => [String(index), happeningOf(each)])}
        </Choice>
        <Choice label="How often" {...part('times', times)}>
          {TIMES}
        </Choice>
      </div>
      <p>{sentence(describeRule(rule))}</p>
    </Form>
  );
}
