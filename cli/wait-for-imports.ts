import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportWithFailures } from '../src/contract/import.ts';
import { counted } from '../src/domain/counted.ts';
import type { Session } from './session.ts';

export interface Sent {
  importId: string;
  /** Where each line that was sent stands in its file. */
  places: { file: string; line: number }[];
}

export interface ImportedFiles {
  agentId: string;
  importIds: string[];
  stored: number;
  unchanged: number;
  waiting: number;
  failed: number;
  /** Codes that could be computed on none of the calls, by reason. */
  notComputable: ImportWithFailures['notComputable'];
  /** What was noted as calls were read. */
  warnings: ImportWithFailures['warnings'];
  /** By kind: personal data that was left out. */
  redacted: Record<string, number>;
  /** Calls of which the model is still to say the names that are left out. */
  namesWaiting: number;
  badLines: { file: string; line: number; reason: string }[];
}

const FIRST_GAP_MS = 200;
const LONGEST_GAP_MS = 2_000;
const SAY_EVERY_MS = 5_000;

/** Waits until every import has ended, and says how far they are. */
export async function waitForImports(session: Session, agentId: string, sent: Sent[]): Promise<ImportedFiles> {
  const ended = new Map<string, ImportWithFailures>();
  let saidAt = performance.now();
  for (let gapMs = FIRST_GAP_MS; ; gapMs = Math.min(gapMs * 1.5, LONGEST_GAP_MS)) {
    for (const { importId } of sent) {
      if (ended.has(importId)) continue;
      const state = await session.client.person<ImportWithFailures>(
        'GET',
        `/app/agents/${agentId}/imports/${importId}`,
      );
      if (state.finishedAt !== null) ended.set(importId, state);
      else {
        if (performance.now() - saidAt > SAY_EVERY_MS) {
          session.print.note(describe(state));
          saidAt = performance.now();
        }
        // One import of an agent runs at a time: the later ones have nothing to tell yet.
        break;
      }
    }
    if (ended.size === sent.length) break;
    await sleep(gapMs);
  }
  return sumUp(agentId, sent, ended);
}

function describe({ listed, stored, analysed, waiting, failed, waitsFor, status }: ImportWithFailures): string {
  const figures = `${listed} read, ${stored} stored, ${analysed} analysed, ${waiting} waiting, ${failed} failed`;
  return `Import ${status}: ${figures}${waitsFor ? `; waits for ${waitsFor}` : ''}`;
}

function warningsIn(all: readonly ImportWithFailures[]): ImportWithFailures['warnings'] {
  const counts = new Map<string, number>();
  // A server of an earlier release says nothing of it.
  for (const { warnings } of all as readonly Partial<ImportWithFailures>[])
    for (const { warning, calls } of warnings ?? []) counts.set(warning, (counts.get(warning) ?? 0) + calls);
  return [...counts].map(([warning, calls]) => ({ warning, calls })).toSorted((a, b) => b.calls - a.calls);
}

/** Line by line, most frequent first. */
export function warningLines(warnings: ImportWithFailures['warnings'] = []): string[] {
  const rest = warnings.length - NOTES_TOLD;
  return [
    ...warnings.slice(0, NOTES_TOLD).map(({ warning, calls }) => `Noted on ${counted(calls, 'call')}: ${warning}`),
    ...(rest > 0 ? [`${counted(rest, 'further note')}; --json lists them`] : []),
  ];
}

const NOTES_TOLD = 5;

function redactedIn(all: readonly ImportWithFailures[]): Record<string, number> {
  const counts: Record<string, number> = {};
  // A server of an earlier release says nothing of it.
  for (const { redacted } of all as readonly Partial<ImportWithFailures>[])
    for (const [kind, count] of Object.entries(redacted ?? {})) counts[kind] = (counts[kind] ?? 0) + count;
  return counts;
}

/** "3 card, 1 phone"; null where nothing was. */
export function redactedInWords(counts: Record<string, number>): string | null {
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`);
  return parts.length === 0 ? null : `Redacted: ${parts.join(', ')}.`;
}

export const namesInWords = (waiting: number): string =>
  `Names that only the model finds are still in ${counted(waiting, 'call')} that it has not read.`;

function sumUp(agentId: string, sent: Sent[], ended: Map<string, ImportWithFailures>): ImportedFiles {
  const all = sent.flatMap((each) => ended.get(each.importId) ?? []);
  const sum = (count: (state: ImportWithFailures) => number) => all.reduce((total, state) => total + count(state), 0);
  return {
    agentId,
    importIds: sent.map(({ importId }) => importId),
    stored: sum((state) => state.stored),
    unchanged: sum((state) => state.unchanged),
    waiting: sum((state) => state.waiting),
    failed: sum((state) => state.failed),
    notComputable: gapsOf(all.filter(({ analysed }) => analysed > 0)),
    warnings: warningsIn(all),
    redacted: redactedIn(all),
    namesWaiting: all.reduce((sum, { namesWaiting }) => sum + (namesWaiting ?? 0), 0),
    badLines: sent.flatMap(({ importId, places }) =>
      (ended.get(importId)?.failures ?? []).flatMap(({ ref, reason }) => {
        const place = places[Number(/^line (\d+)$/.exec(ref)?.[1]) - 1];
        return place ? [{ ...place, reason }] : [];
      }),
    ),
  };
}

function gapsOf([first, ...others]: readonly ImportWithFailures[]): ImportedFiles['notComputable'] {
  // A server of an earlier release does not say.
  const gaps = (first as Partial<ImportWithFailures> | undefined)?.notComputable ?? [];
  return gaps.flatMap((gap) => {
    const same = others.map(({ notComputable }) => notComputable.find(({ reason }) => reason === gap.reason));
    const codes = Math.min(gap.codes, ...same.map((other) => other?.codes ?? 0));
    return codes === 0 ? [] : [{ ...gap, codes }];
  });
}

const REASONS_TOLD = 5;

/** What can't be computed on any of the calls, in lines. */
export function gapLines(gaps: ImportWithFailures['notComputable']): string[] {
  if (gaps.length === 0) return [];
  const sum = (of: ImportWithFailures['notComputable']) => of.reduce((total, { codes }) => total + codes, 0);
  const [told, rest] = [gaps.slice(0, REASONS_TOLD), gaps.slice(REASONS_TOLD)];
  const lines = told.map(({ reason, codes, remedy }) => `  ${codes}: ${reason}${remedy === null ? '' : ` ${remedy}`}`);
  if (rest.length > 0) lines.push(`  ${sum(rest)}: for ${rest.length} other reasons`);
  return [`${sum(gaps)} codes can't be computed on any of these calls:`, ...lines];
}
