/** What will change: the days on which the specification does, and drafts. Looking at one changes nothing. */
import { useCallback, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { operations } from '../../../generated/facts.ts';
import { useLoaded } from '../kit/action.ts';
import type { Session } from '../session.ts';

/** A later specification, and what becomes of the client's requests with it. */
export interface Change {
  /** A date, or the name of a file. */
  readonly name: string;
  readonly preview: Schema<'Preview'>;
}

/** A report about traffic from elsewhere. */
export interface Foreign {
  readonly name: string;
  readonly report: Schema<'Report'>;
}

export interface Future {
  readonly changes: readonly Change[];
  /** The one whose colors the page shows. */
  readonly looked: Change | undefined;
  readonly look: (name: string | undefined) => void;
  readonly addDraft: (draft: Change) => void;
  readonly har: Foreign | undefined;
  readonly showHar: (har: Foreign | undefined) => void;
}

const DAYS = [...new Set(Object.values(operations).flatMap(({ sunset }) => sunset ?? []))].sort();

/** @param today by the sandbox's clock @param run the name of the selected one @param by when to read the previews again */
export function useFuture({ client }: Session, today: string | undefined, run: string, by: unknown): Future {
  const [name, look] = useState<string | undefined>(undefined);
  const [drafts, setDrafts] = useState<readonly Change[]>([]);
  const [har, showHar] = useState<Foreign | undefined>(undefined);
  const { value: dates = [] } = useLoaded(
    () =>
      Promise.all(
        DAYS.filter((day) => today !== undefined && day > today).map(async (day): Promise<Change> => {
          const preview = await client.request('GET /preview', { query: { at: day, run } });
          return { name: day, preview };
        }),
      ),
    [client, today, run, by],
  );
  const addDraft = useCallback((draft: Change) => {
    setDrafts((all) => [...all.filter((each) => each.name !== draft.name), draft]);
    look(draft.name);
  }, []);
  const changes = [...dates, ...drafts];
  return { changes, looked: changes.find((each) => each.name === name), look, addDraft, har, showHar };
}

/** `9 of 32 fail`. */
export const failingWords = ({ requests: { failing, total } }: Schema<'Preview'>): string =>
  `${failing.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} fail`;
