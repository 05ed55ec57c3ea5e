/** `fixtures check`, `list` and `save`. */
import type { Command } from 'commander';
import type { AddCommand } from './connected-command.ts';

export function addFixtureCommands(on: AddCommand, program: Command): void {
  const fixtures = program.command('fixtures').description('sets of seed data');
  fixtures
    .command('check')
    .description('validate a directory of fixtures (exit code 1: one is invalid); needs no server')
    .argument('<dir>')
    .option('--json', 'print JSON, for programs')
    .action(async (directory: string, flags: { json?: boolean }) => {
      const { checkFixtures } = await import('./check-fixtures.ts');
      process.exitCode = await checkFixtures(directory, flags);
    });
  on(fixtures, 'list', 'list the fixtures of the server', async () => (await import('./fixtures.ts')).list, 'anyone');
  on(
    fixtures,
    'save',
    'save the current pets as a fixture file',
    async () => (await import('./fixtures.ts')).save,
  ).argument('<file>', 'the file; its name without .json is the name of the fixture');
}
