/** Shows invisible and direction-changing characters as their escapes, so that no two names look alike. */
import { printable } from '../../base/text.ts';

/** Characters without a width, and spaces other than the ordinary one. Emoji keep their joiners and selectors. */
const HIDDEN =
  /(?<!\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)[\u200d\ufe0f]|(?![\u200d\ufe0f])\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/gu;

export const visible = (text: string): string => printable(text.replace(HIDDEN, escaped));

/** `no request was seen` as `No request was seen.`; an address stays as it is. */
export const sentence = (text: string): string =>
  text.replace(/^\w(?!\w*:)/, (first) => first.toUpperCase()).replace(/(?<![.?!])$/, '.');

/** `\u200b`, `\u{e0041}`. */
function escaped(character: string): string {
  const digits = (character.codePointAt(0) as number).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

/** A sentence of the server, whose backticks mark code. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {visible(text)
      .split('`')
      .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}
  </>
);
