/** What can be done with an exchange, beside reading it. This file is loaded when it is first used. */
import type { Schema } from '../../../client/routes.ts';
import type { Tab } from '../route.ts';
import type { Summary } from '../traffic/kept.ts';
import { Compare } from './compare.tsx';
import { correctedDraft } from './corrected.ts';
import { Edit } from './edit.tsx';

interface ActProps {
  readonly tab: Tab;
  readonly exchange: Schema<'Exchange'>;
  /** Those of the request log, newest first. */
  readonly exchanges: readonly Summary[];
}

export function Act({ tab, exchange, exchanges }: ActProps) {
  if (tab === 'compare') return <Compare exchange={exchange} exchanges={exchanges} />;
  const corrected = tab === 'correct' ? correctedDraft(exchange) : undefined;
  return <Edit key={`${exchange.id} ${tab}`} exchange={exchange} corrected={corrected} />;
}

export const canCorrect = (exchange: Schema<'Exchange'>): boolean => correctedDraft(exchange) !== undefined;
