/** `--intended createPet:400`: a response that tests meet by breaking the specification on purpose. */
import { InvalidArgumentError, Option } from 'commander';
import { operationNames } from '../generated/facts.ts';

/** The flag; it may be given more than once. */
export const intendedOption = (): Option =>
  new Option(
    '--intended <operation:status>',
    'a response that your tests provoke on purpose, like createPet:400; may be repeated',
  ).argParser((text: string, before: readonly string[] = []) => [...before, checked(text)]);

/** A wrong one is refused before anything runs. */
function checked(text: string): string {
  if (operationNames.some((name) => new RegExp(`^${name}:4\\d\\d$`).test(text))) return text;
  throw new InvalidArgumentError(
    `It must be an operation (${operationNames.join(', ')}) and a status from 400 to 499.`,
  );
}
