/** The option `--fixture-file`. */
import { Option } from 'commander';

/** The flag of a file; it goes beside `--fixture`. */
export const fixtureFileOption = (): Option =>
  new Option(
    '--fixture-file <file>',
    'start with exactly these pets: a fixture file, or CSV with id,name,categoryId,status',
  ).conflicts('fixture');
