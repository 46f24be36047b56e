import type { PoolClient } from 'pg';
import { currentTrace, inSpan } from '../tracing/tracing.ts';

const TEXT_AT_MOST = 2_000;

/** Has each statement that is sent within a trace be a span of it: its text, never its values. */
export function traceStatements(client: PoolClient): void {
  // Whatever forms the driver takes a statement in go through as they came.
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  const query = (...args: unknown[]): unknown => {
    const text = textOf(args[0]);
    // Streams, and whoever hands over a callback, are told otherwise when they are done.
    if (text === null || typeof args.at(-1) === 'function' || currentTrace() === null) return send(...args);
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, TEXT_AT_MOST) };
    return inSpan({ name: `sql ${operation}`, kind: 'client', attributes }, async () => send(...args));
  };
  client.query = query as typeof client.query;
}

function textOf(statement: unknown): string | null {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null || 'submit' in statement || !('text' in statement))
    return null;
  return typeof statement.text === 'string' ? statement.text : null;
}
