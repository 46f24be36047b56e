import { isUnreached } from '../calls/answered.ts';
import type { NormalisedCall, Turn } from '../calls/call.ts';
import { WORDS_READ } from '../calls/read-turns.ts';
import { once } from '../once.ts';
import type { CallAnalysis } from '../signals/call-analysis.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import { turnsToReader } from '../signals/model-address.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { AnsweredFinding, CheckedReading, Cited, ReaderAnswer } from './answer.ts';
import { checkAnswer, FINDINGS_AT_MOST, REQUESTS_AT_MOST, VOICES_AT_MOST } from './check-answer.ts';
import { EXPECTATIONS_AT_MOST } from './expected-of-watches.ts';
import { machineSignals } from './machine-signals.ts';
import { answeredOf, withoutReading } from './merge-reading.ts';
import { type ProofContext, proofContext } from './proof-context.ts';
import { type RecordWindow, recordWindows } from './render-record.ts';

/** Everything that reading one call takes, beside the answers. */
export interface CallToRead {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  /** Who called is known by their number. */
  isCallerKnown: boolean;
  /** As the rules read it. */
  analysis: CallAnalysis;
  /** Codes outside the catalogue that the agent has by now. */
  knownOthers: readonly string[];
  /** Codes that people have shown to be right: they are not looked at a second time. */
  trusted: ReadonlySet<string>;
  /** Names are left out of what is stored of the agent's calls. */
  leavesOutNames?: boolean;
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
  /** Findings that an answer named beyond what is looked at and kept of it. */
  leftOut?: number;
}

export type ReadingQuestion =
  | {
      kind: 'window';
      nth: number;
      window: RecordWindow;
      /** Who answered is asked too: code can't tell. */
      asksWho?: true;
      /** Which names of people the record holds is asked too. */
      asksPeople?: true;
    }
  | { kind: 'stretches'; window: RecordWindow }
  | { kind: 'second_look'; window: RecordWindow; findings: CheckedReading['findings'] };

/** The record as it is shown, with what code found on it. */
export function windowsOf({ call, configuration, analysis, isCallerKnown }: CallToRead): RecordWindow[] {
  const facts = analysis.signals
    .filter(({ code, klass }) => klass !== 'behaviour' && CATALOGUE.get(code)?.meaning === false)
    .map(({ code, turnIndex, detail }) => ({ code, turnIndex, detail }));
  const { toolResults } = analysis;
  return recordWindows({ call, configuration, toolResults, facts, isCallerKnown, withheld: turnsToReader(call) });
}

/** How far the reading of a call is. */
export interface ReadingStep {
  /** What is to be asked next; null once the call is read. */
  question: ReadingQuestion | null;
  /** What the answers come to so far; null while a part of the record was not read at all. */
  checked: CheckedReading | null;
}

/** Says of any answers about one call how far they bring its reading; what does not hang on them is laid out once. */
export function readingSteps(read: CallToRead): (answers: ReadingAnswers) => ReadingStep {
  const windows = windowsOf(read);
  const context = once(() => proofContext(read.call, read.configuration));
  return (answers) => {
    const window = windows[answers.windows.length];
    const [whole] = windows;
    if (window !== undefined || whole === undefined) {
      const nth = answers.windows.length;
      const asksWho = nth === 0 && isWhoOpen(read);
      const asksPeople = read.leavesOutNames === true;
      const asks = { ...(asksWho && { asksWho }), ...(asksPeople && { asksPeople }) };
      const question = window && ({ kind: 'window', nth, window, ...asks } as const);
      return { question: question ?? null, checked: null };
    }
    const checked = checkedReading(read, context(), answers);
    return { question: furtherQuestion(read, { windows, whole }, answers, checked), checked };
  };
}

/** Without lists whoever speaks is taken for a person, and a voice of neither side is nobody's. */
function isWhoOpen({ call, analysis: { answeredBy, notComputable } }: CallToRead): boolean {
  if (answeredBy === undefined) return false;
  const { by, basis } = answeredBy;
  if (by === 'person') return basis === 'rules' && notComputable.some(({ reason }) => reason.includes(WORDS_READ));
  const isOther = ({ role, text }: Turn) => role === 'other' && text !== '';
  return (by === 'unknown' || by === 'nobody') && call.turns.some(isOther);
}

/** @returns what is asked once the whole record was read. */
function furtherQuestion(
  read: CallToRead,
  { windows, whole }: { windows: readonly RecordWindow[]; whole: RecordWindow },
  answers: ReadingAnswers,
  checked: CheckedReading,
): ReadingQuestion | null {
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

const PEOPLE_AT_MOST = 200;

/** Takes the answer to a question. */
export function withAnswer(answers: ReadingAnswers, question: ReadingQuestion, value: unknown): ReadingAnswers {
  switch (question.kind) {
    case 'window': {
      const answer = value as ReaderAnswer;
      const requests = answer.requests.slice(0, REQUESTS_AT_MOST);
      const expectations = answer.expectations.slice(0, EXPECTATIONS_AT_MOST);
      const { answeredBy: voices, people: named, ...rest } = answer;
      const answeredBy = voices?.slice(0, VOICES_AT_MOST);
      const people = named?.slice(0, PEOPLE_AT_MOST);
      const also = { ...(answeredBy && { answeredBy }), ...(people && { people }) };
      const bound = { ...rest, ...bounded(answer), requests, expectations, ...also };
      return { ...answers, ...andLeftOut(answers, answer), windows: [...answers.windows, bound] };
    }
    case 'stretches': {
      const stretches = value as NonNullable<ReadingAnswers['stretches']>;
      return { ...answers, ...andLeftOut(answers, stretches), stretches: bounded(stretches) };
    }
    case 'second_look':
      return { ...answers, secondLook: verdictsOn(question.findings, value as SecondLook) };
    default:
      return question satisfies never;
  }
}

interface Findings {
  findings: AnsweredFinding[];
}

/** What is kept of an answer, whatever it holds. */
const bounded = ({ findings }: Findings): Findings => ({ findings: findings.slice(0, FINDINGS_AT_MOST) });

function andLeftOut(answers: ReadingAnswers, { findings }: Findings): Pick<ReadingAnswers, 'leftOut'> {
  const more = (answers.leftOut ?? 0) + Math.max(0, findings.length - FINDINGS_AT_MOST);
  return more === 0 ? {} : { leftOut: more };
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
function checkedReading(read: CallToRead, context: ProofContext, answers: ReadingAnswers): CheckedReading {
  const checked = checkAnswer(context, joined(answers), read.knownOthers);
  const findings = checked.findings.map((finding) => {
    const { code, turn } = finding;
    // What a second look passes over in silence, it does not deny; what people have shown to be right needs none.
    const verdict = answers.secondLook?.find((one) => one.code === code && one.turn === turn);
    return verdict === undefined || read.trusted.has(code) ? finding : { ...finding, holds: verdict.holds };
  });
  const beyond = (checked.leftOut ?? 0) + (answers.leftOut ?? 0);
  const answered = answeredOf(withoutReading(read.analysis), checked);
  const ofMachine = answered !== null && isUnreached(answered) ? machineSignals(read, answered) : [];
  return {
    ...checked,
    findings,
    ...(beyond > 0 && { leftOut: beyond }),
    ...(ofMachine.length > 0 && { ofMachine }),
  };
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
    ...(windows[0]?.answeredBy && { answeredBy: windows[0].answeredBy }),
  };
}
