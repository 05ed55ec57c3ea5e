/** Results as JSON, for programs: the outcome as it is documented, with every digit of its integers. */
import { printable } from '../../client/exchange-lines.ts';
import { writeJson } from '../../core/int64.ts';
import type { Results } from '../results.ts';

export const render = ({ data }: Results): string => printable(writeJson(data));
