import { Store } from '../../src/store/store.ts';
import { conformance } from './conformance.ts';
import { shelf } from './support.ts';

// The chain is longer than a call stack is deep.
conformance({ kind: 'memory', depth: 20_000 }, async (limits) => new Store({ fixtures: await shelf(), limits }));
