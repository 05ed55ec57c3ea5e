/** The controls of the specification: finds the implementation of each operation by name, and requires all of them. */

import { type RequestHandler, Router } from 'express';
import { type Described, describedControls } from '../api/control-operations.ts';
import { ApiError, SpecificationError } from '../api/errors.ts';
import { type BodyLimits, readBody } from '../http/body.ts';
import { compressing } from '../http/compress.ts';
import { unknownPath } from '../http/errors.ts';
import type { OpenExchange, RequestParts } from '../http/open-exchange.ts';
import { rejectUnreadable } from '../http/query.ts';
import { type ResponseData, respond } from '../http/response.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { authorize, type Caller, forbidden } from './authorize.ts';
import { clockControls } from './clock.ts';
import type { Connection, Control, ControlContext, Controls } from './control.ts';
import { drillControls } from './drills.ts';
import { eventControls } from './events.ts';
import { exportControls } from './export.ts';
import { faultControls } from './faults.ts';
import { fixtureControls } from './fixtures.ts';
import { harControls } from './har.ts';
import { healthControls } from './health.ts';
import { importControls } from './import.ts';
import { keyControls } from './keys.ts';
import { localCalls, type Send } from './local-calls.ts';
import { mcpControls } from './mcp.ts';
import { metricsControls } from './metrics.ts';
import { ControlParser, type ControlRequest, type Input } from './parse.ts';
import { petControls } from './pets.ts';
import { previewControls } from './preview.ts';
import { reportControls } from './report.ts';
import { requestControls } from './requests.ts';
import { sandboxControls } from './sandbox.ts';
import { signInControls } from './sign-in.ts';
import { snapshotControls } from './snapshots.ts';
import { specificationControls } from './specifications.ts';
import { unmatchedControls } from './unmatched.ts';

/** All controls, a noun each. */
const RESOURCES = [
  ...[clockControls, drillControls, eventControls, exportControls, faultControls, fixtureControls, harControls],
  ...[
    healthControls,
    importControls,
    keyControls,
    mcpControls,
    metricsControls,
    petControls,
    previewControls,
    reportControls,
  ],
  ...[requestControls, sandboxControls, signInControls, snapshotControls, specificationControls, unmatchedControls],
];

/** Controls whose responses may be long, and the memory reserved while one is built. */
const LONG = new Set([
  'generatePets',
  'listRequests',
  'getRequest',
  'verifyRequests',
  'getReport',
  'getPreview',
  'listSandboxes',
]);
const LONG_RESPONSE = 2 ** 20;

/**
 * Everything under `/_sandbox`. Its routes are built for the first request, so that the start does not wait for them.
 * @throws {SpecificationError} when a described control is not built, or a built one not described
 */
export function controlApi(context: ControlContext): ControlApi {
  const controls: Controls = Object.assign({}, ...RESOURCES.map((noun) => noun(context)));
  rejectUndescribed(controls);
  const run = runner(controls, context);
  let router: Router | undefined;
  return {
    route: (req, res, next) => {
      router ??= routerOf(run);
      router(req, res, next);
    },
    locally: (begin) => localCalls(withoutConnection(run), context, begin),
  };
}

interface ControlApi {
  /** Serves everything under `/_sandbox`. */
  readonly route: RequestHandler;
  /** Runs operations from within this process, in place of `fetch`. @param begin makes the exchange of a call */
  locally(begin: (method: string, target: string) => OpenExchange): Send;
}

/** Runs an operation. @param connection if the request came over one @returns `undefined` if the operation has responded */
type Run = (described: Described, req: ControlRequest, connection?: Connection) => Promise<ResponseData | undefined>;

/** What is the same for all operations: who calls, in which sandbox, with which parameters and body. */
function runner(controls: Controls, context: ControlContext): Run {
  const parser = new ControlParser({ maxBytes: context.settings.maxBody });
  const run: Run = async (described, req, connection) => {
    const { exchange } = req;
    exchange.operation = described.name;
    let caller: Caller | undefined;
    try {
      caller = await authorize(req, described.who, context);
    } finally {
      const room = exchange.belongTo(ownerOf(caller));
      if (room) await room;
    }
    const input = await parser.parse(req, described);
    const named = input.query['sandbox'];
    if (caller.admin && named !== undefined) await context.freshness.refreshSandbox(String(named));
    const sandbox = sandboxOf(req, caller, input, context);
    exchange.accept();
    const waiting = LONG.has(described.name) ? exchange.memoryFor(LONG_RESPONSE) : undefined;
    if (waiting) await waiting;
    const control = controls[described.name] as Control;
    return control({
      ...input,
      req,
      connection: () => {
        if (connection) return connection;
        throw new Error(`${described.name} writes its response itself, so it needs a connection`);
      },
      admin: caller.admin,
      key: caller.key,
      sandbox,
      send: localCalls(
        withoutConnection(run),
        context,
        (method, target) => exchange.part(method, target),
        req.headers.host,
      ),
    });
  };
  return run;
}

/** Without a connection, every operation returns its response. */
const withoutConnection = (run: Run) => async (described: Described, req: ControlRequest) =>
  (await run(described, req)) as ResponseData;

function routerOf(run: Run): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const compressed = compressing();
  const serve =
    (described: Described): RequestHandler =>
    async (req, res) => {
      const { method, headers, rawHeaders, params, exchange } = req;
      const parts = { method, headers, rawHeaders, params, exchange };
      const request = { ...parts, readBody: (limits: BodyLimits) => readBody(req, limits) };
      const response = await run(described, request, { req, res });
      if (response) respond(req, res, await compressed(req, response));
    };

  router.use((req, _res, next) => {
    req.exchange.specification = 'control';
    rejectUnreadable(req);
    next();
  });
  for (const path of new Set(describedControls.map((described) => described.path))) {
    const all = describedControls.filter((described) => described.path === path);
    const route = router.route(path);
    for (const described of all) route[described.method](serve(described));
    const allow = allowOf(all);
    route.all((req) => {
      throw new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are ${allow}`, [
        'Allow',
        allow,
      ]);
    });
  }
  router.use(unknownPath);
  return router;
}

/** The owner of a call's work; the admin is distinguished from anonymous callers. */
const ownerOf = (caller: Caller | undefined): string => caller?.sandbox?.id ?? (caller?.admin ? 'admin' : '');

function rejectUndescribed(controls: Controls): void {
  const described = new Set(describedControls.map(({ name }) => name));
  const missing = [...described].filter((name) => !(name in controls));
  const extra = Object.keys(controls).filter((name) => !described.has(name));
  if (missing.length + extra.length === 0) return;
  throw new SpecificationError(
    `spec/control-api.yaml and the control API differ: not built: ${missing.join(', ')}; not described: ${extra.join(', ')}`,
  );
}

/** The sandbox that a call acts on: the key's, or the one named by the admin. */
function sandboxOf(req: RequestParts, caller: Caller, { query }: Input, { sandboxes }: ControlContext): () => Sandbox {
  return () => {
    const named = query['sandbox'];
    if (named !== undefined && !caller.admin) throw forbidden(req);
    if (caller.sandbox) return caller.sandbox;
    if (!caller.admin)
      throw new ApiError('unauthorized', 'a key is needed here; send `Authorization: Bearer <KEY>`', [
        'WWW-Authenticate',
        'Bearer',
      ]);
    if (named === undefined) {
      throw new ApiError(
        'invalid_request',
        'query/sandbox: the admin token opens every sandbox; name one with ?sandbox=sbx_…',
      );
    }
    const sandbox = sandboxes.get(String(named));
    if (!sandbox)
      throw new ApiError('not_found', `no sandbox ${String(named)}; it may have been ended or have expired`);
    return sandbox;
  };
}

function allowOf(all: readonly Described[]): string {
  const methods = all.map(({ method }) => method.toUpperCase());
  return [...(methods.includes('GET') ? ['GET', 'HEAD'] : []), ...methods.filter((method) => method !== 'GET')].join(
    ', ',
  );
}
