/** Messages on standard error. Every one begins with the name of the program. */
import { printable } from '../client/text.ts';
import { PREFIX } from './prefix.ts';

/** Prints one line on standard error. */
export const complain = (message: string): void => void process.stderr.write(`${PREFIX}${printable(message)}\n`);

/** Prints the message of an error, which may have several lines. */
export const complainOf = ({ message }: Error): void =>
  void process.stderr.write(`${PREFIX}${message.split('\n').map(printable).join('\n')}\n`);
