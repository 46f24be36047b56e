import { cutText } from '../text.ts';
import { effectOf } from '../tool-uses.ts';
import { splitName } from '../tool-words.ts';
import { readValues } from '../values/read-values.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';
import { cutSentences, hasShortNot, type Sentence } from './sentences.ts';

/** What the agent states and its own numbers, its tools or a looked-up field refute. */
export function refutedStatements(record: CallRecord): LedgerFinding[] {
  const attributes = attributesOf(record);
  const found: LedgerFinding[] = [];
  for (const turn of record.reading.agent) {
    const { text } = turn.turn;
    if (
      attributes.length === 0 &&
      !UNABLE.test(text) &&
      !(COMPARES.test(text) && /[$€£]|dollar|euro|pound/i.test(text))
    )
      continue;
    for (const sentence of cutSentences(text)) {
      const finding =
        wrongComparison(turn.index, sentence) ??
        otherAttribute(record, turn.index, sentence, attributes) ??
        unusedLookUp(record, turn.index, sentence);
      if (finding === null) continue;
      found.push(finding);
      break;
    }
  }
  return found;
}

const COMPARES = / than | above | over | below | under | within /i;
const COMPARED =
  /^\W{0,6}(?:,? ?(?:which|and|that) )?(?:is|are|was|would be|will be)(?: still| well| also| just)?( not|n['\u2019]t)?(?: still| well| also| just)? (?:(more|greater|higher|less|lower|fewer) than|(above|over|below|under|within))(?: your| the| a)?(?: (?:budget|limit|maximum|threshold|balance)(?: of)?)?\W{0,4}$/i;

/** "$130, which is less than $100": two amounts in one sentence, and the wrong word between them. */
function wrongComparison(turn: number, sentence: Sentence): LedgerFinding | null {
  if (!COMPARES.test(sentence.text)) return null;
  const amounts = readValues(sentence.text).filter((value) => value.kind === 'money' && value.forms.length === 1);
  for (let at = 0; at + 1 < amounts.length; at += 1) {
    const [first, second] = [amounts[at], amounts[at + 1]];
    if (first === undefined || second === undefined) continue;
    const between = COMPARED.exec(sentence.text.slice(first.to, second.from));
    if (between === null) continue;
    const [, not, than, side] = between;
    const [a, b] = [Number(first.forms[0]), Number(second.forms[0])];
    const isMore = /more|greater|higher|above|over/i.test(than ?? side ?? '');
    const holds = isMore ? a > b : /within/i.test(side ?? '') ? a <= b : a < b;
    if (holds === (not === undefined) || a === b) continue;
    return make(
      turn,
      sentence,
      'comparison_false',
      `compares ${numberOf(a)} and ${numberOf(b)} the wrong way round`,
      null,
    );
  }
  return null;
}

function numberOf(value: number): string {
  return String(value);
}

interface Attribute {
  /** Word with which the field is spoken of: "member" for `membership`. */
  word: string;
  value: string;
  values: ReadonlySet<string>;
  turn: number;
}

/** Fields of results whose possible values the prompt names: "regular member", "silver member", "gold member". */
function attributesOf(record: CallRecord): Attribute[] {
  const prompt = record.reading.configuration?.prompt ?? null;
  if (prompt === null) return [];
  const words =
    prompt
      .slice(0, 60_000)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  const attributes: Attribute[] = [];
  for (const use of record.reading.tools) {
    if (use.resultTurn === null || use.ok === false) continue;
    for (const leaf of record.results(use)) {
      if (typeof leaf.value !== 'string' || !/^[a-z]+$/i.test(leaf.value) || leaf.path.includes('.0')) continue;
      const word =
        leaf.name
          .toLowerCase()
          .split(/[^a-z]/)
          .at(-1)
          ?.replace(/ship$|s$/, '') ?? '';
      if (word.length < 5) continue;
      const values = new Set(words.filter((_, at) => words[at + 1] === word || words[at + 1] === `${word}s`));
      if (values.size >= 2 && values.has(leaf.value.toLowerCase())) {
        attributes.push({ word, value: leaf.value.toLowerCase(), values, turn: use.resultTurn });
      }
    }
  }
  return attributes;
}

/** "Since you are a gold member", where the look-up says regular. */
function otherAttribute(
  record: CallRecord,
  turn: number,
  sentence: Sentence,
  attributes: readonly Attribute[],
): LedgerFinding | null {
  if (attributes.length === 0 || !/\b(?:you are|you['\u2019]re|since you|as an?|your)\b/i.test(sentence.text))
    return null;
  if (hasShortNot(sentence.text)) return null;
  if (/\b(?:if|not|would|or|only|either|unless|you (?:can|could|may)|become|upgrade)\b/i.test(sentence.text))
    return null;
  const words: readonly string[] = sentence.text.toLowerCase().match(/[a-z]+/g) ?? [];
  for (const attribute of attributes) {
    if (attribute.turn > turn) continue;
    const at = words.indexOf(attribute.word);
    const said = words[at - 1] ?? '';
    if (at < 1 || !attribute.values.has(said) || said === attribute.value || !NAMES_ONE.test(said)) continue;
    if (attributes.some((one) => one.word === attribute.word && one.value === said)) continue;
    const use = record.reading.tools.find((one) => one.resultTurn === attribute.turn) ?? null;
    return make(
      turn,
      sentence,
      'attribute_differs',
      `says "${said} ${attribute.word}"; the result says "${attribute.value}"`,
      use,
    );
  }
  return null;
}

const NAMES_ONE = /^(?!(?:the|any|another|each|every|all|per|new|our|your|this|that|some|one)$)[a-z]{3,}$/;

const UNABLE =
  /\b(?:can['\u2019]t|cannot|can not|unable to|not able to|don['\u2019]t have (?:the )?(?:ability|access)|do not have (?:the )?(?:ability|access))\b/i;
const LOOK_UP = /\b(?:fetch|look(?: up)?|check|see|view|retrieve|access|find|get|pull)\b/i;

/** The agent says that it can't look something up, and has a tool for it that it never used. */
function unusedLookUp(record: CallRecord, turn: number, sentence: Sentence): LedgerFinding | null {
  const unable = UNABLE.exec(sentence.text);
  if (unable === null) return null;
  const rest = sentence.text.slice(unable.index + unable[0].length, unable.index + unable[0].length + 120);
  const verb = LOOK_UP.exec(rest);
  if (verb === null || verb.index > 12) return null;
  const words = new Set(
    rest
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.map(singular),
  );
  for (const tool of record.reading.configuration?.tools ?? []) {
    const name = splitName(tool.name);
    if (effectOf(name, tool) !== 'read') continue;
    const things = name.slice(1).map(singular);
    if (
      things.length < 2 ||
      !things.every((word) => words.has(word)) ||
      record.reading.tools.some((use) => use.name === tool.name)
    )
      continue;
    return {
      ...make(
        turn,
        sentence,
        'look_up_unused',
        `says that it can't; its tool "${tool.name}" was not called on this call`,
        null,
      ),
      code: 'tool_missing',
      facts: { rule: 'look_up_unused', tool: tool.name },
    };
  }
  return null;
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

function make(turn: number, sentence: Sentence, rule: string, what: string, use: LedgerFinding['use']): LedgerFinding {
  return {
    code: 'fact_contradicts_source',
    rule,
    turn,
    quote: cutText(sentence.text, 240),
    detail: `The agent ${what}.`,
    use,
    confidence: 0.8,
    facts: { rule },
  };
}
