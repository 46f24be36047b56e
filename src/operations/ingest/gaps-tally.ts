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
    return [...this.#tallies].map(([format, { records, gaps }]) => {
      const byReason = Map.groupBy((gaps ?? new Map<string, string>()).values(), (reason) => reason);
      const notComputable = [...byReason].map(([reason, codes]) => ({ reason, codes: codes.length }));
      return { format, records, notComputable: notComputable.toSorted((a, b) => b.codes - a.codes) };
    });
  }
}
