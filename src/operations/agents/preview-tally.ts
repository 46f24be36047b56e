import type { ThresholdPreview } from '../../contract/threshold-preview.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { compareReadings } from '../../domain/signals/compare-readings.ts';
import type { Signal } from '../../domain/signals/signal.ts';
import type { SignalLabel } from '../../domain/vocabulary.ts';

type Row = ThresholdPreview['signals'][number];
type Change = Row['added'];

const EXAMPLES_AT_MOST = 5;

export interface PreviewTally {
  add(callId: string, before: readonly Signal[], after: readonly Signal[]): void;
  calls(): number;
  signals(): ThresholdPreview['signals'];
}

export function labelName(callId: string, code: string, turnIndex: number): string {
  return `${callId} ${turnIndex} ${code}`;
}

/** Counts what two readings of each call differ in, for some codes. @param labels what people said, by `labelName`. */
export function createPreviewTally(codes: readonly string[], labels: ReadonlyMap<string, SignalLabel>): PreviewTally {
  const rows = new Map(codes.toSorted().map((code) => [code, emptyRow(code)]));
  let calls = 0;
  const count = (labelled: { right: number; wrong: number }, callId: string, { code, turnIndex }: Signal) => {
    const label = labels.get(labelName(callId, code, turnIndex));
    if (label) labelled[label] += 1;
  };
  const note = (change: Change, callId: string, signals: readonly Signal[]) => {
    const [first] = signals;
    if (!first) return;
    change.calls += 1;
    change.signals += signals.length;
    for (const signal of signals) count(change.labels, callId, signal);
    if (change.examples.length < EXAMPLES_AT_MOST) {
      const { turnIndex, quote, detail } = first;
      change.examples.push({ callId, turnIndex, quote, detail });
    }
  };
  return {
    add(callId, before, after) {
      calls += 1;
      for (const [code, row] of rows) {
        const of = (signals: readonly Signal[]) => signals.filter((signal) => signal.code === code);
        const { added, withdrawn, kept } = compareReadings(of(before), of(after));
        note(row.added, callId, added);
        note(row.withdrawn, callId, withdrawn);
        for (const signal of kept) count(row.kept.labels, callId, signal);
        row.kept.signals += kept.length;
        row.before.signals += withdrawn.length + kept.length;
        row.after.signals += added.length + kept.length;
        if (withdrawn.length + kept.length > 0) row.before.calls += 1;
        if (added.length + kept.length > 0) row.after.calls += 1;
      }
    },
    calls: () => calls,
    signals: () => [...rows.values()],
  };
}

function emptyRow(code: string): Row {
  const none = () => ({ right: 0, wrong: 0 });
  return {
    code,
    title: CATALOGUE.get(code)?.title ?? code,
    before: { signals: 0, calls: 0 },
    after: { signals: 0, calls: 0 },
    added: { signals: 0, calls: 0, labels: none(), examples: [] },
    withdrawn: { signals: 0, calls: 0, labels: none(), examples: [] },
    kept: { signals: 0, labels: none() },
  };
}
