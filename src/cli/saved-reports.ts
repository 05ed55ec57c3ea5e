/** Contract reports in files, as `report --format json` and the control API write them. */
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { firstProblem, schemaCompiler } from '../base/api/json-schema.ts';
import { decoderFor, readGivenFile } from '../base/files.ts';
import controls from '../base/generated/control-api.json' with { type: 'json' };
import { interfaceVersion, specificationDigest } from '../base/generated/facts.ts';
import { isObject, parseJson, plainValue } from '../base/int64.ts';
import { version } from '../base/shipped.ts';
import { fileName, shorten } from '../base/text.ts';
import { readTime } from '../base/time.ts';
import type { NamedReport } from '../verdict/report/merge.ts';
import type { Report } from '../verdict/report/report.ts';

/** A report that merges thousands of others is the largest. */
export const MAX_REPORT_BYTES = 16 * 1024 * 1024;
const MAX_REPORT_MEMBERS = 1_000_000;
/** Of all of them together: they are in memory at once. */
const MAX_ALL_BYTES = 64 * 1024 * 1024;

export interface SavedReports {
  readonly reports: readonly NamedReport[];
  /** The files that are no report, each with its cause. */
  readonly unusable: readonly string[];
}

/** @param paths files, or directories with files that end in `.json`, at any depth; each is named as it was given */
export async function readReports(paths: readonly string[]): Promise<SavedReports> {
  const reports: NamedReport[] = [];
  const unusable: string[] = [];
  const leaveOut = (name: string, { message }: Error): void =>
    void unusable.push(`${fileName(name)} is not counted: ${message}`);
  const files: string[] = [];
  for (const path of paths) {
    try {
      const { found, empty } = await filesAt(path);
      files.push(...found);
      for (const folder of empty) leaveOut(folder, new Error(NO_REPORT));
    } catch (error) {
      leaveOut(path, error as Error);
    }
  }
  const read = await reportReader();
  let bytes = 0;
  for (const [index, name] of files.entries()) {
    if (bytes > MAX_ALL_BYTES) {
      const left = files.length - index;
      const most = `at most ${MAX_ALL_BYTES / 2 ** 20} MiB are merged at a time; merge the results of parts`;
      unusable.push(`${left} further reports are not counted: ${most}`);
      break;
    }
    try {
      const content = await readGivenFile(name, MAX_REPORT_BYTES);
      bytes += content.length;
      reports.push({ name, report: await read(content) });
    } catch (error) {
      leaveOut(name, error as Error);
    }
  }
  return { reports, unusable: [...new Set(unusable)] };
}

const NO_REPORT = 'there is no .json file in this directory';

/**
 * A file, or those of a directory and of the folders in it. Where it has only folders, each is that of a shard, and one
 * without a report is `empty`: it may have ended before it wrote one.
 * @throws {Error} if there is no file
 */
async function filesAt(
  path: string,
): Promise<{ readonly found: readonly string[]; readonly empty: readonly string[] }> {
  const about = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const pattern = /[*?]/.test(path) ? '; your shell does not expand patterns: name the directory of the reports' : '';
    throw cause.code === 'ENOENT' ? new Error(`there is no such file${pattern}`, { cause }) : cause;
  });
  if (!about.isDirectory()) return { found: [path], empty: [] };
  const all = (await readdir(path, { recursive: true, withFileTypes: true }))
    .map((entry) => ({ name: relative(path, join(entry.parentPath, entry.name)), isFolder: entry.isDirectory() }))
    .filter(({ name }) => !name.split(sep).some((part) => part.startsWith('.')));
  const names = all.flatMap(({ name, isFolder }) => (!isFolder && name.endsWith('.json') ? [name] : [])).sort();
  if (names.length === 0) throw new Error(NO_REPORT);
  const shards = names.every((name) => name.includes(sep))
    ? all.filter(({ name, isFolder }) => isFolder && !name.includes(sep))
    : [];
  const empty = shards.filter((shard) => !names.some((name) => name.startsWith(`${shard.name}${sep}`)));
  return { found: names.map((name) => join(path, name)), empty: empty.map(({ name }) => join(path, name)) };
}

const SPECIFICATION = `${interfaceVersion}+${specificationDigest}`;

/** Reads a report of this version. @throws {Error} saying what is wrong with it, without its name */
export async function reportReader(): Promise<(bytes: Buffer) => Promise<Report>> {
  const { schemas } = controls.components;
  const formats = { int64: true, 'date-time': (text: string) => readTime(text) !== undefined } as const;
  const compile = await schemaCompiler({ formats });
  const validate = compile({ $ref: '#/components/schemas/Report', components: { schemas } });
  return async (bytes) => {
    // PowerShell writes UTF-16.
    const content = parseJson(decoderFor(bytes, { fatal: true }).decode(bytes), MAX_REPORT_MEMBERS);
    if (!isObject(content)) throw new Error('it is no contract report: it must be a JSON object');
    const { program, specification, code, message } = content;
    // What a server answered instead of a report.
    if (typeof code === 'string' && typeof message === 'string')
      throw new Error(`it is an error: ${shorten(message, 300)}`);
    const verdict = content['verdict'] === 'fail' ? '; its verdict is fail' : '';
    if (typeof program === 'string' && program !== version)
      throw new Error(
        `version ${shorten(program, 40)} of the program wrote it, and this is version ${version}${verdict}; use one version`,
      );
    if (typeof specification === 'string' && specification !== SPECIFICATION)
      throw new Error(
        `it is about the specification ${shorten(specification, 40)}, not about ${SPECIFICATION}${verdict}; use one specification`,
      );
    const report = plainValue(content);
    if (!validate(report)) throw new Error(`it is no contract report: ${firstProblem(validate, 'it')}`);
    return report as Report;
  };
}
