/** GitHub's own parser, for workflows and actions. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

type Workflows = typeof import('@actions/workflow-parser');
type Actions = typeof import('@actions/workflow-parser/actions/index');

/** What GitHub has against a file: nothing, or a sentence each. */
export interface Parser {
  readonly workflow: (content: string) => Promise<string[]>;
  readonly action: (content: string) => string[];
}

/** The parser imports JSON without saying so, as bundlers allow and Node does not: so it is bundled. */
async function load(): Promise<Workflows & Actions> {
  const folder = await mkdtemp(join(tmpdir(), 'parser-'));
  try {
    const [entry, outfile] = [join(folder, 'parser.js'), join(folder, 'parser.cjs')];
    const modules = ['@actions/workflow-parser', '@actions/workflow-parser/actions/index'];
    await writeFile(entry, modules.map((name) => `export * from '${name}';\n`).join(''));
    const nodePaths = [join(process.cwd(), 'node_modules')];
    await build({ entryPoints: [entry], bundle: true, platform: 'node', outfile, nodePaths });
    return ((await import(pathToFileURL(outfile).href)) as { default: Workflows & Actions }).default;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function loadParser(): Promise<Parser> {
  const parser = await load();
  const trace = new parser.NoOperationTraceWriter();
  return {
    workflow: async (content) => {
      const { context, value } = parser.parseWorkflow({ name: 'workflow.yml', content }, trace);
      const { errors = [] } = value ? await parser.convertWorkflowTemplate(context, value) : {};
      return [...context.errors.getErrors().map(({ message }) => message), ...errors.map(({ Message }) => Message)];
    },
    action: (content) => {
      const { context, value } = parser.parseAction({ name: 'action.yml', content }, trace);
      if (value) parser.convertActionTemplate(context, value);
      return context.errors.getErrors().map(({ message }) => message);
    },
  };
}
