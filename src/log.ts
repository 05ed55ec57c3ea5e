/** What the parts of the sandbox say to whoever runs it. The shape is pino's, so that any logger like it will do. */
export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
  debug(details: object, message: string): void;
}

/** Says nothing: for those who embed the sandbox and did not ask. */
export const silentLog: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing };

function nothing(): void {
  // On purpose.
}
