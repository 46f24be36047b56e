import type { UnderstoodCall } from '../../analyser/read-records.ts';
import type { RecordsPreview } from '../../contract/records-preview.ts';

interface Tally {
  records: number;
  /** Codes that could be computed on no call so far, with the reason; null before the first one was looked at. */
  gaps: Map<string, string> | null;
}

/** What records were recognized as, and which codes can be computed on none of them. */
export class GapsTally {
  readonly #tallies = new Map<string, Tally>();

  add({ format, gaps }: Pick<UnderstoodCall, 'format' | 'gaps'>): void {
    const tally = this.#tallies.get(format) ?? { records: 0, gaps: null };
    this.#tallies.set(format, tally);
    tally.records += 1;
    if (gaps === null) return;
    const found = new Map(gaps.map(({ code, reason }) => [code, reason]));
    tally.gaps = new Map([...(tally.gaps ?? found)].filter(([code]) => found.has(code)));
  }

  formats(): RecordsPreview['formats'] {
    return [...this.#tallies].map(([format, { records, gaps }]) => ({
      format,
      records,
      notComputable: byReason(gaps ?? new Map()),
    }));
  }
}

/** Codes that are in each of these sets, counted by their reason, the most first. */
export function gapsOfAll(sets: readonly (readonly { code: string; reason: string }[])[]) {
  const tally = new GapsTally();
  for (const gaps of sets) tally.add({ format: '', gaps: [...gaps] });
  return tally.formats()[0]?.notComputable ?? [];
}

/** @param gaps reasons by code */
const byReason = (gaps: ReadonlyMap<string, string>) =>
  [...Map.groupBy(gaps.values(), (reason) => reason)]
    .map(([reason, codes]) => ({ reason, codes: codes.length }))
    .toSorted((a, b) => b.codes - a.codes);
