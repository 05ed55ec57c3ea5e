/** Badges of an exchange. */
import { many } from '../kit/time.ts';
import type { Summary } from './live.ts';

export const Status = ({ status }: { status: number }) => (
  <span class={`status s${String(status)[0]}`}>{status === 0 ? 'no response' : status}</span>
);

export const Method = ({ method }: { method: string }) => <span class="method">{method}</span>;

export const Marks = ({ exchange, isOwn }: { exchange: Summary; isOwn: boolean }) => (
  <>
    {exchange.violations.length > 0 && <span class="mark bad">{many(exchange.violations.length, 'violation')}</span>}
    {exchange.warnings.length > 0 && <span class="mark warn">{many(exchange.warnings.length, 'warning')}</span>}
    {exchange.injected !== null && <span class="mark fault">fault</span>}
    {exchange.unjudged !== null && <span class="mark bad">not judged</span>}
    {isOwn && <span class="mark">this page</span>}
  </>
);
