/** Calls of an agent on which the caller spoke, by version, newest first: the same for all of its issues. */
export type VersionTotals = readonly (readonly [version: number, spoke: number])[];

/** Of them the calls that show an issue; versions without any are left out. */
export type VersionCalls = readonly (readonly [version: number, calls: number])[];

export interface VersionShare {
  version: number;
  calls: number;
  total: number;
  rate: number;
}

/** Every version with analysed calls, newest first, also those on which the issue was not seen. */
export function byVersion(totals: VersionTotals, shown: VersionCalls): VersionShare[] {
  const calls = new Map(shown.map(([version, count]) => [version, count]));
  return totals.map(([version, total]) => {
    const count = calls.get(version) ?? 0;
    return { version, calls: count, total, rate: total === 0 ? 0 : count / total };
  });
}
