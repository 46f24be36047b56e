import type { NormalisedCall } from '../calls/call.ts';
import type { CallAnalysis } from '../signals/call-analysis.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import { turnsToReader } from '../signals/model-address.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { AnsweredFinding, CheckedReading, Cited, ReaderAnswer } from './answer.ts';
import { checkAnswer } from './check-answer.ts';
import { proofContext } from './proof-context.ts';
import { type RecordWindow, recordWindows } from './render-record.ts';

/** Everything that reading one call takes, beside the answers. */
export interface CallToRead {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  /** As the rules read it. */
  analysis: CallAnalysis;
  /** Codes outside the catalogue that the agent has by now. */
  knownOthers: readonly string[];
  /** Codes that people have shown to be right: they are not looked at a second time. */
  trusted: ReadonlySet<string>;
}

/** A second look's answer: evidence first. */
export interface SecondLook {
  findings: (Cited & { number: number; holds: boolean })[];
}

/** Answers by the question that they answer. A call is read once none is missing. */
export interface ReadingAnswers {
  windows: ReaderAnswer[];
  /** Of a call that ended badly and on which nothing was found: read once more, a few turns at a time. */
  stretches?: { findings: AnsweredFinding[] };
  secondLook?: { code: string; turn: number; holds: boolean }[];
}

export type ReadingQuestion =
  | { kind: 'window'; nth: number; window: RecordWindow }
  | { kind: 'stretches'; window: RecordWindow }
  | { kind: 'second_look'; window: RecordWindow; findings: CheckedReading['findings'] };

/** The record as it is shown, with what code found on it. */
export function windowsOf({ call, configuration, analysis }: CallToRead): RecordWindow[] {
  const facts = analysis.signals
    .filter(({ code, klass }) => klass !== 'behaviour' && CATALOGUE.get(code)?.meaning === false)
    .map(({ code, turnIndex, detail }) => ({ code, turnIndex, detail }));
  const { toolResults } = analysis;
  return recordWindows({ call, configuration, toolResults, facts, withheld: turnsToReader(call) });
}

/** @returns what is to be asked next; null once the call is read. */
export function nextQuestion(read: CallToRead, answers: ReadingAnswers): ReadingQuestion | null {
  const windows = windowsOf(read);
  const window = windows[answers.windows.length];
  if (window !== undefined) return { kind: 'window', nth: answers.windows.length, window };
  const [whole] = windows;
  if (whole === undefined) return null;
  const checked = checkedReading(read, answers);
  const endedBadly = checked.outcome?.value === 'unresolved' || checked.outcome?.value === 'abandoned';
  if (answers.stretches === undefined && windows.length === 1 && endedBadly && !explains(read, checked)) {
    return { kind: 'stretches', window: whole };
  }
  const doubtful = checked.findings.filter(({ code }) => !read.trusted.has(code));
  if (answers.secondLook !== undefined || doubtful.length === 0) return null;
  const around = windows.find(({ toTurn }) => doubtful.every(({ turn }) => turn <= toTurn)) ?? whole;
  return { kind: 'second_look', window: around, findings: doubtful };
}

/** Whether something stands on the call already that can be why it ended badly. */
function explains({ analysis }: CallToRead, { findings }: CheckedReading): boolean {
  const isEnding = (code: string) => CATALOGUE.get(code)?.ending === true;
  const facts = analysis.signals.filter(({ code, klass }) => klass !== 'behaviour' && !CATALOGUE.get(code)?.meaning);
  return [...findings, ...facts].some(({ code }) => !isEnding(code));
}

/** Takes the answer to what `nextQuestion` asks. */
export function withAnswer(answers: ReadingAnswers, question: ReadingQuestion, value: unknown): ReadingAnswers {
  switch (question.kind) {
    case 'window':
      return { ...answers, windows: [...answers.windows, value as ReaderAnswer] };
    case 'stretches':
      return { ...answers, stretches: value as NonNullable<ReadingAnswers['stretches']> };
    case 'second_look':
      return { ...answers, secondLook: verdictsOn(question.findings, value as SecondLook) };
    default:
      return question satisfies never;
  }
}

/** Goes on where a further look brought nothing usable: what it was to confirm counts as not confirmed. */
export function withoutAnswer(answers: ReadingAnswers, question: ReadingQuestion): ReadingAnswers {
  if (question.kind === 'window') return answers;
  if (question.kind === 'stretches') return { ...answers, stretches: { findings: [] } };
  return { ...answers, secondLook: question.findings.map(({ code, turn }) => ({ code, turn, holds: false })) };
}

/** By the findings themselves and not by their numbers, so that they hold whatever is trusted or found later. */
function verdictsOn(asked: CheckedReading['findings'], look: SecondLook): ReadingAnswers['secondLook'] {
  return look.findings.flatMap(({ number, holds }) => {
    const finding = asked[number - 1];
    return finding === undefined ? [] : [{ code: finding.code, turn: finding.turn, holds }];
  });
}

/** What the answers so far come to: windows joined, proofs checked, and each finding with what a second look said of it. */
export function checkedReading(read: CallToRead, answers: ReadingAnswers): CheckedReading {
  const context = proofContext(read.call, read.configuration);
  const checked = checkAnswer(context, joined(answers), read.knownOthers);
  const findings = checked.findings.map((finding) => {
    const { code, turn } = finding;
    // What a second look passes over in silence, it does not deny; what people have shown to be right needs none.
    const verdict = answers.secondLook?.find((one) => one.code === code && one.turn === turn);
    return verdict === undefined || read.trusted.has(code) ? finding : { ...finding, holds: verdict.holds };
  });
  return { ...checked, findings };
}

/** One answer of several windows: requests and findings of all, the ending of the last. */
function joined({ windows, stretches }: ReadingAnswers): ReaderAnswer {
  const last = windows.at(-1);
  const requests = windows.flatMap((one) => one.requests);
  return {
    requests: requests.filter((one, at) => requests.findIndex(({ turn }) => turn === one.turn) === at),
    checked: windows.map((one) => one.checked).join(' '),
    findings: [...windows.flatMap((one) => one.findings), ...(stretches?.findings ?? [])],
    expectations: windows.flatMap((one) => one.expectations),
    outcome: last?.outcome ?? null,
    intent: windows[0]?.intent ?? '',
  };
}
