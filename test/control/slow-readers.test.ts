/** Slow readers of the event stream. Their streams must fill what the operating system takes in, which takes thousands of requests. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { startTestServer } from '../support/server.ts';

const HEARTBEAT = 50;

const server = await startTestServer({ heartbeatMs: HEARTBEAT });
const patient = await startTestServer({ heartbeatMs: 60_000 });

/** A stream that ends with the test. */
async function listen({ url, key }: Client, { paused = false } = {}): Promise<EventStream> {
  const stream = await EventStream.open(url, { headers: { Authorization: `Bearer ${key}` }, paused });
  onTestFinished(() => stream.close());
  return stream;
}

describe('a reader that is slow', () => {
  it('loses its connection when the request log drops what it has not read, and gathers nothing until then', async () => {
    const client = await patient.sandbox();
    const slow = await listen(client, { paused: true });
    const quick = await listen(client);
    const long = `/v1/pets?x=${'y'.repeat(12_000)}`;
    for (let i = 0; i < 60; i++) {
      await client.getMany(50, () => long);
      await quick.take(50);
    }
    let told = 0;
    slow.response.on('data', (text: string) => {
      told += text.split('event: exchange').length - 1;
    });
    slow.resume();
    await slow.ended;
    // What the operating system had taken in, and no more.
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(2_900);
  });

  it('goes on with what comes after a clear, where that took what it had not read', async () => {
    const client = await patient.sandbox();
    const slow = await listen(client, { paused: true });
    const long = `/v1/pets?x=${'y'.repeat(12_000)}`;
    await client.getMany(900, () => long);
    await client.delete('/_sandbox/requests');
    slow.resume();
    await client.get('/v1/pets/7');
    let told = 0;
    while ((await slow.next()).data.target !== '/v1/pets/7') told += 1;
    expect(told).toBeLessThan(900);
  });

  it('loses it when it has taken nothing for two heartbeats', async () => {
    const client = await server.sandbox();
    const slow = await listen(client, { paused: true });
    const long = `/v1/pets?x=${'y'.repeat(12_000)}`;
    await client.getMany(900, () => long);
    await new Promise((resolve) => setTimeout(resolve, HEARTBEAT * 4));
    let told = 0;
    slow.response.on('data', (text: string) => {
      told += text.split('event: exchange').length - 1;
    });
    await slow.ended;
    expect(told).toBeLessThan(900);
  });
});
