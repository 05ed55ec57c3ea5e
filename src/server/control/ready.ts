/** `GET /_sandbox/ready`: whether the client of a sandbox is ready for production, by what it has done so far. */
import { ControlsClient } from '../../client/client.ts';
import { ClientError } from '../../client/errors.ts';
import { evidenceIn, readyResults } from '../../verdict/ready.ts';
import { credentialOf } from '../http/credential.ts';
import { type Controls, json } from './control.ts';

export const readyControls = (): Controls => ({
  getReady: async ({ req, query, send, sandbox: here }) => {
    here();
    const credential = credentialOf(req);
    const client = new ControlsClient({
      url: '',
      fetch: send,
      sandbox: query['sandbox'] as string | undefined,
      ...(credential.kind === 'token' && { credential: credential.token }),
    });
    try {
      return json(200, readyResults(await evidenceIn(client)).data);
    } catch (error) {
      // Such as a request log that is too large to be read at the moment.
      if (error instanceof ClientError && error.body !== undefined) return json(error.status, error.body);
      throw error;
    }
  },
});
