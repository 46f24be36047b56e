/** SQLSTATE classes and codes that say nothing about the statement: the same one can succeed a moment later. */
const PASSING = /^(08...|57P0[1-5]|53...|40001|40P01|55P03|25006|25P03)$/;
const PASSING_SOCKETS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
const PASSING_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after|server closed the connection/i;

/**
 * Whether a database error comes from the connection or the server's condition (stopped, starting, no free connection,
 * a lost race) rather than from what was asked. The driver's error may be wrapped several times.
 */
export function isDatabaseAway(error: unknown): boolean {
  for (let depth = 0, at = error; at instanceof Error && depth < 8; depth += 1, at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    if (PASSING.test(code)) return true;
    if (PASSING_SOCKETS.has(code) && isFromDriver(at)) return true;
    if (PASSING_WORDS.test(at.message)) return true;
    if (at instanceof AggregateError && at.errors.some((inner: unknown) => isDatabaseAway(inner))) return true;
  }
  return false;
}

/** Sockets of the platform are wrapped in errors of their own; a bare socket error comes from PostgreSQL's driver. */
function isFromDriver(error: Error): boolean {
  return 'syscall' in error || error instanceof AggregateError || error.name.startsWith('Driver');
}
