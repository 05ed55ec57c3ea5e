/** The controls of the specification: finds the implementation of each operation by name, and requires all of them. */
import { pathOfTarget } from '../../base/address.ts';
import { type ControlOperation, describedControls } from '../../base/api/control-operations.ts';
import { ApiError, SpecificationError } from '../../base/api/errors.ts';
import { patternOf } from '../../base/api/specification.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { sandboxNotFound } from '../../sandbox/store/state.ts';
import { type BodyLimits, readBody } from '../http/body.ts';
import { unknownPathError } from '../http/errors.ts';
import { accept, type OpenExchange, type Request, type RequestParts, unrecorded } from '../http/open-exchange.ts';
import { type Endpoint, pathInExpress, type ResponseData } from '../http/response.ts';
import { rejectMisdirected } from '../http/sandbox-at.ts';
import { authorize, type Caller, forbidden } from './authorize.ts';
import type { Control, ControlContext, Controls } from './control.ts';
import { eventControls } from './events.ts';
import { exportControls } from './export.ts';
import { importControls } from './import.ts';
import { keyControls } from './keys.ts';
import { localCalls } from './local-calls.ts';
import { mcpControls } from './mcp.ts';
import { metricsControls } from './metrics.ts';
import { ControlParser, type ControlRequest, type Input } from './parse.ts';
import { petControls } from './pets.ts';
import { previewControls } from './preview.ts';
import { reportControls } from './report.ts';
import { requestControls } from './requests.ts';
import { sandboxControls } from './sandbox.ts';
import { serverControls } from './server.ts';
import { stateControls } from './state.ts';
import { unmatchedControls } from './unmatched.ts';

/** All controls, by resource. */
const RESOURCES = [
  ...[eventControls, exportControls, importControls, keyControls, mcpControls, metricsControls, petControls],
  ...[previewControls, reportControls, requestControls, sandboxControls, serverControls, stateControls],
  unmatchedControls,
];

/** Controls whose responses may be long, and the memory reserved while one is built. */
const LONG = new Set([
  'generatePets',
  'listRequests',
  'getRequest',
  'verifyRequests',
  'getReport',
  'getPreview',
  'getReady',
  'listSandboxes',
]);
const LONG_RESPONSE = 2 ** 20;

/** The control API. */
interface ControlApi {
  readonly endpoints: readonly Endpoint[];
  /** Runs the operation of a request from within this process: with the same checks, but no connection. */
  runLocally(req: ControlRequest): Promise<ResponseData>;
}

/** @throws {SpecificationError} when a described control is not built, or a built one not described */
export function controlApi(context: ControlContext): ControlApi {
  const controls: Controls = Object.assign({}, ...RESOURCES.map((noun) => noun(context)));
  rejectUndescribed(controls);
  const { capacity } = context;
  const parser = new ControlParser(capacity);
  /** What all operations share: the caller, the sandbox, the parameters and the body. */
  const run = async (described: ControlOperation, req: ControlRequest): Promise<ResponseData> => {
    const { exchange } = req;
    exchange.specification = 'control';
    exchange.operation = described.name;
    const caller = authorize(req, described.who, context);
    exchange.owner = ownerOf(caller);
    const input = await parser.parse(req, described);
    const sandbox = sandboxOf(req, caller, input, context);
    accept(exchange);
    const waiting = LONG.has(described.name) ? capacity.reserve(exchange, LONG_RESPONSE) : undefined;
    if (waiting) await waiting;
    const control = controls[described.name] as Control;
    return control({
      ...input,
      req,
      inTurn: (work, size, goesOn) => capacity.inTurn(exchange.owner, work, size, goesOn),
      admin: caller.admin,
      key: caller.key,
      sandbox,
      /** Few controls call others. */
      get send() {
        return localCalls(runLocally, context, (method, target) => partOf(exchange, method, target), req.headers.host);
      },
    });
  };

  const runLocally = async (req: ControlRequest): Promise<ResponseData> => {
    const path = pathOfTarget(req.exchange.request.target).slice('/_sandbox'.length) || '/';
    for (const described of describedControls) {
      const found = patternOf(described.path).exec(path);
      if (!found || described.method !== req.method.toLowerCase()) continue;
      const params = described.params.map(({ name }, at) => [name, decodeURIComponent(found[at + 1] as string)]);
      return run(described, { ...req, params: Object.fromEntries(params) });
    }
    throw unknownPathError(req);
  };

  const endpoints = describedControls.map((described) => ({
    method: described.method,
    // `/_sandbox` may end in a slash.
    path: `/_sandbox${described.path === '/' ? '{/}' : pathInExpress(described.path)}`,
    respond: (req: Request) =>
      run(described, Object.assign(req, { readBody: (limits: BodyLimits) => readBody(req, limits, capacity) })),
  }));
  return { endpoints, runLocally };
}

/**
 * An exchange for a call of the control API that is a part of a request: it is neither recorded nor validated, and what the
 * request has of the memory for large bodies is its own, so it never waits for what the caller holds.
 */
const partOf = ({ id, at, lease }: OpenExchange, method: string, target: string): OpenExchange =>
  Object.assign(unrecorded(id, at, method, target), { lease });

/** The owner of a call's work; the admin is distinguished from anonymous callers. */
const ownerOf = ({ sandbox, admin }: Caller): string => sandbox?.id ?? (admin ? 'admin' : '');

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
function sandboxOf(
  req: RequestParts,
  caller: Caller,
  { query }: Input,
  { settings, sandboxes }: ControlContext,
): () => Sandbox {
  return () => {
    const { address } = req.exchange;
    const named = query['sandbox'] ?? address;
    if (query['sandbox'] !== undefined && !caller.admin) throw forbidden(req);
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
    if (address !== undefined && named !== address)
      throw new ApiError(
        'invalid_request',
        `query/sandbox: this is the address of ${address}; leave the parameter out`,
      );
    const sandbox = sandboxes.get(String(named));
    if (sandbox) return sandbox;
    rejectMisdirected(req, String(named), settings.name);
    throw sandboxNotFound(String(named));
  };
}
