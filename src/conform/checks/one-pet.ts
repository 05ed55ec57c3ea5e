/** Single pets: existing ones and missing ones. */
import { removalOf } from '../../core/specification.ts';
import { type Case, documented, get, LIST_PATH, petPath } from '../cases/case.ts';
import { unusedIds } from '../cases/lists.ts';
import type { ConformCheck } from '../check.ts';
import type { Inspection } from '../inspection.ts';
import { differentFields, petOf, shownPet } from '../pet-text.ts';
import type { Rule } from '../rules.ts';
import { anyPet } from './lists.ts';

const FOUND = documented('getPet', 200);

const about = (
  name: string,
  rule: Rule,
  run: ConformCheck['run'],
  section: ConformCheck['section'] = 'Get a pet',
): ConformCheck => ({
  name,
  section,
  rule,
  risk: 'none',
  run,
});

const removal = removalOf('getPet');

export const onePetChecks: readonly ConformCheck[] = [
  about(`a pet of the list by its id: ${FOUND}`, 'pet-found', (inspection) => isFound(inspection, String, 'pet-found')),
  about(`a pet by its id, percent-encoded: ${FOUND}`, 'encoding-read', (inspection) =>
    isFound(inspection, (id) => String(id).replace(/\d/g, (digit) => `%3${digit}`), 'encoding-read'),
  ),
  ...unusedIds.map((row) =>
    about(`${row.title}: ${row.status}`, row.rule, (inspection) => isNotFound(inspection, row)),
  ),
  ...(removal === undefined
    ? []
    : [about('getPet announces its removal', 'sunset', announcesRemoval(removal), 'Versioning')]),
  about(
    'HEAD of the list: 200 without a body',
    'head',
    (each) => acceptsHead(each, `${LIST_PATH}?limit=1`),
    'Endpoints',
  ),
  about(
    'HEAD of a pet: 200 without a body',
    'head',
    async (inspection) => {
      const pet = await anyPet(inspection);
      if (pet) await acceptsHead(inspection, petPath(pet.id));
    },
    'Endpoints',
  ),
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
async function isNotFound(inspection: Inspection, { request, status, rule }: Case): Promise<void> {
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

const acceptsHead = async (inspection: Inspection, path: string): Promise<void> =>
  void (await inspection.send({ method: 'HEAD', path }, { status: 200, rule: 'head' }));
