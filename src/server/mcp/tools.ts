/** The tools: their arguments, the operations of the control API that they call, and what to do next. */

import { pathOfTarget } from '../../base/address.ts';
import { operationAt } from '../../base/api/specification.ts';
import { basePath, idPatterns } from '../../base/generated/facts.ts';
import { ownCommand } from '../../base/own-command.ts';
import { counted, shorten, table } from '../../base/text.ts';
import type { ControlsClient } from '../../client/client.ts';
import { ClientError } from '../../client/errors.ts';
import { summaryRow } from '../../client/exchange-lines.ts';
import { readJson } from '../../client/json.ts';
import type { ControlRoute, Schema } from '../../client/routes.ts';
import { type DrillResult, settledResult } from '../../client/run-drill.ts';
import { type Preview, previewResults } from '../../verdict/drafts/preview.ts';
import { DRILLS } from '../../verdict/drills/catalog.ts';
import { drillsReportOf, drillsResults } from '../../verdict/drills/drills-report.ts';
import { inFormat } from '../../verdict/report/formats/formats.ts';
import type { Report } from '../../verdict/report/report.ts';
import { reportResults } from '../../verdict/report/report-results.ts';
import { findingsOf, type Results } from '../../verdict/report/results.ts';
import { bodySchemaOf, type InputSchema, inputOf, outputOf, toolQueryOf, without } from './schemas.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: InputSchema;
  readonly output: object;
  readonly readOnly: boolean;
  /** @throws {ClientError} */
  run(call: ToolCall): Promise<ToolResult>;
}

/** A call with valid arguments. */
export interface ToolCall {
  /** Without `sandbox`. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Acts on the sandbox of the call. */
  readonly client: ControlsClient;
}

export interface ToolResult {
  /** What to do next, as a sentence. */
  readonly next: string;
  /** What people would read. */
  readonly text: string;
  readonly data: object;
}

const SANDBOX = {
  sandbox: {
    type: 'string',
    description:
      'The `handle` that sandbox_create returned. Leave it out to use the sandbox of the key that the MCP server was configured with.',
    pattern: '^[A-Za-z0-9\\-._~+/=]{1,512}$',
    examples: ['petsbh_thisIsNoHandleLooksLikeOne0000000'],
  },
};

/** A file as text: a path or an address would be read with the rights of the server. */
const textArgument = (description: string): Readonly<Record<string, unknown>> => ({
  type: 'string',
  description,
  minLength: 1,
  maxLength: 1024 * 1024,
});

/** Names of clients' environment variables, which the tests of the client and its drills are run with. */
const variables = (values: Readonly<Record<string, string | number | null>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
    .join(' ');

const newKey = bodySchemaOf('POST /keys').properties;
const sandboxCreate: Tool = {
  name: 'sandbox_create',
  title: 'Create a sandbox',
  description:
    'Creates a private petstore API to test a client against. Returns the base address and the key for the client, and the handle for the other tools.',
  input: inputOf(without(newKey, 'shared')),
  output: outputOf('IssuedKey'),
  readOnly: false,
  run: async ({ args, client }) => {
    const data = await client.request('POST /keys', { body: args });
    const { baseUrl, key, handle, fixture } = data;
    return {
      next: `run the client with ${variables({ SANDBOX_URL: baseUrl, SANDBOX_KEY: key })}, then call verdict with sandbox ${handle}. Keep the key; it is not shown again.`,
      text: `A sandbox with the fixture ${fixture}.`,
      data,
    };
  },
};

/** What sandbox_change can do: an argument, the operation with this body, and what to do next. */
interface Change {
  readonly route: ControlRoute;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly next: string;
  /** Returns what there is after an operation without a response body. */
  readonly after?: ControlRoute;
}

const resetBody = bodySchemaOf('POST /reset');
const flag = (description: string) => ({ type: 'boolean', enum: [true], description });

const CHANGES: Readonly<Record<string, Change>> = {
  reset: {
    route: 'POST /reset',
    schema: {
      ...inputOf(without(resetBody.properties, 'snapshot')),
      description: 'Reset to the fixture of the sandbox, or to the given one.',
    },
    next: 'run the client again',
  },
  snapshot: {
    route: 'POST /snapshots',
    schema: { ...bodySchemaOf('POST /snapshots'), description: 'Save the current state under a name.' },
    next: 'run the client; restore returns to this state',
  },
  restore: {
    route: 'POST /reset',
    schema: {
      ...inputOf(without(resetBody.properties, 'fixture'), ['snapshot']),
      description: 'Return to a snapshot.',
    },
    next: 'run the client again',
  },
  setClock: {
    route: 'PUT /clock',
    schema: { ...bodySchemaOf('PUT /clock'), description: 'Set or freeze the clock that the API follows.' },
    next: 'run the client at this time; resetClock returns to real time',
  },
  advanceClock: {
    route: 'POST /clock/advance',
    schema: { ...bodySchemaOf('POST /clock/advance'), description: 'Advance the clock.' },
    next: 'run the client at this time; resetClock returns to real time',
  },
  resetClock: {
    route: 'DELETE /clock',
    schema: flag('Return to real time.'),
    next: 'run the client again',
  },
  addFault: {
    route: 'POST /faults',
    schema: { ...bodySchemaOf('POST /faults'), description: 'Add a rule that lets requests fail.' },
    next: 'run the client, then call requests to see how it met the fault; clearFaults deletes all rules',
  },
  clearFaults: {
    route: 'DELETE /faults',
    schema: flag('Delete all fault rules.'),
    next: 'run the client again',
    after: 'GET /faults',
  },
};

const sandboxChange: Tool = {
  name: 'sandbox_change',
  title: 'Change a sandbox',
  description:
    'Makes one change to a sandbox: reset it, save or restore a snapshot, set its clock (getPet is removed from 2030-12-05 on), or inject faults. Give exactly one argument besides sandbox.',
  input: inputOf({
    ...SANDBOX,
    ...Object.fromEntries(Object.entries(CHANGES).map(([name, { schema }]) => [name, schema])),
  }),
  output: outputOf('ResetResult', 'Snapshot', 'Clock', 'Fault', 'Faults'),
  readOnly: false,
  run: async ({ args, client }) => {
    const [name = '', ...others] = Object.keys(args);
    const change = CHANGES[name];
    if (!change || others.length > 0) {
      throw wrongArguments(`give exactly one of ${Object.keys(CHANGES).join(', ')}; each call makes one change`);
    }
    const body = args[name] === true ? undefined : args[name];
    const made = await client.request(change.route, { body } as never);
    const data = change.after ? await client.request(change.after as 'GET /faults') : made;
    return { next: change.next, text: `Done: ${name}.`, data: data as object };
  },
};

/** Rows in one result, and the most that an agent can use at once; it reads further ones with `before`. */
const ROWS = 20;
const MAX_ROWS = 100;
/** Characters of a text in a row: one request has the whole. */
const MAX_ROW_TEXT = 200;

/** Data with its long texts cut. */
function withShortTexts<T>(data: T): T {
  if (typeof data === 'string') return shorten(data, MAX_ROW_TEXT) as T;
  if (Array.isArray(data)) return data.map(withShortTexts) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, withShortTexts(value)])) as T;
}

const listed = toolQueryOf('GET /requests');
const requests: Tool = {
  name: 'requests',
  title: 'List requests',
  description:
    'Lists what the client sent to a sandbox, newest first, with status and violations; long texts are cut. With an id, shows that request whole, with its bodies and headers.',
  input: inputOf({
    ...SANDBOX,
    ...listed,
    limit: { ...listed['limit'], maximum: MAX_ROWS, default: ROWS },
    id: { type: 'string', pattern: idPatterns.RequestId, description: 'The id of one request.' },
  }),
  output: outputOf('Requests', 'RequestDetails'),
  readOnly: true,
  run: async ({ args: { id, ...args }, client }) => {
    if (id !== undefined) {
      const data = await client.request('GET /requests/{requestId}', { params: { requestId: String(id) } });
      return { next: 'call verdict to see what to correct', text: JSON.stringify(data, null, 2), data };
    }
    const data = withShortTexts(await client.request('GET /requests', { query: { limit: ROWS, ...args } }));
    const broken = data.requests.filter(({ violations }) => violations.length > 0);
    const next =
      data.total === 0
        ? 'run the client with SANDBOX_URL and SANDBOX_KEY of this sandbox; no request matches yet'
        : broken.length === 0
          ? 'call verdict; none of these requests breaks the specification'
          : `call verdict to see what to send instead of ${counted(broken.length, 'invalid request')}`;
    return {
      next,
      text: [...table(data.requests.map(summaryRow)), `${data.requests.length} of ${data.total} shown`].join('\n'),
      data,
    };
  },
};

const verdict: Tool = {
  name: 'verdict',
  title: 'Fetch the verdict on the client',
  description:
    'Says whether the client kept to the specification: pass, fail or incomplete, with each wrong request and what to send instead. A verdict is only a pass if everything was validated.',
  input: inputOf({ ...SANDBOX, ...toolQueryOf('GET /report', ['format']) }),
  output: outputOf('Report'),
  readOnly: true,
  run: async ({ args, client }) => {
    const data = await client.request('GET /report', { query: args });
    const results = reportResults(data as unknown as Report);
    return { next: nextAfter(results, 'run drills with the tool drill'), text: await inFormat('text', results), data };
  },
};

/** What to correct first, or what to do once nothing is left. */
function nextAfter(
  results: Results,
  whenPassed: string,
  again = 'call sandbox_change with reset {"requestLog": true}, run the client, and call this again',
): string {
  if (results.verdict === 'pass') return `nothing is left to correct here; ${whenPassed}`;
  const findings = findingsOf(results).filter(({ level, accepted }) => level === 'error' && accepted === undefined);
  const [first] = findings;
  if (!first) return `this proves nothing yet: ${results.reasons.join('; ') || 'run the client, then call this again'}`;
  const fix = first.fix ?? first.message;
  const others = findings.length === 1 ? '' : ` (and ${counted(findings.length - 1, 'other finding')} below)`;
  return `correct the client: ${first.subject}: ${fix}${others}. Then ${again}`;
}

const CLEAR_FIRST = 'clear the request log, run the client again, and verify directly after it';

const verify: Tool = {
  name: 'verify',
  title: 'Count matching requests',
  description:
    'Checks that the client sent a request so often: by operation, method, path, status and body. A failed check returns the closest requests and how they differ.',
  input: inputOf({
    ...SANDBOX,
    ...bodySchemaOf('POST /requests/verify').properties,
    body: {
      ...bodySchemaOf('POST /requests/verify').properties['body'],
      description:
        "What the request's body holds, among other fields: JSON, or its text in a string, where integers keep all their digits.",
    },
  }),
  output: outputOf('Verified', 'VerificationFailed'),
  readOnly: true,
  run: async ({ args, client }) => {
    const body = typeof args['body'] === 'string' ? { ...args, body: bodyFrom(args['body']) } : args;
    try {
      const data = await client.request('POST /requests/verify', { body });
      return {
        next: 'the requests are as expected; go on',
        text: `${counted(data.matched, 'request')} matched.`,
        data,
      };
    } catch (error) {
      const isIncomplete = error instanceof ClientError && error.code === 'verification_incomplete';
      if (!(error instanceof ClientError) || !(isIncomplete || error.code === 'verification_failed')) throw error;
      const failed = error.body as Schema<'VerificationFailed'>;
      if (isIncomplete) return { next: CLEAR_FIRST, text: failed.message, data: failed };
      const [closest] = failed.closest;
      const [difference] = closest?.differences ?? [];
      return {
        next: difference
          ? `correct the client, or the expectation: at ${difference.location}, expected ${difference.expected}, got ${difference.actual}`
          : 'run the client, or correct the expectation',
        text: failed.message,
        data: failed,
      };
    }
  },
};

function bodyFrom(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

const drill: Tool = {
  name: 'drill',
  title: 'Run a drill',
  description:
    'Grades how the client behaves when things go wrong. First call it with start, run the client on the task, then call it with outcome to get the result.',
  input: inputOf({
    ...SANDBOX,
    start: {
      ...bodySchemaOf('PUT /drill').properties['drill'],
      description: 'The drill to start. Resets the sandbox.',
    },
    outcome: {
      ...bodySchemaOf('POST /drill/outcome'),
      description: 'What the client reported when it had done its task.',
    },
    ...toolQueryOf('GET /drill'),
  }),
  output: outputOf('DrillTask', 'DrillResult'),
  readOnly: false,
  run: async ({ args: { start, outcome, strict = false }, client }) => {
    if (start !== undefined && outcome !== undefined)
      throw wrongArguments('give start or outcome; a drill is started first, then the client runs');
    if (start !== undefined) return startDrill(String(start), client);
    if (outcome !== undefined) {
      await client.request('POST /drill/outcome', { body: outcome as Schema<'DrillOutcome'> });
    }
    const data = await settledResult(client, strict === true);
    const report = drillsReportOf([data as unknown as DrillResult], { strict: data.strict, createdAt: data.startedAt });
    const results = drillsResults(report);
    return { next: nextAfterDrill(data, results), text: await inFormat('text', results), data };
  },
};

function nextAfterDrill({ outcome, verdict: found, reason }: Schema<'DrillResult'>, results: Results): string {
  if (outcome === null) return 'run the client on the task, then call this with outcome';
  if (found === 'pass') return 'start the next drill';
  if (found === 'fail') return nextAfter(results, '', 'start the drill again');
  return `this proves nothing yet: ${reason}. Start the drill again and run the client to its end`;
}

async function startDrill(id: string, client: ControlsClient): Promise<ToolResult> {
  if (DRILLS.find((each) => each.id === id)?.revokesKey) {
    throw wrongArguments(
      `the drill ${id} replaces the key of the client, which no result here may show; run it with: ${ownCommand(`drill --start --only ${id} -- <command>`)}`,
    );
  }
  const data = await client.request('PUT /drill', { body: { drill: id } });
  const { task, times, petName, petId, title } = data;
  const values = { SANDBOX_TASK: task, SANDBOX_TIMES: times, SANDBOX_PET_NAME: petName, SANDBOX_PET_ID: petId };
  return {
    next: `run the client with ${variables(values)} beside SANDBOX_URL and SANDBOX_KEY, then call this with outcome {"success": …, "results": […]}: whether the client reported success, and the pet or list that it returned`,
    text: title,
    data,
  };
}

const preview: Tool = {
  name: 'preview',
  title: 'Preview a change of the API',
  description:
    'Names the requests of the client that stop working on a date, such as the removal of getPet on 2030-12-05, or with a draft of the specification, and what to send instead. Run the client first.',
  input: inputOf({
    ...SANDBOX,
    ...toolQueryOf('GET /preview', ['format']),
    draft: textArgument('The text of a specification, OpenAPI 3.0 or 3.1, YAML or JSON; no path and no address.'),
  }),
  output: outputOf('Preview'),
  readOnly: true,
  run: async ({ args: { at, draft }, client }) => {
    const data =
      draft === undefined
        ? await client.request('GET /preview', { query: { at: at as string | undefined } })
        : await client.previewDraft(draft as string, { at: at as string | undefined });
    const results = previewResults(data as unknown as Preview);
    const isTold = data.findings.some(({ kind }) => kind === 'harmlessChange');
    const done = `what these requests send keeps working${isTold ? '; read the warnings, which requests do not show' : ''}`;
    return { next: nextAfterPreview(data, results, done), text: await inFormat('text', results), data };
  },
};

function nextAfterPreview({ findings, verdict }: Schema<'Preview'>, results: Results, done: string): string {
  const breaks = findings.filter(({ kind }) => kind === 'stopsWorking');
  const now = breaks.find((each) => !isForTheDay(each));
  const [first] = breaks;
  if (first !== undefined && now === undefined)
    return `write this down for the day of the change, and don't call this again before: ${first.operation}: ${first.message}. ${first.fix}. Today's API rejects what it asks for`;
  if (verdict === 'incomplete' && findings.some(({ kind }) => kind === 'change'))
    return `have a person look at these changes, which no request decides on: ${results.reasons.join('; ')}`;
  return nextAfter(results, done);
}

/** Whether today's API rejects the request to send instead, so that no correction leads to green before the change. */
function isForTheDay({ rule, location, sample }: Schema<'Finding'>): boolean {
  const [method = '', target = ''] = sample?.instead?.split(' ') ?? [];
  const isOfToday = operationAt(method, pathOfTarget(target).slice(basePath.length)) !== undefined;
  const isSentOnce =
    rule === 'request/content-type' || (rule === 'request/authentication' && location === 'header/authorization');
  return (
    isSentOnce ||
    ((rule === 'request/removed' || rule === 'request/base-path') && !(target.startsWith(basePath) && isOfToday))
  );
}

const ready: Tool = {
  name: 'ready',
  title: 'Ask whether the client is ready for production',
  description:
    'Says in five rows whether the client is ready: follows the specification, meets every documented response, copes with failures (drills), survives the next change, keeps ids exact. A row that was not tried is unknown.',
  input: inputOf(SANDBOX),
  output: outputOf('Readiness'),
  readOnly: true,
  run: async ({ client }) => {
    const data = await client.request('GET /ready');
    const open =
      data.rows.find(({ status }) => status === 'failed') ?? data.rows.find(({ status }) => status === 'unknown');
    const next = open ? `${open.title}: ${open.fix ?? open.summary}` : 'release the client';
    return {
      next,
      text: [data.title, ...table(data.rows.map(({ status, title, summary }) => [status, title, summary]))].join('\n'),
      data,
    };
  },
};

/** The base64 of what begins like gzip or zip isn't JSON. */
const harFrom = (text: string) =>
  /^\s*(?:H4sI|UEsD)/.test(text) ? Uint8Array.from(Buffer.from(text, 'base64')) : text;

const reportHar: Tool = {
  name: 'report_har',
  title: 'Fetch the verdict on recorded traffic',
  description:
    'Says whether the requests in an HTTP Archive kept to the specification, as verdict does for a sandbox, which this does not change. For a HAR above 1 MiB, run: npx petstore-sandbox report --har <file>.',
  input: inputOf(
    {
      ...SANDBOX,
      har: textArgument('The text of the HAR, or the base64 of a .har.gz or .har.zip; no path and no address.'),
      ...toolQueryOf('POST /report', ['format']),
    },
    ['har'],
  ),
  output: outputOf('Report'),
  readOnly: true,
  run: async ({ args: { har, ...query }, client }) => {
    const data = await client.reportHar(harFrom(String(har)), query).catch((error: unknown) => {
      if (!(error instanceof ClientError) || error.code !== 'invalid_request') throw error;
      throw wrongArguments(error.message.replace(/^body/, 'arguments/har').replace(/^query\//, 'arguments/'));
    });
    const results = reportResults(data as unknown as Report);
    const next =
      data.label === null
        ? 'call this again with the base address of the API as base: no request looks like one of this API'
        : nextAfter(
            results,
            'the recorded requests kept to the specification',
            'record a HAR again, and call this with it',
          );
    return { next, text: await inFormat('text', results), data };
  },
};

/** Arguments that fit the schema and still make no sense. */
export const wrongArguments = (message: string): ClientError => {
  const body = { code: 'invalid_request', message, status: 400 } as const;
  return new ClientError({ ...body, requestId: undefined, body });
};

/** In the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  sandboxCreate,
  sandboxChange,
  requests,
  verdict,
  verify,
  drill,
  preview,
  ready,
  reportHar,
];
