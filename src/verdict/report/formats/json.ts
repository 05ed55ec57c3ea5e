/** Results as JSON, for programs: the outcome as it is documented, with every digit of its integers. */

import { writeJson } from '../../../base/int64.ts';
import { printable } from '../../../base/text.ts';
import type { Results } from '../results.ts';

export const render = ({ data }: Results): string => printable(writeJson(data));
