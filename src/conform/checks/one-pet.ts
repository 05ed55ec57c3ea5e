/** Single pets: existing ones and missing ones. */
import { removalOf } from '../../api/specification.ts';
import { CASES, type CaseRequest, type Cases, documented, get, LIST_PATH, petPath } from '../cases.ts';
import { type ConformCheck, checkOf } from '../check.ts';
import type { Inspection } from '../inspection.ts';
import { differentFields, petOf, shownPet } from '../pet-text.ts';
import type { Rule } from '../rules.ts';
import { anyPet } from './lists.ts';

const FOUND = documented('getPet', 200);

const check = checkOf('none');
const head = (name: string, run: ConformCheck['run']): ConformCheck => check('Endpoints', 'head', name, run);

const removal = removalOf('getPet');

export const onePetChecks: readonly ConformCheck[] = [
  check('Get a pet', 'pet-found', `a pet of the list by its id: ${FOUND}`, (inspection) =>
    isFound(inspection, String, 'pet-found'),
  ),
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
  head(`HEAD of a pet that does not exist: ${CASES.absentPets.status} without a body`, rejectsHead),
];

async function isFound(inspection: Inspection, written: (id: bigint) => string, rule: Rule): Promise<void> {
  const listed = await anyPet(inspection);
  if (!listed) return;
  const response = await inspection.send(get(petPath(written(listed.id))), { status: FOUND, rule });
  if (!response || differentFields(listed, petOf(response.value)).length === 0) return;
  const expected = `the pet as the list has it: ${shownPet(listed)}`;
  inspection.differs({ rule, expected, sent: response.sent, response });
}

/** A server may have a pet with that very id. */
export async function isAbsent(inspection: Inspection, request: CaseRequest, { status, rule }: Cases): Promise<void> {
  const id = BigInt(request.path.replace(petPath(''), ''));
  const response = await inspection.send(request, { status, or: FOUND, rule });
  if (response?.status !== FOUND || petOf(response.value).id === id) return;
  const isRounded = Number(petOf(response.value).id) === Number(id);
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

/** RFC 9110, section 8.6: a Content-Length of HEAD is that of GET. */
async function acceptsHead(inspection: Inspection, path: string): Promise<void> {
  const response = await inspection.send({ method: 'HEAD', path }, { status: 200, rule: 'head' });
  const length = response?.headers['content-length'];
  if (!response || length === undefined) return;
  const got = await inspection.send(get(path), { status: 200, rule: 'query-accepted' });
  if (!got || Number(length) === got.size) return;
  const [expected, why] = [`no Content-Length, or that of GET: ${got.size}`, `Content-Length: ${length}`];
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
