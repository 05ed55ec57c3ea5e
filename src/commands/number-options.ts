/** Flags whose values are numbers. */
import { InvalidArgumentError, Option } from 'commander';

export const integer = (flag: string, help: string): Option => new Option(flag, help).argParser(readInteger);

export const number = (flag: string, help: string): Option => new Option(flag, help).argParser(readNumber);

function readInteger(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an integer.');
}

function readNumber(text: string): number {
  if (/^\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number like 0.2.');
}
