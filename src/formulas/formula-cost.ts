import type { Environment } from '@marcbachmann/cel-js';
import { FIELDS_AT_MOST, LIST_AT_MOST, TEXT_AT_MOST } from '../domain/custom-metrics/facts.ts';

export type Node = ReturnType<Environment['parse']>['ast'];

export const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);

/** The most that a part of a formula takes and holds. */
interface Estimate {
  /** In steps of about 0.2 µs of processor time. */
  cost: number;
  /** Characters of a text, or of each text in a list. */
  length: number;
  entries: number;
}

/** About 6 ms of processor time for a call. */
const COST_AT_MOST = 30_000;
/** A time of day in a zone makes a formatter each time. */
const ZONED = 1_000;

/** Whether the most that a formula can take on a call stays within its bound, whatever the call says. */
export function isCheap(ast: Node, lists: ReadonlySet<string>, maps: ReadonlySet<string>): boolean {
  const known = new Map<string, Estimate>();
  for (const name of lists) known.set(name, { cost: 1, length: TEXT_AT_MOST, entries: LIST_AT_MOST });
  for (const name of maps) known.set(name, { cost: 1, length: TEXT_AT_MOST, entries: FIELDS_AT_MOST });
  return estimate(ast, known).cost <= COST_AT_MOST;
}

const ANY: Estimate = { cost: 1, length: TEXT_AT_MOST, entries: 1 };

function estimate(node: Node, known: ReadonlyMap<string, Estimate>): Estimate {
  const of = (inner: Node) => estimate(inner, known);
  if (node.op === 'value')
    return { cost: 1, length: typeof node.args === 'string' ? node.args.length : 30, entries: 1 };
  if (node.op === 'id') return known.get(node.args) ?? ANY;
  if (node.op === '.' || node.op === '.?') return { ...of(node.args[0]), entries: 1 };
  if (node.op === '+') return added(node.args.map(of));
  if (node.op === 'call') return called(node.args[0], node.args[1].map(of));
  if (node.op === 'rcall') {
    const [name, on, asked] = node.args;
    return LOOPS.has(name) ? looped(name, of(on), asked, known) : called(name, [of(on), ...asked.map(of)]);
  }
  const parts = partsOf(node).map(of);
  const { cost, length, entries } = joined(parts);
  if (node.op === 'list' || node.op === 'map') return { cost, length, entries };
  return { cost: cost + (length * entries) / 1_000, length, entries: Math.max(1, ...parts.map((one) => one.entries)) };
}

const costOf = (parts: readonly Estimate[]) => parts.reduce((sum, { cost }) => sum + cost, 1);

const joined = (parts: readonly Estimate[]): Estimate => ({
  cost: costOf(parts),
  length: Math.max(0, ...parts.map(({ length }) => length)),
  entries: parts.reduce((sum, { entries }) => sum + entries, 0),
});

/** Texts become as long as both, and lists too. */
function added(parts: readonly Estimate[]): Estimate {
  const { cost, entries } = joined(parts);
  const length = parts.reduce((sum, one) => sum + one.length, 0);
  return {
    cost: cost + length / 100 + (entries > parts.length ? entries : 0),
    length,
    entries: entries > parts.length ? entries : 1,
  };
}

function called(name: string, parts: readonly Estimate[]): Estimate {
  const [on = ANY, ...asked] = parts;
  const { length } = joined(parts);
  const first = asked[0]?.length ?? 0;
  const work =
    name === 'contains'
      ? (on.length * first) / 1_500
      : name.startsWith('get') && asked.length > 0
        ? ZONED
        : length / 100;
  return { cost: costOf(parts) + work, length, entries: 1 };
}

/** The last part is asked of each entry, and of `map` also whether it is taken. */
function looped(name: string, on: Estimate, asked: readonly Node[], known: ReadonlyMap<string, Estimate>): Estimate {
  const [variable, ...bodies] = asked;
  const within = new Map(known);
  if (variable?.op === 'id') within.set(variable.args, { cost: 1, length: on.length, entries: 1 });
  const parts = bodies.map((body) => estimate(body, within));
  const cost = on.cost + on.entries * costOf(parts);
  const made = parts.at(-1) ?? ANY;
  if (name === 'map') return { cost, length: made.length, entries: on.entries * made.entries };
  return name === 'filter' ? { ...on, cost } : { cost, length: 0, entries: 1 };
}

/** Nodes right below one. */
export function partsOf(node: Node): Node[] {
  const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'op' in value;
  const { args } = node as { args: unknown };
  if (isNode(args)) return [args];
  return Array.isArray(args) ? args.flat(2).filter(isNode) : [];
}
