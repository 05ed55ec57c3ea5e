/** Single pets: existing ones and missing ones. */
import { removalOf } from '../../api/specification.ts';
import { CASES, type CaseRequest, type Cases, documented, get, LIST_PATH, MAX_LIMIT, petPath } from '../cases.ts';
import { type ConformCheck, checkOf } from '../check.ts';
import { type Inspection, Skipped } from '../inspection.ts';
import { differentFields, petsOf, type SeenPet, seenPet, shownPet } from '../pet-text.ts';
import type { ConformRule } from '../rules.ts';
import { anyPet, list } from './lists.ts';

const FOUND = documented('getPet', 200);

const check = checkOf('none');
const head = (name: string, run: ConformCheck['run']): ConformCheck => check('Endpoints', 'head', name, run);

const removal = removalOf('getPet');

export const onePetChecks: readonly ConformCheck[] = [
  check('Get a pet', 'pet-found', `pets of the list by their ids: ${FOUND}`, areFound),
  check('Get a pet', 'encoding-read', `a pet by its id, percent-encoded: ${FOUND}`, (inspection) =>
    isFound(inspection, (id) => String(id).replace(/\d/g, (digit) => `%3${digit}`), 'encoding-read'),
  ),
  ...(removal === undefined
    ? []
    : [check('Versioning', 'sunset', 'getPet announces its removal', announcesRemoval(removal))]),
  head('HEAD of the list: 200 without a body', (inspection) => acceptsHead(inspection, `${LIST_PATH}?limit=1`)),
  head('HEAD of a pet: 200 without a body', async (inspection) => {
    const pet = await anyPet(inspection);
    if (pet) await acceptsHead(inspection, petPath(pet.id));
  }),
  check('Endpoints', 'preflight', 'OPTIONS of the list without a key: 204', acceptsPreflight),
  head(`HEAD of a pet that does not exist: ${CASES.absentPets.status} without a body`, rejectsHead),
];

/** All pets of the longest list: a server may be wrong about a single one. */
async function areFound(inspection: Inspection): Promise<void> {
  const response = await list(inspection, `limit=${MAX_LIMIT}`);
  if (!response) return;
  const pets = petsOf(response.value);
  if (pets.length === 0) throw new Skipped('the server has no pet');
  for (const pet of pets) await isAsListed(inspection, pet, String, 'pet-found');
}

async function isFound(inspection: Inspection, written: (id: bigint) => string, rule: ConformRule): Promise<void> {
  const listed = await anyPet(inspection);
  if (listed) await isAsListed(inspection, listed, written, rule);
}

async function isAsListed(
  inspection: Inspection,
  listed: SeenPet,
  written: (id: bigint) => string,
  rule: ConformRule,
): Promise<void> {
  const response = await inspection.send(get(petPath(written(listed.id))), { status: FOUND, rule });
  if (!response || differentFields(listed, seenPet(response.value)).length === 0) return;
  const expected = `the pet as the list has it: ${shownPet(listed)}`;
  inspection.differs({ rule, expected, sent: response.sent, response });
}

/** A server may have a pet with that very id. */
export async function isAbsent(inspection: Inspection, request: CaseRequest, { status, rule }: Cases): Promise<void> {
  const id = BigInt(request.path.replace(petPath(''), ''));
  const response = await inspection.send(request, { status, or: FOUND, rule });
  if (response?.status !== FOUND || seenPet(response.value).id === id) return;
  const isRounded = Number(seenPet(response.value).id) === Number(id);
  const expected = `${status}, or a pet whose id is ${id}`;
  inspection.differs({ rule: isRounded ? 'int64' : rule, expected, sent: response.sent, response });
}

/** @param removalTime milliseconds since 1970 */
function announcesRemoval(removalTime: number): ConformCheck['run'] {
  return async (inspection) => {
    const pet = await anyPet(inspection);
    if (!pet) return;
    const response = await inspection.send(get(petPath(pet.id)), { status: FOUND, rule: 'pet-found' });
    if (!response) return;
    const { sunset, link } = response.headers;
    const isRight = Date.parse(String(sunset)) === removalTime && /rel="?successor-version\b/.test(String(link));
    if (isRight) return;
    const expected = `Sunset: ${new Date(removalTime).toUTCString()}, and a Link whose rel is successor-version`;
    const why = `Sunset: ${sunset ?? 'none'}, Link: ${link ?? 'none'}`;
    inspection.differs({ rule: 'sunset', expected, why, sent: response.sent, response });
  };
}

/** A browser asks without a key, before it sends one. */
async function acceptsPreflight(inspection: Inspection): Promise<void> {
  const headers = {
    Authorization: [],
    Origin: 'http://localhost:3000',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'authorization',
  };
  const request = { method: 'OPTIONS', path: LIST_PATH, headers };
  const response = await inspection.send(request, { status: 204, or: 200, rule: 'preflight' });
  if (!response) return;
  const [methods, origin] = ['methods', 'origin'].map((name) => response.headers[`access-control-allow-${name}`]);
  if (/(?:^|[,\s])GET\b|\*/.test(String(methods)) && origin !== undefined) return;
  const why = `Access-Control-Allow-Methods: ${methods ?? 'none'}, Access-Control-Allow-Origin: ${origin ?? 'none'}`;
  const expected = 'Access-Control-Allow-Methods with GET, and Access-Control-Allow-Origin';
  inspection.differs({ rule: 'preflight', expected, why, sent: response.sent, response });
}

/** RFC 9110, section 8.6: a Content-Length of HEAD is that of GET. A client that asks with HEAD wants to know it. */
async function acceptsHead(inspection: Inspection, path: string): Promise<void> {
  const response = await inspection.send({ method: 'HEAD', path }, { status: 200, rule: 'head' });
  const length = response?.headers['content-length'];
  if (!response) return;
  const got = await inspection.send(get(path), { status: 200, rule: 'query-accepted' });
  if (!got) return;
  const stated = got.headers['content-length'];
  // A response in chunks has no length to state.
  if (length === undefined ? stated === undefined : Number(length) === got.size) return;
  const expected = `the Content-Length of GET: ${got.size}`;
  const why = `Content-Length: ${length ?? 'none'}`;
  inspection.differs({ rule: 'head', expected, why, sent: response.sent, response });
}

async function rejectsHead(inspection: Inspection): Promise<void> {
  const { status, requests } = CASES.absentPets;
  const { path } = requests[0] as CaseRequest;
  const response = await inspection.send({ method: 'HEAD', path }, { status, or: FOUND, rule: 'head' });
  if (response?.status !== FOUND) return;
  const got = await inspection.send(get(path), { status, or: FOUND, rule: 'pet-not-found' });
  if (got?.status !== status) return;
  inspection.differs({ rule: 'head', expected: `${status}, as for GET`, sent: response.sent, response });
}
