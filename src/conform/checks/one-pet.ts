/** Single pets: those there are, and those there are not. */
import { removalOf } from '../../document.ts';
import type { Level } from '../cases/case.ts';
import { unusedIds } from '../cases/lists.ts';
import { type Check, get } from '../check.ts';
import { differentFields, petOf, shownPet } from '../pet-text.ts';
import type { Talk } from '../talk.ts';
import { anyPet } from './lists.ts';

const REMOVAL = removalOf('getPet');

const about = (name: string, level: Level, run: Check['run'], section: Check['section'] = 'Get an animal'): Check => ({
  name,
  section,
  level,
  risk: 'none',
  run,
});

export const onePetChecks: readonly Check[] = [
  about('a pet of the list by its id: 200', 'contract', (talk) => isFound(talk, String, 'contract')),
  about('a pet by its id, percent-encoded: 200', 'sandbox', (talk) =>
    isFound(talk, (id) => String(id).replace(/\d/g, (digit) => `%3${digit}`), 'sandbox'),
  ),
  ...unusedIds.map(({ title, ask, level }) =>
    about(`${title}: 404`, level, (talk) => isNotFound(talk, ask.path, level)),
  ),
  ...(REMOVAL === undefined
    ? []
    : [about('getPet says when it goes, and what replaces it', 'sandbox', saysItsEnd(REMOVAL), 'Versioning')]),
  about('HEAD of the list: 200 without a body', 'sandbox', (talk) => answersHead(talk, '/pets?limit=1'), 'Endpoints'),
  about(
    'HEAD of a pet: 200 without a body',
    'sandbox',
    async (talk) => {
      const pet = await anyPet(talk);
      if (pet) await answersHead(talk, `/pets/${pet.id}`);
    },
    'Endpoints',
  ),
];

async function isFound(talk: Talk, written: (id: bigint) => string, level: Level): Promise<void> {
  const listed = await anyPet(talk);
  if (!listed) return;
  const answer = await talk.ask(get(`/pets/${written(listed.id)}`), { status: 200, level, rule: 'pet-found' });
  if (!answer || differentFields(listed, petOf(answer.value)).length === 0) return;
  const expected = `the pet as the list has it: ${shownPet(listed)}`;
  talk.differs({ rule: 'pet-found', level: 'contract', expected, sent: answer.sent, answer });
}

/** A server may have a pet of that very id. */
async function isNotFound(talk: Talk, path: string, level: Level): Promise<void> {
  const id = BigInt(path.replace('/pets/', ''));
  const answer = await talk.ask(get(path), { status: 404, or: 200, level, rule: 'pet-not-found' });
  if (answer?.status !== 200 || petOf(answer.value).id === id) return;
  const rounded = Number(petOf(answer.value).id) === Number(id);
  const rule = rounded ? 'int64' : 'pet-not-found';
  talk.differs({ rule, level: 'contract', expected: `404, or a pet whose id is ${id}`, sent: answer.sent, answer });
}

function saysItsEnd(removal: number): Check['run'] {
  return async (talk) => {
    const pet = await anyPet(talk);
    if (!pet) return;
    const answer = await talk.ask(get(`/pets/${pet.id}`), { status: 200, level: 'contract', rule: 'pet-found' });
    if (!answer) return;
    const { sunset, link } = answer.headers;
    const expected = `Sunset: ${new Date(removal).toUTCString()}, and a Link whose rel is successor-version`;
    const right = Date.parse(String(sunset)) === removal && /rel="?successor-version\b/.test(String(link));
    const why = `Sunset: ${sunset ?? 'none'}, Link: ${link ?? 'none'}`;
    if (!right) talk.differs({ rule: 'sunset', level: 'sandbox', expected, why, sent: answer.sent, answer });
  };
}

const answersHead = async (talk: Talk, path: string): Promise<void> =>
  void (await talk.ask({ method: 'HEAD', path }, { status: 200, level: 'sandbox', rule: 'head' }));
