import { LANES, TEST_EXPECTATIONS } from '../../../src/domain/vocabulary.ts';
import type { Schemas } from '../../client/api.ts';

type Test = Schemas['Test'];
type Spec = Test['spec'];
export type Criterion = Omit<Spec['criteria'][number], 'id'> & { id?: string };
export type Fixture = Spec['fixtures'][number];
export type Check = NonNullable<Criterion['check']>;

/** A test as the file of a repository says it, without what ties it to the server. */
export interface TestFile extends Pick<Test, 'title' | 'lane' | 'expect' | 'guard'> {
  spec: Omit<Spec, 'criteria' | 'caller'> & {
    criteria: Criterion[];
    caller: Omit<Spec['caller'], 'facts'> & { facts: Spec['caller']['facts'] | string[] };
  };
}

export const NEW_TEST: TestFile = {
  title: '',
  lane: null,
  expect: 'pass',
  guard: false,
  spec: {
    caller: { goal: '', opening: '', facts: {}, style: '', script: null },
    fixtures: [],
    criteria: [{ text: '', required: true, check: null }],
    maxTurns: 12,
    tier: 'text',
  },
};

export const fileOf = ({ title, lane, expect, guard, spec }: Test): TestFile => ({ title, lane, expect, guard, spec });

export const textOf = (file: TestFile) => JSON.stringify(file, null, 2);

/** The file, or why it is none that a form can show. What it holds beyond that is the server's to judge. */
export function readFile(text: string): { file: TestFile } | { why: string } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return { why: `This isn’t valid JSON yet: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(read)) return { why: 'A test is one JSON object.' };
  const spec = fields(NEW_TEST.spec, read['spec']);
  const caller = fields(NEW_TEST.spec.caller, spec.caller);
  const file = fields(NEW_TEST, read);
  const why = wrongIn({ ...file, spec: { ...spec, caller } });
  return why ? { why } : { file: { ...file, spec: { ...spec, caller } } };
}

/** What the form could not show, in the order of the file. */
function wrongIn({ title, lane, expect, guard, spec }: TestFile): string | null {
  const { caller, fixtures, criteria, maxTurns } = spec;
  const rules: [sound: boolean, why: string][] = [
    [typeof title === 'string', 'title must be text.'],
    [lane === null || LANES.includes(lane), `lane must be null or one of ${LANES.join(', ')}.`],
    [TEST_EXPECTATIONS.includes(expect), 'expect must be "pass" or "fail".'],
    [typeof guard === 'boolean', 'guard must be true or false.'],
    [[caller.goal, caller.opening, caller.style].every(isText), 'spec.caller: goal, opening and style must be text.'],
    [isObject(caller.facts) || isTexts(caller.facts), 'spec.caller.facts must be an object of texts.'],
    [Object.values(caller.facts).every(isText), 'spec.caller.facts must be an object of texts.'],
    [caller.script === null || isTexts(caller.script), 'spec.caller.script must be null or a list of texts.'],
    [isList(fixtures, ({ tool }) => isText(tool)), 'spec.fixtures must be a list of objects, each with a tool.'],
    [isList(criteria, ({ text }) => isText(text)), 'spec.criteria must be a list of objects, each with a text.'],
    [typeof maxTurns === 'number', 'spec.maxTurns must be a number.'],
  ];
  return rules.find(([sound]) => !sound)?.[1] ?? null;
}

/** What is left out is as in a new test. */
const fields = <T extends object>(base: T, given: unknown): T => ({ ...base, ...(isObject(given) ? given : {}) });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isList = <T>(value: readonly T[], isSound: (each: T) => boolean) =>
  Array.isArray(value) && value.every((each: unknown) => isObject(each) && isSound(each as T));

type Facts = TestFile['spec']['caller']['facts'];

/** `name: value`, one to a line. */
export const factLines = (facts: Facts): string[] =>
  Array.isArray(facts) ? facts : Object.entries(facts).map(([name, value]) => `${name}: ${value}`);

/** By name; lines without one, or with one that is taken, stay lines, which the server numbers. */
export function factsOf(lines: string[]): Facts {
  const named = lines.flatMap((line) => {
    const at = line.indexOf(': ');
    return at > 0 ? [[line.slice(0, at), line.slice(at + 2).trim()] as const] : [];
  });
  const facts = Object.fromEntries(named);
  return Object.keys(facts).length === lines.length ? facts : lines;
}
