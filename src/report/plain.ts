/** Text from clients, made harmless for where it is shown. The raw text stands in the JSON form only. */

/** What XML 1.0 cannot hold, not even escaped (XML 1.0, section 2.2), is shown as its code. */
export const forXml = (text: string): string => text.replace(FORBIDDEN_IN_XML, code);

/** What a terminal would obey, or show in another order, is shown as its code. */
export const forTerminal = (text: string): string => text.replace(CONTROLS, code);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
