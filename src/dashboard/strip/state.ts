/** What several views show of the sandbox: its requests, faults, clock, keys and the running drill. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Schema } from '../../client/routes.ts';
import { readSnapshots } from '../../client/undo.ts';
import { type Loaded, useLoaded, useSettled } from '../kit/action.ts';
import { many } from '../kit/time.ts';
import { type Live, useLive } from '../live/live.ts';
import { ALL_RUNS, filterIn, usePlace } from '../route.ts';
import { type Session, useSession } from '../session.ts';

export interface SandboxState {
  readonly live: Live;
  readonly faults: Loaded<readonly Schema<'Fault'>[]>;
  readonly clock: Loaded<Schema<'Clock'>>;
  readonly keys: Loaded<readonly Schema<'Key'>[]>;
  readonly snapshots: Loaded<readonly Schema<'Snapshot'>[]>;
  /** Of it, the running drill and the number of pets are the latest known. */
  readonly sandbox: Loaded<Schema<'Sandbox'>>;
  /** What is known of the selected run: every word and number of the page is taken from it. */
  readonly standing: Loaded<Standing>;
  /** A HAR that was opened, and how to open or close one. */
  readonly har: Foreign | undefined;
  readonly showHar: (har: Foreign | undefined) => void;
}

/** A report about traffic from elsewhere. */
export interface Foreign {
  /** Of its file. */
  readonly name: string;
  readonly report: Schema<'Report'>;
}

/** The runs of the client, and the selected one: the last, unless the address names another. */
export interface Standing {
  /** The newest first. */
  readonly runs: readonly Schema<'RunOutcome'>[];
  /** `undefined` for all of them, and without a request. */
  readonly run: Schema<'RunOutcome'> | undefined;
  readonly report: Schema<'Report'>;
  readonly issues: Schema<'Issues'>;
  /** The day of the next change. */
  readonly preview: Schema<'Preview'>;
}

/** Changes within this time are read at once. */
const GATHER_MS = 300;
/** The stream does not tell of faults and clocks that another client sets. */
const POLL_MS = 5_000;
/** The number of pets is read again at most this often. */
const CALM_MS = 1_000;

export function useStateOf(session: Session): SandboxState {
  const { client } = session;
  const live = useLive(session);
  const changed = useChanges(live);
  const { state } = live;
  const { key, reset, drill } = live.counts;
  const arrived = useSettled(live.arrived, CALM_MS);
  const clock = useLoaded(() => client.request('GET /clock'), [client, changed]);
  const { run: wanted } = filterIn(usePlace().query);
  const [har, showHar] = useState<Foreign | undefined>(undefined);
  const standing = useLoaded(async (): Promise<Standing> => {
    const { runs } = await client.request('GET /runs');
    const run = wanted === ALL_RUNS ? undefined : (runs.find((each) => each.run === wanted) ?? runs[0]);
    const query = { run: run?.run ?? ALL_RUNS };
    const [report, issues, preview] = await Promise.all([
      client.request('GET /report', { query }),
      client.request('GET /issues', { query }),
      client.request('GET /preview', { query }),
    ]);
    return { runs, run, report: report as Schema<'Report'>, issues, preview: preview as Schema<'Preview'> };
  }, [client, arrived, live.clears, changed, wanted]);
  return {
    live,
    faults: useLoaded(async () => (await client.request('GET /faults')).faults, [client, changed]),
    clock,
    snapshots: useLoaded(() => readSnapshots(session.client, Date.now()), [session, changed]),
    keys: useLoaded(async () => (await client.request('GET /keys')).keys, [client, key, state]),
    sandbox: useLoaded(() => client.request('GET /'), [client, reset, drill, arrived, state]),
    standing,
    har,
    showHar,
  };
}

export const StateContext = createContext<SandboxState | undefined>(undefined);

/** The state of the sandbox, in every view. */
export function useSandboxState(): SandboxState {
  const state = useContext(StateContext);
  if (!state) throw new Error('a view was shown without the state of its sandbox');
  return state;
}

/** A number that changes soon after the sandbox may have changed, and every few seconds while the page is seen. */
function useChanges({ counts: { reset, drill }, exchanges, state }: Live): number {
  const { changes } = useSession();
  const [asked, setAsked] = useState(0);
  const [count, setCount] = useState(0);
  const injected = exchanges.reduce(
    (sum, each) => sum + (each.injectedFault === null && each.delayMs === 0 ? 0 : 1),
    0,
  );
  useEffect(() => {
    // Later: a drill may have revoked the key, and the page continues with another.
    const timer = setTimeout(() => setCount((before) => before + 1), GATHER_MS);
    return () => clearTimeout(timer);
  }, [reset, injected, state, drill, asked]);
  useEffect(() => {
    const ask = (): void => setAsked((before) => before + 1);
    changes.addEventListener('change', ask);
    addEventListener('focus', ask);
    const timer = setInterval(() => state === 'live' && !document.hidden && ask(), POLL_MS);
    return () => {
      clearInterval(timer);
      changes.removeEventListener('change', ask);
      removeEventListener('focus', ask);
    };
  }, [changes, state]);
  return count;
}

/** A sandbox's time is its own from this difference on: the viewer's machine may be wrong by some seconds. */
const OWN_TIME_MS = 60_000;

export const isOwnTime = ({ now, frozen }: Schema<'Clock'>): boolean =>
  frozen || Math.abs(Date.parse(now) - Date.now()) > OWN_TIME_MS;

/** What a reset or a restored snapshot throws away: `You lose 1 added pet, 2 faults and the time of the clock.` */
export function useLoss(others: readonly string[] = []): string | undefined {
  const { sandbox, faults, clock } = useSandboxState();
  const added = sandbox.value?.pets.added ?? 0;
  const rules = faults.value?.length ?? 0;
  const lost = [
    ...(added > 0 ? [many(added, 'added pet')] : []),
    ...(rules > 0 ? [many(rules, 'fault')] : []),
    ...(clock.value && isOwnTime(clock.value) ? ['the time of the clock'] : []),
    ...((sandbox.value?.drill ?? null) === null ? [] : ['the running drill']),
    ...others,
  ];
  return lost.length === 0 ? undefined : `You lose ${listed(lost)}.`;
}

/** `a`, `a and b`, `a, b and c`. */
export const listed = (parts: readonly string[]): string => new Intl.ListFormat('en-GB').format(parts);
