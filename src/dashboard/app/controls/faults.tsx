/** Faults: the usual ones ready-made, and the rules that stand. */
import type { Schema } from '../../../client/routes.ts';
import { type FaultField, faultFields } from '../../../generated/facts.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import type { Live } from '../traffic/live.ts';
import { FaultForm, labelOf } from './fault-form.tsx';

type NewFault = Schema<'NewFault'>;
type Fault = Schema<'Fault'>;

const READY_MADE: readonly { name: string; what: string; rule: NewFault }[] = [
  { name: 'Outage', what: 'Every request is answered 503.', rule: { status: 503 } },
  { name: 'Slow', what: 'Every answer takes two seconds longer.', rule: { delayMs: 2000 } },
  {
    name: 'Lost answer',
    what: 'The next pet is added, but the connection breaks before its answer: may your client try again?',
    rule: { operation: 'createPet', when: 'after', connection: 'reset', times: 1 },
  },
  {
    name: 'Rate limited',
    what: 'The next three requests are answered 429, with Retry-After.',
    rule: { status: 429, retryAfter: 2, times: 3 },
  },
];

export function FaultsCard({ live }: { live: Live }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const acting = useAction();
  // How often a rule has acted changes with the traffic.
  const injected = live.exchanges.filter((exchange) => exchange.injected !== null).length;
  const list = useLoaded(() => client.ask('GET /faults'), [client, live.resets, injected]);
  const act = (work: () => Promise<unknown>, said: string): Promise<boolean> =>
    acting.run(async () => {
      await work();
      announce(said);
      list.reload();
    });
  const add = (rule: NewFault, name: string): Promise<boolean> =>
    act(() => client.ask('POST /faults', { body: rule }), `${name} is on.`);
  const rules = list.value?.faults ?? [];
  return (
    <section class="card" aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      <ul class="ready-made">
        {READY_MADE.map(({ name, what, rule }) => (
          <li key={name}>
            <button type="button" onClick={() => void add(rule, name)}>
              {name}
            </button>
            <span class="hint">{what}</span>
          </li>
        ))}
      </ul>
      <Trouble error={acting.error ?? list.error} />
      <h3>Rules that stand</h3>
      {rules.length === 0 ? (
        <p class="hint">None: everything works.</p>
      ) : (
        <>
          <ol class="entries">
            {rules.map((rule) => (
              <li key={rule.id}>
                <span class="entry">
                  <strong>{inWords(rule)}</strong>
                  <small>acted {many(rule.acted, 'time')}</small>
                </span>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Delete the rule: ${inWords(rule)}`}
                  onClick={() =>
                    void act(
                      () => client.ask('DELETE /faults/{faultId}', { params: { faultId: rule.id } }),
                      'The rule is gone.',
                    )
                  }
                >
                  Delete
                </button>
              </li>
            ))}
          </ol>
          <button type="button" onClick={() => void act(() => client.ask('DELETE /faults'), 'All faults are off.')}>
            Clear all faults
          </button>
        </>
      )}
      <FaultForm onAdd={(rule) => add(rule, 'The rule')} />
    </section>
  );
}

/** How some fields read better than by their names. */
const PHRASES: { readonly [Field in FaultField]?: (value: NonNullable<Fault[Field]>) => string } = {
  retryAfter: (seconds) => `retry after ${seconds} s`,
  delayMs: (ms) => `${ms} ms later`,
  times: (times) => many(times, 'time'),
};

/** `createPet, after it happened: status 503, retry after 2 s, 1 time`. */
function inWords(rule: Fault): string {
  const words = faultFields.flatMap((field) => {
    const value = rule[field];
    if (value === undefined || field === 'operation' || field === 'when') return [];
    const phrase = PHRASES[field] as ((value: unknown) => string) | undefined;
    return [phrase ? phrase(value) : `${labelOf(field).toLowerCase()} ${value}`];
  });
  const { operation = 'every operation', when } = rule;
  return `${operation}${when === 'after' ? ', after it happened' : ''}: ${words.join(', ')}`;
}
