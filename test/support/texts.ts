/** Many short texts, several on a line with ` | ` between them. */
export const texts = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' | '));
