/** The resources: the specification, the page of each rule and each drill, and single requests. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlsClient } from '../client/client.ts';
import { shippedDocumentation } from '../core/shipped.ts';
import { DRILLS } from '../drills/catalog.ts';
import { rules } from '../report/rules.ts';

const SCHEME = 'petstore-sandbox://';

/** Stands for the sandbox of the connection's key in the address of a request. */
const OWN = '-';

/** The address of a request in the sandbox of this handle. */
export const requestUri = (sandbox: string | undefined, id: string): string =>
  `${SCHEME}requests/${encodeURIComponent(sandbox ?? OWN)}/${id}`;

const MARKDOWN = 'text/markdown';
const specification = {
  uri: `${SCHEME}specification`,
  name: 'specification',
  title: 'The OpenAPI specification of the petstore API',
  mimeType: 'application/yaml',
};
const drillsPage = { uri: `${SCHEME}drills`, name: 'drills', title: 'All drills', mimeType: MARKDOWN };

/** All that can be listed; requests are found with the tool `requests`. */
export const RESOURCES = [
  specification,
  drillsPage,
  ...DRILLS.map(({ id, title }) => ({ uri: `${SCHEME}drills/${id}`, name: id, title, mimeType: MARKDOWN })),
  ...rules.map(({ id, title }) => ({ uri: `${SCHEME}rules/${id}`, name: id, title, mimeType: MARKDOWN })),
];

export const TEMPLATES = [
  {
    uriTemplate: `${SCHEME}requests/{sandbox}/{request}`,
    name: 'request',
    title: 'A request and its response, with headers and bodies',
    description: `The sandbox is its handle, or ${OWN} for the sandbox of the server's own key.`,
    mimeType: 'application/json',
  },
];

interface ResourceContent {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/**
 * @param inSandbox the client of a sandbox, by its handle
 * @returns `undefined` if there is no such resource
 * @throws {ClientError} for a request that cannot be read
 */
export async function readResource(
  uri: string,
  client: ControlsClient,
  inSandbox: (sandbox: string | undefined) => ControlsClient,
): Promise<ResourceContent | undefined> {
  if (uri === specification.uri)
    return { uri, mimeType: specification.mimeType, text: await client.text('GET /openapi.yaml') };
  const request = /^petstore-sandbox:\/\/requests\/([^/]{1,600})\/(req_[A-Za-z0-9]{1,64})$/.exec(uri);
  if (request) {
    const [, sandbox = '', requestId = ''] = request;
    const own = inSandbox(sandbox === OWN ? undefined : sandbox);
    const text = await own.text('GET /requests/{requestId}', { params: { requestId } });
    return { uri, mimeType: 'application/json', text };
  }
  if (uri === drillsPage.uri) return { uri, mimeType: MARKDOWN, text: await documentationPage('guides/drills.md') };
  const name = RESOURCES.find((each) => each.uri === uri)?.name;
  if (name === undefined) return undefined;
  const text = uri.startsWith(`${SCHEME}rules/`)
    ? section(await documentationPage('reference/rules.md'), name)
    : section(await documentationPage('reference/drills.md'), name);
  return { uri, mimeType: MARKDOWN, text };
}

const documentationPage = (name: string): Promise<string> => readFile(join(shippedDocumentation, name), 'utf8');

/** A heading of a page with the text below it. */
function section(text: string, name: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /^#{2,3} /.test(line) && line.replace(/^#+ /, '') === name);
  const length = lines.slice(from + 1).findIndex((line) => /^#{1,3} /.test(line));
  return lines
    .slice(from, length < 0 ? undefined : from + 1 + length)
    .join('\n')
    .trim();
}
