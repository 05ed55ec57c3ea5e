/** Three commands that work when pasted, including the key. */
import { CopyButton, Paste } from './kit/copy.tsx';
import { useSession } from './session.ts';

export function FirstLines({ isFirst }: { isFirst: boolean }) {
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
    <div class="first-lines">
      <h2>{isFirst ? 'Send your first request' : 'Send a request'}</h2>
      <p>Base address and key are already in these lines. Point your own client at the same two.</p>
      {lines.map(([language, text]) => (
        <Paste key={language} title={language} text={text} what={`${language} line`} />
      ))}
      <AddressAndKey />
    </div>
  );
}

/** What a client is set up with. */
export function AddressAndKey() {
  const { key, baseUrl } = useSession();
  return (
    <dl class="pairs">
      <dt>Base address</dt>
      <dd>
        <code>{baseUrl}</code> <CopyButton text={baseUrl} what="base address" />
      </dd>
      <dt>Key</dt>
      <dd>
        <code>{key}</code> <CopyButton text={key} what="key" />
      </dd>
    </dl>
  );
}
