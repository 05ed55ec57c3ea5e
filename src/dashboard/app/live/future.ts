/** What was opened besides the log: a draft of the specification, and the report on a HAR. Looking at one changes nothing. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';

/** A draft, and what becomes of the client's requests with it. */
export interface Draft {
  /** Of its file. */
  readonly name: string;
  readonly preview: Schema<'Preview'>;
}

/** A report about traffic from elsewhere. */
export interface Foreign {
  readonly name: string;
  readonly report: Schema<'Report'>;
}

export interface Future {
  readonly draft: Draft | undefined;
  readonly showDraft: (draft: Draft | undefined) => void;
  readonly har: Foreign | undefined;
  readonly showHar: (har: Foreign | undefined) => void;
}

export function useFuture(): Future {
  const [draft, showDraft] = useState<Draft | undefined>(undefined);
  const [har, showHar] = useState<Foreign | undefined>(undefined);
  return { draft, showDraft, har, showHar };
}
