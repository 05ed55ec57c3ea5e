import { conformance } from './conformance.ts';
import { StoreById, shelf } from './support.ts';

// The chain is longer than a call stack is deep.
conformance({ kind: 'memory', depth: 20_000 }, async (limits) => new StoreById({ fixtures: await shelf(), limits }));
