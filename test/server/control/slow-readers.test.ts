/** Slow readers of the event stream. Their streams must fill what the operating system takes in, which takes thousands of requests. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../support/client.ts';
import { EventStream } from '../../support/event-stream.ts';
import { startTestServer } from '../../support/server.ts';

const HEARTBEAT = 50;
const LONG = `/v1/pets?x=${'y'.repeat(12_000)}`;

const server = await startTestServer({ heartbeatMs: HEARTBEAT });
const patient = await startTestServer({ heartbeatMs: 60_000 });

/** A stream that ends with the test. */
async function listen({ url, key }: Client, { paused = false } = {}): Promise<EventStream> {
  const stream = await EventStream.open(url, { headers: { Authorization: `Bearer ${key}` }, paused });
  onTestFinished(() => stream.close());
  return stream;
}

/** How many exchanges a stream tells of from now on until it ends. */
async function restOf(stream: EventStream): Promise<number> {
  let told = 0;
  stream.response.on('data', (text: string) => {
    told += text.split('event: exchange').length - 1;
  });
  await stream.ended;
  return told;
}

describe('a reader that is slow', () => {
  it('loses its connection when the request log drops what it has not read, and gathers nothing until then', async () => {
    const client = await patient.sandbox();
    const slow = await listen(client, { paused: true });
    const quick = await listen(client);
    for (let i = 0; i < 60; i++) {
      await client.getMany(50, () => LONG);
      await quick.take(50);
    }
    const told = await restOf(slow);
    // What the operating system had taken in, and no more.
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(2_900);
  });

  it('loses it with a clear that it cannot be told of', async () => {
    const client = await patient.sandbox();
    const slow = await listen(client, { paused: true });
    await client.getMany(900, () => LONG);
    await client.delete('/_sandbox/requests');
    expect(await restOf(slow)).toBeLessThan(900);
  });

  it('loses it when it has taken nothing for two heartbeats', async () => {
    const client = await server.sandbox();
    const slow = await listen(client, { paused: true });
    await client.getMany(900, () => LONG);
    await new Promise((resolve) => setTimeout(resolve, HEARTBEAT * 4));
    expect(await restOf(slow)).toBeLessThan(900);
  });
});
