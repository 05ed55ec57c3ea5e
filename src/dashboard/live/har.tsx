/** The report on a HAR that was opened: a view of its own, with the one verdict on it. */
import { many } from '../kit/time.ts';
import { visible } from '../kit/visible.tsx';
import { type Foreign, useSandboxState } from '../strip/state.ts';
import { Mistake } from './mistake.tsx';
import { Reasons, VerdictWord } from './words.tsx';

export function HarView({ har: { name, report } }: { har: Foreign }) {
  const { showHar } = useSandboxState();
  return (
    <>
      <header class="over">
        <h1 class="words">
          <VerdictWord verdict={report.verdict} /> {visible(name)}, {many(report.account.total, 'request')}
        </h1>
        <button type="button" onClick={() => showHar(undefined)}>
          Back to Live
        </button>
      </header>
      <section class="card changes" aria-label={`Report on ${visible(name)}`}>
        <h2>{report.findings.length === 0 ? 'Nothing to change' : 'What to change'}</h2>
        {report.reasons.length > 0 && <Reasons reasons={report.reasons} />}
        {report.findings.map((finding) => (
          <Mistake key={JSON.stringify(finding)} finding={finding} />
        ))}
        <p class="hint">Nothing of the file is kept.</p>
      </section>
    </>
  );
}
