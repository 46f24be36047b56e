import { type Logger, pino } from 'pino';

export type { Logger };

/** Structured logs on standard error. Callers pass named fields, never payloads, headers or error bodies. */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level, base: { pid: process.pid } }, pino.destination({ dest: 2, sync: false }));
}
