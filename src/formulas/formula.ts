import {
  type TypeError as CelTypeError,
  Environment,
  type EvaluationError,
  type ParseError,
} from '@marcbachmann/cel-js';
import {
  FACTS,
  FIELDS_AT_MOST,
  LIST_AT_MOST,
  METADATA,
  METADATA_TYPE,
  type StoredFacts,
  TEXT_AT_MOST,
} from '../domain/custom-metrics/facts.ts';
import {
  LABEL_AT_MOST,
  labelValue,
  type MetricValue,
  NOT_APPLICABLE,
  numberValue,
  unknownValue,
} from '../domain/custom-metrics/metric.ts';
import { nearestName } from '../domain/edit-distance.ts';
import { cutText } from '../domain/text.ts';
import type { MetricAnswer } from '../domain/vocabulary.ts';
import { isCheap, LOOPS, type Node, partsOf } from './formula-cost.ts';

/** A call as formulas see it. */
export interface FormulaCall {
  facts: StoredFacts;
  /** Null where nobody says them; left out where no formula asks for them. */
  variables?: Readonly<Record<string, string>> | null;
}

export interface Formula {
  answer: Exclude<MetricAnswer, 'text'>;
  /** Whether it reads `metadata`, which is stored beside the words of a call. */
  readsMetadata: boolean;
  evaluate(call: FormulaCall): MetricValue;
}

export type ReadFormula = Formula | { problem: string };

const LIMITS = { maxAstNodes: 300, maxDepth: 30, maxListElements: 100, maxMapEntries: 20, maxCallArguments: 4 };
/** Squares of greater ones, added up over all calls, are no numbers any more. */
const NUMBER_AT_MOST = 1e12;
/** `matches` is left out: an expression that backtracks takes a time without bound. */
const FUNCTIONS = new Set([
  ...LOOPS,
  ...'size contains startsWith endsWith lowerAscii upperAscii trim has double int string'.split(' '),
  ...'getFullYear getMonth getDate getDayOfMonth getDayOfWeek getHours getMinutes getSeconds'.split(' '),
]);

/**
 * Reads a formula and checks it as far as can be done without a call: its syntax, its names and its types.
 * @returns what is wrong with it as a sentence, with the place and the nearest name.
 */
export function readFormula(text: string): ReadFormula {
  try {
    const parsed = environment().parse(text);
    const refused = findRefused(parsed.ast);
    if (refused !== null) return { problem: refused };
    const checked = parsed.check();
    if (checked.error) return { problem: problemOf(checked.error) };
    if (!isCheap(parsed.ast, LISTS, new Set([METADATA]))) return { problem: TOO_LONG };
    const answer = ANSWERS[checked.type ?? ''];
    if (answer === undefined) {
      return { problem: `The formula gives ${checked.type}: it must give yes or no, a number or a text.` };
    }
    const readsMetadata = names(parsed.ast).has(METADATA);
    return { answer, readsMetadata, evaluate: (call) => evaluated(parsed, call) };
  } catch (error) {
    if (isCelError(error)) return { problem: problemOf(error) };
    throw error;
  }
}

/** The same where the answer has to be yes or no. */
export function readCondition(text: string): ReadFormula {
  const read = readFormula(text);
  if ('problem' in read || read.answer === 'yes_no') return read;
  return { problem: 'A condition must give yes or no.' };
}

/** Holds a call against the condition of a metric: null where the metric is about it. */
export function outsideOf(condition: Formula | null, call: FormulaCall): MetricValue | null {
  if (condition === null) return null;
  const met = condition.evaluate(call);
  if (met.state !== 'value') return unknownValue(`Whether it applies is not known: ${met.because}`);
  return met.number === 1 ? null : NOT_APPLICABLE;
}

const TOO_LONG =
  'The formula can take too long on a call: time zones, contains() and long texts within all(), exists(), filter() or map() take most. Ask for less of them.';
const LISTS = new Set(Object.keys(FACTS).filter((name) => FACTS[name]?.type.startsWith('list')));

const ANSWERS: Readonly<Record<string, Formula['answer']>> = {
  bool: 'yes_no',
  double: 'number',
  int: 'number',
  string: 'label',
};

let made: Environment | null = null;

function environment(): Environment {
  if (made !== null) return made;
  const env = new Environment({ limits: LIMITS });
  for (const [name, { type }] of Object.entries(FACTS)) env.registerVariable(name, type);
  env.registerVariable(METADATA, METADATA_TYPE);
  // People write `turns / 2` and `1 + frictions`: whole numbers stand beside the facts, which are all doubles.
  const operators = {
    '+': (a: number, b: number) => a + b,
    '-': (a: number, b: number) => a - b,
    '*': (a: number, b: number) => a * b,
    '/': (a: number, b: number) => a / b,
  };
  for (const [sign, of] of Object.entries(operators)) {
    env.registerOperator(`double ${sign} int: double`, (a: number, b: bigint) => of(a, Number(b)));
    env.registerOperator(`int ${sign} double: double`, (a: bigint, b: number) => of(Number(a), b));
  }
  env.registerOperator('double == int', (a: number, b: bigint) => a === Number(b));
  made = env;
  return env;
}

function evaluated(run: (context: Record<string, unknown>) => unknown, call: FormulaCall): MetricValue {
  try {
    return valueOf(run(contextOf(call)));
  } catch (error) {
    if (isCelError(error)) return unknownValue(gapOf(error));
    // A time zone that is made of words of the call.
    if (error instanceof RangeError) return unknownValue(`${error.message}.`);
    throw error;
  }
}

/** Facts that the call does not say are left out, so that reading one ends the evaluation. */
function contextOf({ facts, variables }: FormulaCall): Record<string, unknown> {
  const known = Object.entries(FACTS).flatMap(([name, { of }]) => {
    const value = of(facts);
    if (value === undefined) return [];
    return [[name, Array.isArray(value) ? value.slice(0, LIST_AT_MOST).map(bounded) : bounded(value)] as const];
  });
  return { ...Object.fromEntries(known), ...(variables && { [METADATA]: boundedFields(variables) }) };
}

const bounded = (value: unknown) => (typeof value === 'string' ? cutText(value, TEXT_AT_MOST) : value);
const boundedFields = (variables: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(variables)
      .slice(0, FIELDS_AT_MOST)
      .map(([name, value]) => [name, bounded(value)]),
  );

function valueOf(result: unknown): MetricValue {
  if (typeof result === 'boolean') return numberValue(result ? 1 : 0);
  if (typeof result === 'string') return labelValue(cutText(result, LABEL_AT_MOST));
  const number = Number(result);
  if (!Number.isFinite(number)) return unknownValue('The result is no finite number.');
  return Math.abs(number) <= NUMBER_AT_MOST ? numberValue(number) : unknownValue('The result is beyond a trillion.');
}

type CelError = EvaluationError | ParseError | CelTypeError;

function isCelError(error: unknown): error is CelError {
  return error instanceof Error && 'code' in error && 'summary' in error;
}

/** What of the call an evaluation lacked. */
function gapOf({ summary }: CelError): string {
  const name = /^Unknown variable: (\w+)$/.exec(summary)?.[1];
  if (name !== undefined) return `${name} is not known of this call.`;
  const key = /^No such key: (.+)$/s.exec(summary)?.[1];
  return key === undefined ? `${cutText(summary, 200)}.` : `The call has no ${cutText(key, 60)}.`;
}

function problemOf({ summary, range }: Pick<CelError, 'summary' | 'range'>): string {
  const at = range ? ` at character ${range.start + 1}` : '';
  const name = /^Unknown variable: (\w+)$/.exec(summary)?.[1];
  if (name === undefined) return `${summary}${at}.`;
  const near = nearestOf(name);
  const hint = near === null ? `What can be named: ${NAMES.join(', ')}.` : `Did you mean ${near}?`;
  return `There is no ${name}${at}. ${hint}`;
}

const NAMES = [...Object.keys(FACTS), METADATA];

function nearestOf(name: string): string | null {
  const isPart = (one: string) => one.includes(name) || name.includes(one);
  return nearestName(
    name.toLowerCase(),
    NAMES,
    (distance, one) => distance <= Math.min(3, one.length / 2) || isPart(one),
  );
}

/** Functions that are not in reach, and loops within loops. */
function findRefused(ast: Node): string | null {
  const walk = (node: Node, isInLoop: boolean): string | null => {
    const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : null;
    const zone = zoneOf(node);
    if (zone !== null && !isZone(zone)) return `There is no time zone ${zone}: name one such as Europe/Berlin.`;
    const isLoop = name !== null && LOOPS.has(name);
    if (name !== null && !FUNCTIONS.has(name)) {
      return `${name}() is not available. Functions are: ${[...FUNCTIONS].join(', ')}.`;
    }
    if (isLoop && isInLoop) return `${name}() must not stand inside another one that goes through a list.`;
    for (const inner of partsOf(node)) {
      const refused = walk(inner, isInLoop || isLoop);
      if (refused !== null) return refused;
    }
    return null;
  };
  return walk(ast, false);
}

/** The time zone that a part of a time is asked in, where it is written out. */
function zoneOf(node: Node): string | null {
  if (node.op !== 'rcall' || !node.args[0].startsWith('get')) return null;
  const [zone] = node.args[2];
  return zone?.op === 'value' && typeof zone.args === 'string' ? zone.args : null;
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function names(ast: Node): Set<string> {
  const found = new Set<string>();
  const walk = (node: Node) => {
    if (node.op === 'id') found.add(node.args);
    for (const inner of partsOf(node)) walk(inner);
  };
  walk(ast);
  return found;
}
