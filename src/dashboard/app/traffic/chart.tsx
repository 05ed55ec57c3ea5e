/** Requests over time as stacked bars: clean, with a fault, with a violation. */
import { timeOfDay } from '../kit/time.ts';
import type { Span } from './outcomes.ts';

const WIDTH = 480;
const HEIGHT = 96;
const KINDS = [
  ['good', 'clean'],
  ['fault', 'with a fault'],
  ['bad', 'with a violation'],
] as const;

export function OutcomeChart({ spans }: { spans: readonly Span[] }) {
  const most = Math.max(1, ...spans.map(({ good, bad, fault }) => good + bad + fault));
  const sum = (kind: 'good' | 'bad' | 'fault'): number => spans.reduce((all, span) => all + span[kind], 0);
  const said = KINDS.map(([kind, words]) => `${sum(kind)} ${words}`).join(', ');
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`Requests: ${said}`}>
        {spans.flatMap((span, index) => bars(span, index, { step: WIDTH / spans.length, most }))}
      </svg>
      <figcaption>
        <span>{timeOfDay(new Date(spans[0]?.start ?? 0).toISOString())}</span>
        <span class="legend">
          {KINDS.map(([kind, words]) => (
            <span key={kind} class={kind}>
              {sum(kind).toLocaleString('en-GB')} {words}
            </span>
          ))}
        </span>
      </figcaption>
    </figure>
  );
}

function bars(span: Span, index: number, { step, most }: { step: number; most: number }) {
  let top = HEIGHT;
  return KINDS.filter(([kind]) => span[kind] > 0).map(([kind]) => {
    const height = Math.max(3, (span[kind] / most) * HEIGHT);
    top -= height;
    return <rect key={`${index} ${kind}`} class={kind} x={index * step} y={top} width={step - 2} height={height} />;
  });
}
