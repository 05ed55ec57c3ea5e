/** Messages on standard error. Every one begins with the name of the program. */
import { printable } from '../client/text.ts';

/** Prints one line on standard error. */
export const complain = (message: string): void => void process.stderr.write(`${PREFIX}${printable(message)}\n`);

/** Prints the message of an error, which may have several lines. */
export const complainOf = ({ message }: Error): void =>
  void process.stderr.write(`${PREFIX}${message.split('\n').map(printable).join('\n')}\n`);

/** What every message on standard error begins with. */
export const PREFIX = 'petstore-sandbox: ';

/** The program's exit codes, the same for every command. */
export const EXIT = {
  done: 0,
  /** A negative result: not healthy in time, a failed assertion. */
  failed: 1,
  /** Wrong usage, or unusable input. */
  wrongUse: 2,
  /** No response from a server. */
  notReached: 3,
} as const;
