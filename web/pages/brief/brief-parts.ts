import type { Schemas } from '../../client/api.ts';

type Brief = Schemas['Brief'];
export type BriefPart = keyof Brief;

/** The parts of a brief, in the order in which they are shown. */
export const BRIEF_PARTS: { name: BriefPart; title: string }[] = [
  { name: 'purpose', title: 'Purpose' },
  { name: 'intents', title: 'What callers ask for' },
  { name: 'done', title: 'What counts as done' },
  { name: 'rules', title: 'Rules of its text' },
  { name: 'steps', title: 'Steps' },
  { name: 'tools', title: 'Tools' },
];

const LINES: { [Part in BriefPart]: (value: Brief[Part]) => string[] } = {
  purpose: (purpose) => (purpose === null ? [] : [purpose]),
  intents: (intents) => intents,
  done: (done) => done,
  rules: (rules) => rules.map(({ line, text, polarity }) => `line ${line}, ${polarity.replace('_', ' ')}: ${text}`),
  steps: (steps) => steps.map(({ label, text }) => (text === null ? label : `${label}: ${text}`)),
  tools: (tools) => tools.map(({ name, description }) => `${name}: ${description}`),
};

function linesOf(part: BriefPart, brief: Partial<Brief>): string[] {
  const value = brief[part];
  return value === undefined ? [] : (LINES[part] as (value: unknown) => string[])(value);
}

/** The lines that a change takes away and adds. */
export function differenceOf(
  part: BriefPart,
  before: Brief,
  change: Partial<Brief>,
): { kind: 'gone' | 'new'; text: string }[] {
  const [had, has] = [linesOf(part, before), linesOf(part, change)];
  return [
    ...had.filter((text) => !has.includes(text)).map((text) => ({ kind: 'gone' as const, text })),
    ...has.filter((text) => !had.includes(text)).map((text) => ({ kind: 'new' as const, text })),
  ];
}
