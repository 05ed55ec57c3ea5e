// `Temporal` reads `Intl` while it is loaded, and fake timers replace that too. A new context costs a millisecond.
import { runInNewContext } from 'node:vm';

const RealIntl = runInNewContext('Intl');

export { RealIntl as Intl };
