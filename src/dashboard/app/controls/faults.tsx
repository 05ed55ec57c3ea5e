/** Faults: common presets, and the active rules. */
import type { Schema } from '../../../client/routes.ts';
import { type FaultValue, faultText } from '../../../fault-text.ts';
import { type FaultField, faultFields } from '../../../generated/facts.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import { isSpent } from '../strip/strip.tsx';
import type { Live } from '../traffic/live.ts';
import { FaultForm, labelOf } from './fault-form.tsx';

type NewFault = Schema<'NewFault'>;
type Fault = Schema<'Fault'>;

const READY_MADE: readonly { name: string; what: string; rule: NewFault }[] = [
  { name: 'Outage', what: 'Every request gets 503.', rule: { status: 503 } },
  { name: 'Slow', what: 'Every response takes two seconds longer.', rule: { delayMs: 2000 } },
  {
    name: 'Lost response',
    what: 'The next pet is added, but the connection breaks before its response: may your client try again?',
    rule: { operation: 'createPet', when: 'after', connection: 'reset', times: 1 },
  },
  {
    name: 'Rate limited',
    what: 'The next three requests get 429, with Retry-After.',
    rule: { status: 429, retryAfter: 2, times: 3 },
  },
];

export function FaultsCard({ live }: { live: Live }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const acting = useAction();
  // The counts of a rule change with the traffic.
  const injected = live.exchanges.filter((exchange) => exchange.injected !== null).length;
  const list = useLoaded(() => client.request('GET /faults'), [client, live.resets, injected]);
  const act = (work: () => Promise<unknown>, said: string): Promise<boolean> =>
    acting.run(async () => {
      await work();
      announce(said);
      list.reload();
    });
  const add = (rule: NewFault, name: string): Promise<boolean> =>
    act(() => client.request('POST /faults', { body: rule }), `${name} is on.`);
  const rules = list.value?.faults ?? [];
  return (
    <section class="card" aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      <ReadyMade
        rules={rules}
        onAdd={add}
        onDelete={(rule, name) =>
          act(() => client.request('DELETE /faults/{faultId}', { params: { faultId: rule.id } }), `${name} is off.`)
        }
      />
      <Trouble error={acting.error ?? list.error} />
      <h3>Active rules</h3>
      {list.value?.faults.length === 0 && <p class="hint">None: everything works.</p>}
      {rules.length > 0 && (
        <>
          <Rules
            rules={rules}
            onDelete={(faultId) =>
              void act(() => client.request('DELETE /faults/{faultId}', { params: { faultId } }), 'The rule is gone.')
            }
          />
          <button type="button" onClick={() => void act(() => client.request('DELETE /faults'), 'All faults are off.')}>
            Clear all faults
          </button>
        </>
      )}
      <FaultForm onAdd={(rule) => add(rule, 'The rule')} />
    </section>
  );
}

const Rules = ({ rules, onDelete }: { rules: readonly Fault[]; onDelete: (id: string) => void }) => (
  <ol class="entries">
    {rules.map((rule) => (
      <li key={rule.id}>
        <span class="entry">
          <strong>
            {describeRule(rule)}{' '}
            <span class={isSpent(rule) ? 'mark' : 'mark fault'}>{isSpent(rule) ? 'spent' : 'on'}</span>
          </strong>
          <small>
            acted {many(rule.acted, 'time')}
            {rule.times !== undefined && ` of ${rule.times}`}
          </small>
        </span>
        <button
          type="button"
          class="plain"
          aria-label={`Delete the rule: ${describeRule(rule)}`}
          onClick={() => onDelete(rule.id)}
        >
          Delete
        </button>
      </li>
    ))}
  </ol>
);

interface ReadyMadeProps {
  readonly rules: readonly Fault[];
  readonly onAdd: (rule: NewFault, name: string) => Promise<boolean>;
  readonly onDelete: (rule: Fault, name: string) => Promise<boolean>;
}

/** Toggles: pressed while a rule of this kind may still act. */
const ReadyMade = ({ rules, onAdd, onDelete }: ReadyMadeProps) => (
  <ul class="ready-made">
    {READY_MADE.map(({ name, what, rule }) => {
      const active = rules.find((each) => !isSpent(each) && isLike(each, rule));
      return (
        <li key={name}>
          <button
            type="button"
            aria-pressed={active !== undefined}
            onClick={() => void (active ? onDelete(active, name) : onAdd(rule, name))}
          >
            {name}
          </button>
          <span class="hint">{what}</span>
        </li>
      );
    })}
  </ul>
);

const isLike = (rule: Fault, wanted: NewFault): boolean =>
  Object.entries(wanted).every(([field, value]) => rule[field as FaultField] === value) &&
  faultFields.every((field) => field === 'when' || rule[field] === undefined || wanted[field] !== undefined);

/** Phrases for fields whose name alone reads badly. */
const PHRASES: { readonly [Field in FaultField]?: (value: NonNullable<Fault[Field]>) => string } = {
  retryAfter: (seconds) => `retry after ${seconds} s`,
  delayMs: (ms) => `${ms} ms later`,
  times: (times) => many(times, 'time'),
};

/** `createPet, after it happened: status 503, retry after 2 s, 1 time`. */
function describeRule(rule: Fault): string {
  const words = faultFields.flatMap((field) => {
    const value = rule[field];
    if (value === undefined || field === 'operation' || field === 'when') return [];
    const phrase = PHRASES[field] as ((value: unknown) => string) | undefined;
    return [phrase ? phrase(value) : `${labelOf(field).toLowerCase()} ${faultText(value as FaultValue)}`];
  });
  const { operation = 'every operation', when } = rule;
  return `${operation}${when === 'after' ? ', after it happened' : ''}: ${words.join(', ')}`;
}
