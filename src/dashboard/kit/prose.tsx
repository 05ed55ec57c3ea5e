/** A sentence of the server, whose backticks mark code. */
import { visible } from './visible.ts';

export const Prose = ({ text }: { text: string }) => (
  <>
    {visible(text)
      .split('`')
      .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}
  </>
);
