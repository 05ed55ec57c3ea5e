/** The program's log: pino, as lines for people or as JSON for programs. */
import { type Logger, pino } from 'pino';
import type { Settings } from '../settings.ts';

/**
 * A logger with the given level and format. It writes synchronously to standard output, so that nothing is lost at
 * exit.
 */
export async function createLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (logFormat === 'json') return pino(options, pino.destination({ dest: 1, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(
    options,
    pretty({ destination: 1, sync: true, colorize: process.stdout.isTTY, translateTime: 'SYS:HH:MM:ss' }),
  );
}
