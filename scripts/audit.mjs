/**
 * Asks the npm registry for known vulnerabilities of what the package is built from, and says so where it could not ask.
 *
 *     node scripts/audit.mjs
 *
 * Exits with 1 for a vulnerability that is high or critical. Without an answer it exits with 0 and a warning: that the
 * registry is not reachable, or has no audit, is no fault of the change. It never says that nothing was found then.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LEVELS = ['high', 'critical'];
const inGitHub = process.env['GITHUB_ACTIONS'] === 'true';

/** @returns {{ found: object } | { why: string }} what npm says, or why it says nothing */
function ask() {
  const { stdout, stderr, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000,
    shell: process.platform === 'win32',
  });
  if (error) return { why: error.message };
  try {
    const said = JSON.parse(stdout);
    if (said.metadata?.vulnerabilities && said.vulnerabilities) return { found: said };
    return { why: said.message ?? said.error?.summary ?? 'npm gave no report' };
  } catch {
    return { why: stderr.trim().split('\n').at(-1) || 'npm gave no report' };
  }
}

/** @param {object} of */
const titlesOf = ({ via }) =>
  via.map((each) => (typeof each === 'string' ? `by ${each}` : `${each.title} (${each.url})`)).join('; ');

const answer = ask();
if ('why' in answer) {
  const why = answer.why.replaceAll(/\s+/g, ' ').slice(0, 300);
  const text = `npm audit could not be asked, so nothing is known of vulnerabilities: ${why}`;
  process.stdout.write(`${inGitHub ? '::warning::' : ''}${text}\n`);
} else {
  const all = Object.values(answer.found.vulnerabilities);
  const severe = all.filter(({ severity }) => LEVELS.includes(severity));
  for (const each of all) process.stdout.write(`${each.severity}: ${each.name}: ${titlesOf(each)}\n`);
  const { total } = answer.found.metadata.dependencies;
  process.stdout.write(
    `npm audit was asked about ${total} packages: ${all.length} with known vulnerabilities, ${severe.length} of them high or critical\n`,
  );
  if (severe.length > 0) process.exitCode = 1;
}
