/** The server itself: its health, and the two OpenAPI specifications with this server's address instead of their own. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathOfAddress } from '../../base/address.ts';
import { ApiError } from '../../base/api/errors.ts';
import { stopwatch } from '../../base/clock.ts';
import controlApi from '../../base/generated/control-api.json' with { type: 'json' };
import { shippedSpecifications, version } from '../../base/shipped.ts';
import { type ControlCall, type ControlContext, type Controls, json } from './control.ts';

export function serverControls({ settings, store, validator, stopping, addressFor }: ControlContext): Controls {
  const started = stopwatch();
  const baseFor = (req: ControlCall['req']): string => addressFor(req) + pathOfAddress(req.exchange.address);
  const yaml =
    (file: string, base: string) =>
    async ({ req }: Pick<ControlCall, 'req'>) => {
      const text = await readFile(join(shippedSpecifications, file), 'utf8');
      const body = text.replace(SERVER, `$1${baseFor(req)}${base}`);
      return { status: 200, contentType: 'application/yaml', body };
    };
  return {
    getHealth: () => {
      if (stopping.aborted)
        throw new ApiError('shutting_down', 'the server is stopping; what is under way is being finished');
      if (store.problem !== undefined) throw new ApiError('storage_failed', store.problem);
      const { validated, validationFailures, disagreements, brokenResponses } = validator.tallies;
      return json(200, {
        status: 'ok',
        version,
        name: settings.name ?? null,
        store: store.kind,
        uptimeSeconds: (stopwatch() - started) / 1000,
        validator: { ready: validator.isReady, validated, validationFailures, disagreements, brokenResponses },
      });
    },

    getOpenapiYaml: yaml('openapi.yaml', '/v1'),
    getControlApiYaml: yaml('control-api.yaml', '/_sandbox'),
    getOpenapiJson: async ({ req }) => {
      const { default: specification } = await import('../../base/generated/petstore.json', { with: { type: 'json' } });
      return json(200, { ...specification, servers: [{ ...specification.servers[0], url: `${baseFor(req)}/v1` }] });
    },
    getControlApiJson: async ({ req }) => {
      const url = `${addressFor(req)}/_sandbox`;
      const [first, ...others] = controlApi.servers;
      return json(200, { ...controlApi, servers: [{ ...first, url }, ...others] });
    },
  };
}

/** The line that contains the server's address. */
const SERVER = /^( {2}- url: ).*$/m;
