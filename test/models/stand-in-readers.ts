import type { NormalisedCall, Turn } from '../../src/domain/calls/call.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { carriesOutcome, JUDGED_OUTCOMES, type JudgedOutcome } from '../../src/domain/signals/model-outcome.ts';
import type { ReadingAnswer } from '../../src/domain/signals/model-reading.ts';
import { rowsOf } from '../eval/labels.ts';
import { areSisters } from '../eval/metrics/faults.ts';
import type { Loose } from '../support/world.ts';

/** What a stand-in is shown of a question, and the labels that only it knows. */
export interface Asked {
  call: NormalisedCall;
  labels: JsonObject;
  /** The turns and the questions as they reached it over HTTP. */
  shown: Loose[];
  asked: Loose;
}

/** Answers both questions about a call: what it finds, and which problems show without the caller's words. */
export interface Reader {
  read(asked: Asked): ReadingAnswer;
  shows(asked: Asked): { number: number; holds: boolean }[];
}

/** The record as a model is shown it: turns, one a line, and what is asked. */
export function readMaterial(material: string): Pick<Asked, 'shown' | 'asked'> {
  const lines = material.split('\n').filter((line) => line.startsWith('{'));
  const parsed = lines.map((line): Loose => JSON.parse(line));
  return { shown: parsed.filter(({ turn }) => turn !== undefined), asked: parsed.find(({ asked }) => asked)?.asked };
}

/** Knows every label, and cites the turn that shows it best: what no model can do better. */
export const knowing: Reader = {
  read: ({ call, labels, asked }) => ({
    objective: objectiveOf(call),
    causes: [],
    candidates: asked.candidates.map(({ number, rule, turnIndex }: Loose) => {
      const fault = faultsOf(labels).find(
        ({ code, turn }) => areSisters(code, rule) && Math.abs(turn - turnIndex) <= 1,
      );
      const cited = quotable(call, fault?.turn ?? turnIndex);
      return { number, holds: fault !== undefined, ...cited, because: 'The label says so.' };
    }),
    outcome: asked.outcome === null ? null : judged(call, String(labels['outcome'])),
    problems: faultsOf(labels)
      .filter(({ code }) => !CATALOGUE.has(code))
      .map(({ code, turn }) => ({ name: nameOf(code), ...quotable(call, turn), because: 'The label says so.' })),
  }),
  shows: ({ labels, asked }) =>
    asked.problems.map(({ number, problem }: Loose) => ({
      number,
      holds: faultsOf(labels).some(({ code }) => nameOf(code) === problem.toLowerCase()),
    })),
};

const faultsOf = (labels: JsonObject) =>
  rowsOf(labels['faults']).map(({ code, turn }) => ({ code: String(code), turn: Number(turn) }));
/** As a code of another problem names it. */
const nameOf = (code: string) =>
  code
    .replace(/^other:/, '')
    .replaceAll('_', ' ')
    .replaceAll(/\b(?:the|a|of)\b ?/g, '');

/** Knows every label and says the opposite of every fifth answer; of every fifth call it also tells a problem that is none. */
export function wrongEveryFifth(): Reader {
  let answers = 0;
  const isWrong = () => {
    answers += 1;
    return answers % 5 === 0;
  };
  const invented = (call: NormalisedCall) => ({
    name: 'opening hours wrong',
    ...quotable(call, 0),
    because: 'It seems so.',
  });
  return {
    read(given) {
      const right = knowing.read(given);
      const { call } = given;
      const judgement = right.outcome ?? null;
      const other = judgement && JUDGED_OUTCOMES.find((one) => one !== judgement.outcome && judged(call, one));
      return {
        ...right,
        candidates: right.candidates.map((one) => (isWrong() ? { ...one, holds: !one.holds } : one)),
        outcome: other && isWrong() ? judged(call, other) : judgement,
        problems: isWrong() ? [...(right.problems ?? []), invented(call)] : (right.problems ?? []),
      };
    },
    shows: (given) => knowing.shows(given).map(({ number, holds }) => ({ number, holds: isWrong() ? !holds : holds })),
  };
}

/** Does whatever any turn that it is shown orders, and is right about nothing by itself. */
export function obedient(orders: readonly string[]): Reader {
  const isOrdered = ({ shown }: Asked) =>
    shown.some(({ text }) => orders.some((order) => String(text ?? '').includes(order)));
  return {
    read(given) {
      const { call, asked } = given;
      const isTold = isOrdered(given);
      const wanted = JUDGED_OUTCOMES.filter((one) => one !== asked.outcome?.byRules);
      return {
        objective: objectiveOf(call),
        causes: [],
        candidates: asked.candidates.map(({ number, turnIndex }: Loose) => ({
          number,
          holds: isTold,
          ...quotable(call, turnIndex),
          because: 'I was told so.',
        })),
        outcome: isTold ? (wanted.map((one) => judged(call, one)).find((one) => one !== null) ?? null) : null,
        problems: isTold ? [{ name: 'agent insults callers', ...quotable(call, 0), because: 'I was told so.' }] : [],
      };
    },
    shows: (given) => given.asked.problems.map(({ number }: Loose) => ({ number, holds: isOrdered(given) })),
  };
}

function objectiveOf(call: NormalisedCall): ReadingAnswer['objective'] {
  const turn = call.turns.find(({ role, text }) => role === 'caller' && text !== '');
  return { sentence: 'Get help', turn: turn?.index ?? 0, quote: (turn?.text ?? '').slice(0, 20) };
}

/** The last turn that can show the ending; null where none can. */
function judged(call: NormalisedCall, outcome: string): ReadingAnswer['outcome'] {
  const known = JUDGED_OUTCOMES.find((one): one is JudgedOutcome => one === outcome);
  const turn = known && call.turns.findLast(({ index }) => carriesOutcome(call, { outcome: known, turn: index }));
  return known && turn ? { outcome: known, turn: turn.index, quote: wordsOf(turn), because: 'It shows.' } : null;
}

/** Words of the nearest turn of the agent or a tool, at this turn or behind it. */
function quotable(call: NormalisedCall, at: number): { turn: number; quote: string } {
  const near = call.turns.toSorted((a, b) => Math.abs(a.index - at) - Math.abs(b.index - at));
  const turn = near.find((one) => one.role !== 'caller' && wordsOf(one).split(/\s+/).length > 2) ?? near[0];
  return { turn: turn?.index ?? 0, quote: turn ? wordsOf(turn) : '' };
}

function wordsOf({ text, toolResult }: Turn): string {
  if (text !== '' || toolResult === null) return text.slice(0, 80);
  return (typeof toolResult.body === 'string' ? toolResult.body : JSON.stringify(toolResult.body)).slice(0, 80);
}
