/** The two OpenAPI documents, with this server's address in place of their own, and the page that renders them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request } from 'express';
import { readPage } from '../dashboard/pages.ts';
import { type ControlContext, type Controls, json } from './control.ts';

const YAML = 'application/yaml';

export interface DocumentsOptions extends Pick<ControlContext, 'addressFor'> {
  /** The folder that holds `openapi.yaml` and `controls.yaml`. */
  readonly directory: string;
  /** The folder that holds the built pages. */
  readonly pages: string;
}

export function documentControls({ directory, pages, addressFor }: DocumentsOptions): Controls {
  const yaml =
    (file: string, base: string) =>
    async ({ req }: { req: Request }) => {
      const text = await readFile(join(directory, file), 'utf8');
      return { status: 200, contentType: YAML, body: text.replace(SERVER, `$1${addressFor(req)}${base}`) };
    };
  return {
    getOpenapiYaml: yaml('openapi.yaml', '/v1'),
    getControlsYaml: yaml('controls.yaml', '/_sandbox'),
    getOpenapiJson: async ({ req }) => {
      const { default: document } = await import('../generated/interface.json', { with: { type: 'json' } });
      return json(200, { ...document, servers: [{ ...document.servers[0], url: `${addressFor(req)}/v1` }] });
    },
    getReference: () => readPage(pages, 'reference'),
  };
}

/** The one line that says where the server is. */
const SERVER = /^( {2}- url: ).*$/m;
