import type { AgentFacts, AgentVersionSums, GroupFacts, OutcomeSums } from '../../../src/domain/issues/facts.ts';
import { issueKey } from '../../../src/domain/issues/identity.ts';

/** Hand-made sums. `calls` ended well unless `bad` says otherwise; every caller spoke. */
export function sums(calls: number, bad = 0): OutcomeSums {
  return {
    calls,
    spoke: calls,
    bad,
    resolved: calls - bad,
    unresolved: bad,
    transferred: 0,
    abandoned: 0,
    noContact: 0,
    durationS: calls * 60,
    durationSquareS: calls * 3600,
  };
}

export function agentFacts(
  versions: (Partial<AgentVersionSums> & { version: number; calls: number; bad?: number })[],
  over: Partial<AgentFacts> = {},
): AgentFacts {
  const rows = versions.map(({ calls, bad, ...row }) => ({
    ...sums(calls, bad),
    firstStartedAt: '2026-03-01T00:00:00.000Z',
    lastStartedAt: '2026-03-20T00:00:00.000Z',
    ...row,
  }));
  return {
    callCount: rows.reduce((sum, row) => sum + row.calls, 0),
    graceDays: 7,
    currentVersion: Math.max(...rows.map((row) => row.version)),
    boardSource: 'detector',
    newestCallAt: '2026-03-20T00:00:00.000Z',
    waitingOnLive: false,
    profiles: [{ notComputable: new Set(), versions: rows }],
    ...over,
  };
}

type Given = Partial<Omit<GroupFacts, 'memory' | 'versions'>> & {
  code: string;
  /** Own calls by version. */
  own?: Record<number, number>;
  /** Of them, ended badly. */
  bad?: number;
  memory?: Partial<GroupFacts['memory']>;
  versions?: GroupFacts['versions'];
};

export function groupFacts({ code, own = { 1: 5 }, bad = 0, memory, ...over }: Given): GroupFacts {
  const place = over.place ?? { kind: 'tool', id: 'book', label: 'book' };
  const splitCause = over.splitCause ?? '';
  const key = issueKey({ code, place, splitCause });
  const versions = Object.entries(own).map(([version, calls], index) => ({
    version: Number(version),
    ...sums(calls, index === 0 ? bad : 0),
    ownCalls: calls,
    confidenceMilli: calls * 1000,
  }));
  return {
    issueId: key,
    key,
    source: 'detector',
    code,
    place,
    splitCause,
    versions,
    causes: [],
    thirdOn: null,
    days: null,
    heldCause: null,
    topIntent: null,
    follows: [],
    firstSeenAt: '2026-03-02T00:00:00.000Z',
    lastSeenAt: '2026-03-20T00:00:00.000Z',
    ...over,
    memory: {
      confirmed: false,
      confirmedAt: null,
      withdrawn: false,
      causeEstablished: false,
      causeCode: null,
      status: 'discovered',
      fellOnLive: false,
      mergedIntoId: null,
      fixVersion: null,
      resolvedAt: null,
      ...memory,
    },
  };
}
