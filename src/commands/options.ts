/** Flags that several commands share, and how their values are read. */
import { InvalidArgumentError, Option } from 'commander';

export const integer = (flag: string, help: string): Option => new Option(flag, help).argParser(readInteger);

export const number = (flag: string, help: string): Option => new Option(flag, help).argParser(readNumber);

/** The flag of a file, which excludes `--fixture`. */
export const fixtureFileOption = (): Option =>
  new Option(
    '--fixture-file <file>',
    'start with exactly these pets: a fixture file, or CSV with id,name,categoryId,status',
  ).conflicts('fixture');

function readInteger(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an integer.');
}

function readNumber(text: string): number {
  if (/^\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number like 0.2.');
}
