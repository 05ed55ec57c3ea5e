// The image in a container for your tests, with Testcontainers: start it once for the run, take a sandbox for each test.
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

const PORT = 4020;

/** Starts a server that keeps nothing. Stop it after the run: `await container.stop()`. */
export function startPetstore(image = 'registry.example.com/petstore-sandbox:0.1.0'): Promise<StartedTestContainer> {
  return new GenericContainer(image)
    .withEnvironment({ SANDBOX_MEMORY: 'true' })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/_sandbox/health', PORT).forStatusCode(200))
    .start();
}

/** The server's address, as the tests see it. */
export const addressOf = (container: StartedTestContainer): string =>
  `http://${container.getHost()}:${container.getMappedPort(PORT)}`;

/** A sandbox of its own for one test: the base address that is its own, and the key that opens it. */
export async function newSandbox(address: string, fixture = 'default'): Promise<{ baseUrl: string; key: string }> {
  const response = await fetch(`${address}/_sandbox/keys`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ fixture, ttlSeconds: 3600 }),
  });
  if (!response.ok) throw new Error(`no sandbox: ${response.status} ${await response.text()}`);
  return (await response.json()) as { baseUrl: string; key: string };
}
