/** An empty sandbox: three requests to begin with, and the lines for a client of one's own. */
import { useAction } from '../kit/action.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { CopyButton, Paste } from '../kit/copy.tsx';
import { Pair } from '../kit/form.tsx';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf } from '../route.ts';
import { openSession, type Session, useSession, useSignIn } from '../session.ts';
import { type Draft, sendDraft } from './draft.tsx';

const JSON_TYPE = 'Content-Type: application/json';
const GOOD: Draft = { method: 'GET', target: '/v1/pets?limit=5', headers: '', body: '' };
const post = (body: string): Draft => ({ method: 'POST', target: '/v1/pets', headers: JSON_TYPE, body });
const TYPO = post('{"name":"Bella","catgoryId":1}');
const FIXED = '{"name":"Bella","categoryId":1}';

export function First() {
  const session = useSession();
  const { openCopy } = useSignIn();
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const send = (draft: Draft): void =>
    void run(async () => {
      const { id, status } = await sendDraft(draft, session);
      location.hash = addressOf('live', id);
      return `Sent: the response is ${status}.`;
    });
  const play = (): void =>
    void run(async () => {
      const fork = await session.client.request('POST /fork', { body: { label: 'Show me' } });
      const shown = await openSession(fork.key);
      openCopy(shown, session);
      await playIn(shown, announce);
      return '6 of 6: green. The second run passed, and says what it fixed. Nothing of this is in your own sandbox.';
    });
  return (
    <section class="card first" aria-labelledby="first">
      <h2 id="first">Send your first request</h2>
      <div class="buttons">
        <button type="button" class="primary" disabled={isBusy} onClick={() => send(GOOD)}>
          Send a good request
        </button>
        <button type="button" disabled={isBusy} onClick={() => send(TYPO)}>
          Send one with a typo
        </button>
        <button type="button" disabled={isBusy} onClick={play}>
          Show me
        </button>
      </div>
      <p class="hint">
        “Show me” plays a client in a copy of this sandbox: two mistakes, why they were rejected, and the run that fixes
        them. Your sandbox stays empty.
      </p>
      <Trouble error={error} />
      <FirstLines />
    </section>
  );
}

/** Milliseconds for each caption, so that it can be read. */
const PAUSE_MS = 2_500;

/** Two runs of a client, as a test suite sends them: one with two mistakes, and one in which they are fixed. */
async function playIn({ baseUrl, key, client }: Session, say: (caption: string) => void): Promise<void> {
  // Faults and pets of the sandbox that was copied would play, too.
  await client.request('POST /reset', { body: {} });
  let run = 1;
  const send = async (caption: string, path: string, body?: string): Promise<string | null> => {
    say(caption);
    const headers = {
      ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      'Sandbox-Run': `show me, run ${run}`,
    };
    const response = await fetch(baseUrl + path, { headers, ...(body && { method: 'POST', body }) });
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    return response.headers.get('Sandbox-Request-Id');
  };
  await send('1 of 6: sent. The client lists five pets.', '/pets?limit=5');
  const rejected = await send('2 of 6: sent with a typo. The create is rejected with 400.', '/pets', TYPO.body);
  location.hash = addressOf('live', rejected ?? undefined);
  await send('3 of 6: why. The line that was wrong is struck; below it stands what to send.', '/pets?status=SOLD');
  location.hash = addressOf('live');
  run = 2;
  await send('4 of 6: fixed. The client runs again…', '/pets?limit=5');
  await send('5 of 6: fixed. …and sends categoryId as the specification wants it.', '/pets', FIXED);
  await send('6 of 6: the last one.', '/pets?status=sold');
}

/** Three commands that work when pasted, including the key. */
export function FirstLines() {
  const { key, baseUrl } = useSession();
  const lines = [
    ['curl', `curl -H 'Authorization: Bearer ${key}' ${baseUrl}/pets`],
    [
      'JavaScript',
      `console.log(await (await fetch('${baseUrl}/pets', { headers: { Authorization: 'Bearer ${key}' } })).json())`,
    ],
    [
      'Python',
      `import json, urllib.request as r; print(json.load(r.urlopen(r.Request('${baseUrl}/pets', headers={'Authorization': 'Bearer ${key}'}))))`,
    ],
  ] as const;
  return (
    <>
      <p>Or from your own client: base address and key are already in these lines.</p>
      {lines.map(([language, text]) => (
        <Paste key={language} title={language} text={text} what={`${language} line`} />
      ))}
      <dl class="pairs">
        {Object.entries({ 'Base address': baseUrl, Key: key }).map(([name, text]) => (
          <Pair key={name} name={name}>
            <code>{text}</code> <CopyButton text={text} what={name.toLowerCase()} />
          </Pair>
        ))}
      </dl>
    </>
  );
}
