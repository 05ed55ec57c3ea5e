/** The log interface. It has pino's shape, so that any similar logger works. */
export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
  debug(details: object, message: string): void;
}

const nothing = (): void => undefined;
/** Discards everything: the default when the sandbox is embedded. */
export const silentLog: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing };
