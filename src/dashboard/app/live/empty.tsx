/** An empty sandbox: three requests to begin with, and the lines for a client of one's own. */
import { useAction } from '../kit/action.ts';
import { CopyButton, Paste } from '../kit/copy.tsx';
import { Pair } from '../kit/form.tsx';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf } from '../route.ts';
import { openSession, useSession, useSignIn } from '../session.ts';
import { type Draft, sendDraft } from './draft.tsx';

const JSON_TYPE = 'Content-Type: application/json';
const GOOD: Draft = { method: 'GET', target: '/v1/pets?limit=5', headers: '', body: '' };
const post = (body: string): Draft => ({ method: 'POST', target: '/v1/pets', headers: JSON_TYPE, body });
const TYPO = post('{"name":"Bella","catgoryId":1}');

export function First() {
  const session = useSession();
  const { openCopy } = useSignIn();
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
      await playIn(shown.baseUrl, fork.key, (body) => shown.client.request('POST /faults', { body }));
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
        “Show me” plays six requests in a copy of this sandbox: a typo, a lost response, a retry. Your sandbox stays
        empty.
      </p>
      <Trouble error={error} />
      <FirstLines />
    </section>
  );
}

/** Milliseconds between two requests, so that they can be watched. */
const PAUSE_MS = 400;

/** Six requests as a client sends them. @throws {ClientError} */
async function playIn(
  url: string,
  key: string,
  addFault: (rule: {
    when?: 'after';
    connection?: 'reset';
    status?: number;
    retryAfter?: number;
    times: number;
  }) => Promise<unknown>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const send = async (path: string, body?: string): Promise<void> => {
    // A response that gets lost is a part of what is shown.
    await fetch(url + path, { headers, ...(body && { method: 'POST', body }) }).catch(() => undefined);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  };
  const lost = '{"name":"Lost","categoryId":1}';
  await send('/pets?limit=5');
  await send('/pets', TYPO.body);
  await send('/pets', '{"name":"Bella","categoryId":1}');
  await addFault({ when: 'after', connection: 'reset', times: 1 });
  await send('/pets', lost);
  await send('/pets', lost);
  await send('/pets/1');
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
