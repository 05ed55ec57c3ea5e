/** The output formats, by their names on the command line. */

import { printable } from '../../client/text.ts';
import { writeJson } from '../../core/int64.ts';
import type { Conformance } from '../conform.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';
import { type SarifOptions, sarifOf } from './sarif.ts';
import { type TextOptions, textLines } from './text.ts';

export type Form = 'text' | 'json' | 'junit' | 'sarif' | 'html';

/** The outcome in this format, safe for display. Integers in JSON keep all their digits. */
export async function inForm(
  form: Form,
  conformance: Conformance,
  options: TextOptions & SarifOptions,
): Promise<string> {
  switch (form) {
    case 'text':
      return textLines(conformance, options).map(printable).join('\n');
    case 'json':
      return printable(writeJson(conformance));
    case 'junit':
      return (await junitOf(conformance)).trimEnd();
    case 'sarif':
      return sarifOf(conformance, options);
    case 'html':
      return htmlOf(conformance).trimEnd();
  }
}
