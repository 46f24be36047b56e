/** How the schema of a database and the migrations that a process knows go together; names with the oldest first. */
export type SchemaFit =
  | { is: 'fits' }
  | { is: 'behind'; missing: string[] }
  /** The migrations after which this process can't work, or those of another line of migrations. */
  | { is: 'newer'; unknown: string[] };

/**
 * A process runs on the schema that it knows and on later ones that only add to it: a release works on the schema of the
 * next one, so that one can go back.
 * @param executed names of the migrations that have run, in any order.
 * @param known names of those that this process has, in any order.
 */
export function decideSchemaFit(executed: readonly string[], known: readonly string[]): SchemaFit {
  const missing = known.filter((name) => !executed.includes(name)).toSorted();
  const newest = known.toSorted().at(-1) ?? '';
  const unknown = executed.filter((name) => !known.includes(name)).toSorted();
  const refused = unknown.filter((name) => missing.length > 0 || !worksAfter(name, newest));
  if (refused.length > 0) return { is: 'newer', unknown: refused };
  return missing.length > 0 ? { is: 'behind', missing } : { is: 'fits' };
}

/** Whether a process whose newest migration is that one works after a migration that it does not know. */
function worksAfter(unknown: string, newest: string): boolean {
  return unknown > newest && (WORKS_FROM.exec(unknown)?.[1] ?? '') <= (STAMP.exec(newest)?.[1] ?? '');
}

const STAMP = /^Migration(\d{14})/;
/**
 * The end of the name of a migration that takes something away: the time of the migration from which on processes do
 * without it. A name without it promises that the migration only adds.
 */
export const WORKS_FROM = /_from_(\d{14})$/;
