/** The bar of every page: the views, the sandbox, and the way out. */
import { visible } from '../kit/visible.ts';
import { addressOf, REFERENCE, type ViewName } from '../route.ts';
import type { Session } from '../session.ts';

export const VIEWS: readonly (readonly [ViewName, string])[] = [
  ['traffic', 'Traffic'],
  ['issues', 'Issues'],
  ['pets', 'Pets'],
  ['controls', 'Controls'],
  ['drills', 'Drills'],
];

interface BarProps {
  readonly session: Session;
  readonly current: ViewName;
  /** The number of issues. */
  readonly issues: number;
  readonly onLeave: () => void;
}

export const Bar = ({ session, current, issues, onLeave }: BarProps) => (
  <header class="bar">
    <Brand />
    <Views current={current} issues={issues} />
    <p class="who">
      <span title={session.sandbox.id}>{visible(session.sandbox.label ?? session.sandbox.id)}</span>
      <button type="button" class="plain" onClick={onLeave}>
        Sign out
      </button>
    </p>
  </header>
);

const Views = ({ current, issues }: Pick<BarProps, 'current' | 'issues'>) => (
  <nav aria-label="Views">
    {VIEWS.map(([name, label]) => (
      <a key={name} href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
        {label}
        {name === 'issues' && issues > 0 && <span class="badge">{issues}</span>}
      </a>
    ))}
    <a href={REFERENCE}>Reference</a>
    <a href="docs/">Docs</a>
  </nav>
);

export const Brand = () => (
  <a class="brand" href={addressOf('traffic')}>
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <ellipse cx="16" cy="20.5" rx="6" ry="5" />
      <circle cx="8.6" cy="15" r="2.6" />
      <circle cx="13.2" cy="10" r="2.6" />
      <circle cx="18.8" cy="10" r="2.6" />
      <circle cx="23.4" cy="15" r="2.6" />
    </svg>
    Petstore sandbox
  </a>
);
