/** Mockoon's configuration: a CRUD route over a data bucket. */
import type { BenchPet } from '../pets.ts';

const ROUTE = 'b0000000-0000-4000-8000-000000000003';
const BUCKET = { uuid: 'b0000000-0000-4000-8000-000000000001', id: 'pets', name: 'pets' };

/** What its command line reads from a file: these pets under `/v1/pets`, on a port. */
export function mockoonEnvironment(port: number, pets: readonly BenchPet[]): object {
  return {
    uuid: 'b0000000-0000-4000-8000-000000000004',
    lastMigration: 33,
    name: 'pets',
    endpointPrefix: 'v1',
    latency: 0,
    port,
    hostname: '127.0.0.1',
    folders: [],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: ROUTE }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: true,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [{ ...BUCKET, value: JSON.stringify(pets), documentation: '' }],
    callbacks: [],
  };
}

const response = {
  uuid: 'b0000000-0000-4000-8000-000000000002',
  body: '{}',
  latency: 0,
  statusCode: 200,
  label: '',
  headers: [],
  bodyType: 'DATABUCKET',
  filePath: '',
  databucketID: BUCKET.id,
  sendFileAsBody: false,
  rules: [],
  rulesOperator: 'OR',
  disableTemplating: false,
  fallbackTo404: false,
  default: true,
  crudKey: 'id',
  callbacks: [],
};

const route = {
  uuid: ROUTE,
  type: 'crud',
  documentation: '',
  method: '',
  endpoint: 'pets',
  responses: [response],
  responseMode: null,
  streamingMode: null,
  streamingInterval: 0,
};
