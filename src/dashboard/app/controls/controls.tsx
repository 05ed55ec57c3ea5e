/** The controls of the sandbox. */
import { CaseCard } from '../cases/case-card.tsx';
import type { Session } from '../session.ts';
import type { Live } from '../traffic/live.ts';
import { ClockCard } from './clock.tsx';
import { DataCard } from './data.tsx';
import { EndCard } from './end.tsx';
import { FaultsCard } from './faults.tsx';
import { KeysCard } from './keys.tsx';
import { StatesCard } from './states.tsx';

interface ControlsProps {
  readonly live: Live;
  readonly onOpen: (session: Session) => void;
  readonly onLeave: () => void;
}

export function Controls({ live, onOpen, onLeave }: ControlsProps) {
  return (
    <>
      <header class="view-head">
        <h1>Controls</h1>
      </header>
      <div class="cards">
        <div>
          <FaultsCard />
          <ClockCard live={live} />
        </div>
        <div>
          <DataCard live={live} />
          <StatesCard onOpen={onOpen} />
        </div>
        <div>
          <KeysCard />
          <CaseCard onOpen={onOpen} />
          <EndCard live={live} onLeave={onLeave} />
        </div>
      </div>
    </>
  );
}
