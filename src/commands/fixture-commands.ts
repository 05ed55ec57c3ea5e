/** `fixtures check`, `list` and `save`. */
import type { Command } from 'commander';
import type { AddCommand } from './connected-command.ts';

export function addFixtureCommands(on: AddCommand, program: Command): void {
  const fixtures = program.command('fixtures').description('sets of seed data');
  fixtures
    .command('check')
    .description('check a directory of fixtures (exit code 1: one is wrong); needs no server')
    .argument('<dir>')
    .option('--json', 'print JSON, for programs')
    .action(async (directory: string, flags: { json?: boolean }) => {
      const { checkFixtures } = await import('./check-fixtures.ts');
      process.exitCode = await checkFixtures(directory, flags);
    });
  on(fixtures, 'list', 'list what the server has', async () => (await import('./fixtures.ts')).list, 'anyone');
  on(
    fixtures,
    'save',
    'save the present pets as a fixture file',
    async () => (await import('./fixtures.ts')).save,
  ).argument('<file>', 'its name without .json is that of the fixture');
}
