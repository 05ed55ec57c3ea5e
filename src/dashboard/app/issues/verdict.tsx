/** The verdict, why it is so, and the coverage that it rests on. */
import type { Report } from '../../../report/report.ts';
import { many } from '../kit/time.ts';
import { Coverage } from './coverage.tsx';

interface VerdictProps {
  readonly report: Report;
  readonly isStrict: boolean;
  readonly onStrict: (isStrict: boolean) => void;
}

export const Verdict = ({ report, isStrict, onStrict }: VerdictProps) => (
  <>
    <div class="verdict">
      <p class={`word ${report.verdict}`}>{WORD[report.verdict]}</p>
      {report.reasons.length === 0 ? (
        <p>No violations in {many(report.totals.exchanges, 'request')}.</p>
      ) : (
        <ul>
          {report.reasons.map((reason) => (
            <li key={reason}>{sentence(reason)}</li>
          ))}
        </ul>
      )}
      {report.totals.exchanges > 0 && report.reasons.length > 0 && (
        <p class="hint">In {many(report.totals.exchanges, 'request')} of your client.</p>
      )}
      <label class="check">
        <input type="checkbox" checked={isStrict} onChange={({ currentTarget }) => onStrict(currentTarget.checked)} />
        Strict: warnings and deprecated operations fail, too
      </label>
    </div>
    <Coverage report={report} />
  </>
);

export const WORD: Record<Report['verdict'], string> = { pass: 'Pass', fail: 'Fail', incomplete: 'Incomplete' };

/** `no request was seen` as `No request was seen.` */
const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
