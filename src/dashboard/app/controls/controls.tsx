/** The controls of the sandbox. */
import { CaseCard } from '../cases/case-card.tsx';
import type { Session } from '../session.ts';
import type { Live } from '../traffic/live.ts';
import { ClockCard } from './clock.tsx';
import { DataCard } from './data.tsx';
import { FaultsCard } from './faults.tsx';
import { ForkCard } from './fork.tsx';
import { KeysCard } from './keys.tsx';

export function Controls({ live, onOpen }: { live: Live; onOpen: (session: Session) => void }) {
  return (
    <>
      <header class="view-head">
        <h1>Controls</h1>
      </header>
      <div class="cards">
        <div>
          <DataCard live={live} />
          <ForkCard onOpen={onOpen} />
          <CaseCard onOpen={onOpen} />
        </div>
        <div>
          <FaultsCard live={live} />
        </div>
        <div>
          <ClockCard live={live} />
          <KeysCard live={live} />
        </div>
      </div>
    </>
  );
}
