/** The strip: the verdict, and each count as a filter of the list. A count and the list that it opens have one base. */
import { addressOf, type Filter, setFilter } from '../route.ts';
import { useSandboxState } from '../strip/state.ts';
import { FINDINGS, KINDS, retriesIn } from './filters.ts';
import { MAX_KEPT } from './kept.ts';
import { WORD } from './verdict.tsx';

const number = (count: number): string => count.toLocaleString('en-GB');

export function Words({ filter }: { filter: Filter }) {
  const { live, issues } = useSandboxState();
  const { exchanges } = live;
  const words = Object.entries({ ...FINDINGS, ...KINDS });
  const counts = words.map(([, { includes }]) => exchanges.filter(includes).length);
  const twice = retriesIn(exchanges).filter(({ isTwice }) => isTwice);
  const all = words.map(([name, { words: text, tone }], at) => {
    const isChosen = filter.show === name;
    const count = counts[at] as number;
    if (count === 0 && !isChosen) return null;
    return (
      <li key={name}>
        <button
          type="button"
          class={`chip ${tone}`}
          aria-pressed={isChosen}
          onClick={() => setFilter({ ...filter, show: isChosen ? '' : name })}
        >
          {number(count)} {text}
        </button>
      </li>
    );
  });
  const findings = Object.keys(FINDINGS).length;
  const { value } = issues;
  return (
    <section class="words" aria-label="Counts, each of them a filter">
      <ul class="chips">
        {value && (
          <li>
            <a class={`chip word ${value.verdict}`} href={addressOf('live')}>
              {WORD[value.verdict]}
            </a>
          </li>
        )}
        {all.slice(0, findings)}
        {twice.map(({ to, words: text }) => (
          <li key={to.id}>
            <a class="chip bad" href={addressOf('live', to.id)}>
              {text}
            </a>
          </li>
        ))}
      </ul>
      <ul class="chips account" aria-label="What became of each request">
        <li class="hint">{baseOf(live.total, exchanges.length, live.isWhole)} =</li>
        {all.slice(findings)}
      </ul>
    </section>
  );
}

/** `12 requests`; `the last 1,000 requests (9,000 older ones dropped)`; while pages load, how many there are. */
export function baseOf(total: number, kept: number, isWhole: boolean): string {
  if (total <= kept) return `${number(total)} ${total === 1 ? 'request' : 'requests'}`;
  if (!isWhole && kept < MAX_KEPT) return `${number(kept)} of ${number(total)} requests loaded`;
  return `the last ${number(kept)} requests (${number(total - kept)} older ones dropped)`;
}
