import type { AgentConfiguration } from '../versions/configuration.ts';
import { wholeText } from '../versions/line-changes.ts';
import {
  type DraftUnderCheck,
  type LiveWatch,
  QUICK_CHECKS,
  type QuickCheck,
  type QuickCheckCode,
  type QuickFinding,
} from './check.ts';
import { brokenRules, brokenWatches } from './contradictions.ts';
import { diffOf, linesBrought, type PartDiff } from './diff.ts';
import { type DraftPartKind, type DraftTexts, edgePath, withTexts } from './parts.ts';

const LABELS: Record<QuickCheckCode, string> = {
  variables_exist: 'Every variable that it brings exists',
  tools_exist: 'Every tool that it names exists, and no tool in use has lost its mention',
  steps_lead_on: 'Every step still has a way out',
  watches_hold: 'No live watch is contradicted',
  rules_agree: 'No rule of the text is contradicted',
  length_fits: 'No text is longer than platforms take',
  required_words_stay: 'Words that must be said are still there',
};

const RULES: Record<QuickCheckCode, (checked: DraftUnderCheck) => QuickFinding[]> = {
  variables_exist: unknownVariables,
  tools_exist: (checked) => [...unknownTools(checked), ...toolsNamedNoMore(checked)],
  steps_lead_on: closedSteps,
  watches_hold: brokenWatches,
  rules_agree: brokenRules,
  length_fits: tooLong,
  required_words_stay: wordsGone,
};

/** What a draft changes, and what rules can say of it before anybody plays it. */
export interface ReadDraft {
  diff: PartDiff[];
  quickChecks: QuickCheck[];
}

/** Only what the draft changes is held against it. */
export function readDraft(base: AgentConfiguration, texts: DraftTexts, watches: readonly LiveWatch[]): ReadDraft {
  const diff = diffOf(base, texts);
  const checked = { base, draft: withTexts(base, texts), diff, watches };
  return { diff, quickChecks: QUICK_CHECKS.map((check) => quickCheck(check, RULES[check](checked))) };
}

/** The same of a draft whose text could not be read in the time there is: parts as a whole, and each check says why it was not made. */
export function unreadDraft(base: AgentConfiguration, texts: DraftTexts, reason: string): ReadDraft {
  const findings = [{ path: null, line: null, message: `This was not checked. ${reason}` }];
  return {
    diff: diffOf(base, texts, wholeText),
    quickChecks: QUICK_CHECKS.map((check) => quickCheck(check, findings)),
  };
}

const quickCheck = (check: QuickCheckCode, findings: QuickFinding[]): QuickCheck => ({
  check,
  label: LABELS[check],
  ok: findings.length === 0,
  findings,
});

const VARIABLE = /\{\{\s*([A-Za-z_][\w.-]{0,80})\s*\}\}/g;
/** Filled by the platforms themselves. */
const OF_PLATFORM =
  /^(?:current_|system__|call_|session_|user_number$|agent_number$|direction$|now$|date$|time$|customer\.|transport)/i;

function unknownVariables({ base, diff }: DraftUnderCheck): QuickFinding[] {
  return linesBrought(diff).flatMap(({ path, line, text }) =>
    [...text.matchAll(VARIABLE)]
      .map((match) => match[1] ?? '')
      .filter((name) => !Object.hasOwn(base.variables, name) && !OF_PLATFORM.test(name))
      .map((name) => ({
        path,
        line,
        message: `There is no variable {{${name}}}: it would be read out or stay empty.`,
      })),
  );
}

/** Written as tools are: words joined by underscores, outside of a variable. */
const TOOL_LIKE = /(?<![\w{.@/-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w}@/-]|\.\w)/g;

function unknownTools({ base, diff }: DraftUnderCheck): QuickFinding[] {
  const known = new Set([
    ...base.tools.flatMap(({ id, name, parameters }) => [id, name, ...namesIn(JSON.stringify(parameters ?? {}))]),
    ...base.nodes.flatMap(({ id, label, toolName }) => [id, label, toolName ?? '']),
    ...Object.keys(base.variables),
    ...namesIn(textsOf(base)),
  ]);
  return linesBrought(diff).flatMap(({ path, line, text }) =>
    namesIn(text.replaceAll(VARIABLE, ' '))
      .filter((name) => !known.has(name))
      .map((name) => ({ path, line, message: `There is no tool ${name}.` })),
  );
}

const namesIn = (text: string): string[] => [...new Set(text.match(TOOL_LIKE) ?? [])];

const textsOf = ({ prompt, firstMessage, nodes }: AgentConfiguration): string =>
  [prompt, firstMessage, ...nodes.flatMap(({ text, edges }) => [text, ...edges.map(({ condition }) => condition)])]
    .filter((text) => text !== null)
    .join('\n');

function toolsNamedNoMore({ base, draft }: DraftUnderCheck): QuickFinding[] {
  const [before, after] = [new Set(textsOf(base).match(/\w+/g)), new Set(textsOf(draft).match(/\w+/g))];
  return base.tools
    .filter(({ name }) => before.has(name) && !after.has(name))
    .map(({ name }) => ({ path: null, line: null, message: `The tool ${name} is named nowhere any more.` }));
}

function closedSteps({ base, draft }: DraftUnderCheck): QuickFinding[] {
  const ways = ({ nodes }: AgentConfiguration) =>
    new Map(nodes.map((node) => [node.id, node.edges.filter((edge) => edge.condition?.trim() !== '').length]));
  const [before, after] = [ways(base), ways(draft)];
  return draft.nodes
    .filter(({ id }) => (before.get(id) ?? 0) > 0 && after.get(id) === 0)
    .map(({ id, label }) => ({
      path: edgePath(id, 0),
      line: null,
      message: `The step “${label}” has no way out any more: a call would stay in it.`,
    }));
}

/** Descriptions of functions are cut or refused above this by the language models themselves. */
const LONGEST: Partial<Record<DraftPartKind, number>> = { tool: 1024 };

function tooLong({ diff }: DraftUnderCheck): QuickFinding[] {
  return diff.flatMap(({ path, kind, label, before, after }) => {
    const longest = LONGEST[kind];
    if (longest === undefined || after.length <= longest || after.length <= before.length) return [];
    const message = `The text of ${label} has ${after.length} characters; more than ${longest} are not taken.`;
    return [{ path, line: null, message }];
  });
}

/** What callers must be told by law or by the business: that they are recorded, and that they speak to a machine. */
const REQUIRED: readonly { what: string; words: RegExp }[] = [
  { what: 'that the call is recorded', words: /\b(?:recorded|recording|monitored|aufgezeichnet|enregistr)/i },
  {
    what: 'that the caller speaks to a machine',
    words: /\b(?:virtual assistant|AI assistant|automated (?:assistant|system)|digital assistant|KI-Assistent)/i,
  },
];
/** Words that the text itself orders to be said. */
const SAID_VERBATIM =
  /\b(?:always say|must say|say exactly|say word for word|read (?:out )?verbatim)\b[^"“”\n]{0,60}["“]([^"“”\n]{3,300})["”]/gi;

function wordsGone({ base, draft }: DraftUnderCheck): QuickFinding[] {
  const [before, after] = [textsOf(base), textsOf(draft)];
  const told = REQUIRED.filter(({ words }) => words.test(before) && !words.test(after)).map(
    ({ what }) => `The agent is told nowhere any more to say ${what}.`,
  );
  const quoted = [...before.matchAll(SAID_VERBATIM)]
    .map((match) => match[1] ?? '')
    .filter((words) => !after.includes(words))
    .map((words) => `These words had to be said and are gone: “${words}”`);
  return [...told, ...new Set(quoted)].map((message) => ({ path: null, line: null, message }));
}
