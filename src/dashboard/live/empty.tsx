/** An empty sandbox: three requests to begin with, and the lines for a client of one's own. */
import { useAction } from '../kit/action.ts';
import { CopyButton, Paste } from '../kit/copy.tsx';
import { Pair } from '../kit/form.tsx';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { type Draft, sendDraft } from './draft.tsx';

const GOOD: Draft = { method: 'GET', target: '/v1/pets?limit=5', headers: '', body: '' };
const TYPO: Draft = {
  method: 'POST',
  target: '/v1/pets',
  headers: 'Content-Type: application/json',
  body: '{"name":"Bella","catgoryId":1}',
};

export function First() {
  const session = useSession();
  const { run, isBusy, error } = useAction();
  const send = (draft: Draft): void =>
    void run(async () => {
      const { id, status } = await sendDraft(draft, session);
      location.hash = addressOf('live', id);
      return `Sent: the response is ${status}.`;
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
      </div>
      <Trouble error={error} />
      <FirstLines />
    </section>
  );
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
