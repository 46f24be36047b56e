import type { NormalisedCall } from '../calls/call.ts';
import type { NameRedactor } from '../personal/redact.ts';
import type { AnsweredFinding, CheckedReading, Cited, ReaderAnswer } from './answer.ts';
import type { ReadVerdict } from './expected-of-watches.ts';
import { saidIn, toolTextOf } from './proof-context.ts';
import type { StoredReading } from './stored-reading.ts';

/** A reading as it would quote the call without its names. Lines of the agent's own text stay as they are. */
export function readingWithoutNames(
  { answers, checked, verdicts, ...reading }: StoredReading,
  call: NormalisedCall,
  { quote: quoteOf, sentence, label, text }: NameRedactor,
): StoredReading {
  const turns = new Map(call.turns.map((turn) => [turn.index, [saidIn(turn), ...toolTextOf(turn)]]));
  const quoted = (turn: number | null, quote: string): string => {
    const near = turn === null ? [] : [turn, turn - 1, turn + 1].flatMap((at) => turns.get(at) ?? []);
    const whole = near.find((one) => one.includes(quote));
    return whole === undefined ? text(quote) : quoteOf(quote, whole);
  };
  const cited = <One extends Cited>(one: One): One => ({ ...one, quote: quoted(one.turn, one.quote) });
  const finding = <One extends AnsweredFinding>(one: One): One => ({
    ...cited(one),
    because: sentence(one.because),
    proof: one.proof.map((proof) =>
      proof.in === 'prompt' ? proof : { ...proof, quote: quoted(proof.index, proof.quote) },
    ),
  });
  const reasoned = <One extends Cited & { because: string }>(one: One): One => ({
    ...cited(one),
    because: sentence(one.because),
  });
  const shared = <Read extends Omit<ReaderAnswer, 'intent' | 'findings' | 'people'>>(read: Read): Read => ({
    ...read,
    requests: read.requests.map((one) => ({ ...cited(one), sentence: sentence(one.sentence) })),
    checked: sentence(read.checked),
    expectations: read.expectations.map(reasoned),
    outcome: read.outcome && reasoned(read.outcome),
    ...(read.answeredBy && { answeredBy: read.answeredBy.map(cited) }),
  });
  const whole = (read: CheckedReading): CheckedReading => ({
    ...shared(read),
    findings: read.findings.map(finding),
    intent: read.intent === null ? null : label(read.intent),
    ...(read.ofMachine && {
      ofMachine: read.ofMachine.map((one) => ({ ...one, quote: quoted(one.turnIndex, one.quote) })),
    }),
  });
  const { windows, stretches, ...others } = answers;
  return {
    ...reading,
    leftOutNames: true,
    answers: {
      ...others,
      windows: windows.map((answer) => ({
        ...shared(answer),
        findings: answer.findings.map(finding),
        intent: label(answer.intent),
        people: [],
      })),
      ...(stretches && { stretches: { ...stretches, findings: stretches.findings.map(finding) } }),
    },
    ...(verdicts && { verdicts: verdicts.map((one): ReadVerdict => withoutIn(one, quoted, sentence)) }),
    checked: checked && whole(checked),
  };
}

const withoutIn = (
  verdict: ReadVerdict,
  quoted: (turn: number | null, quote: string) => string,
  sentence: (text: string) => string,
): ReadVerdict => ({
  ...verdict,
  quote: quoted(verdict.turn, verdict.quote),
  because: sentence(verdict.because),
});
