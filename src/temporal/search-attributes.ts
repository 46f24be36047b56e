/** Search attributes by which operators find workflows. `temporal-dev.yaml` names the same ones; `npm run check` compares. */
export const SEARCH_ATTRIBUTES = {
  EarshotAgent: 'Keyword',
  EarshotKind: 'Keyword',
  EarshotStage: 'Keyword',
  EarshotImport: 'Keyword',
  EarshotRun: 'Keyword',
} as const;
export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;

export const WORKFLOW_KINDS = [
  'coordinator',
  'poller',
  'import',
  'grace',
  'alarms',
  'reader',
  'reanalysis',
  'backfill',
  'backtest',
  'connect',
  'publish',
  'copy',
  'run',
  'cells',
  'rescore',
  'delivery',
  'spans',
  'erasure',
  'retention',
] as const;
export type WorkflowKind = (typeof WORKFLOW_KINDS)[number];

/** One attribute with its value, in the typed pair form that the SDK takes at start and in upserts. */
export interface SearchAttributePair {
  key: { name: SearchAttributeName; type: 'KEYWORD' };
  value: string;
}

export const attribute = (name: SearchAttributeName, value: string): SearchAttributePair => ({
  key: { name, type: 'KEYWORD' },
  value,
});

export const coordinatorAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'coordinator' satisfies WorkflowKind),
  attribute('EarshotStage', 'idle'),
];

export const pollerAttributes = (): SearchAttributePair[] => [
  attribute('EarshotKind', 'poller' satisfies WorkflowKind),
  attribute('EarshotStage', 'idle'),
];

export const graceAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'grace' satisfies WorkflowKind),
  attribute('EarshotStage', 'idle'),
];

export const alarmAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'alarms' satisfies WorkflowKind),
  attribute('EarshotStage', 'waiting'),
];

export const settleAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'spans' satisfies WorkflowKind),
  attribute('EarshotStage', 'waiting'),
];

export const importAttributes = (agentId: string, importId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'import' satisfies WorkflowKind),
  attribute('EarshotStage', 'listing'),
  attribute('EarshotImport', importId),
];

export const readerAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'reader' satisfies WorkflowKind),
  attribute('EarshotStage', 'reading'),
];

export const reanalysisAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'reanalysis' satisfies WorkflowKind),
  attribute('EarshotStage', 'reading'),
];

export const backfillAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'backfill' satisfies WorkflowKind),
  attribute('EarshotStage', 'computing'),
];

export const backtestAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'backtest' satisfies WorkflowKind),
  attribute('EarshotStage', 'judging'),
];

export const erasureAttributes = (agentId: string | null): SearchAttributePair[] => [
  ...(agentId === null ? [] : [attribute('EarshotAgent', agentId)]),
  attribute('EarshotKind', 'erasure' satisfies WorkflowKind),
  attribute('EarshotStage', 'erasing'),
];

export const retentionAttributes = (): SearchAttributePair[] => [
  attribute('EarshotKind', 'retention' satisfies WorkflowKind),
  attribute('EarshotStage', 'removing'),
];

export const connectAttributes = (agentId: string | null): SearchAttributePair[] => [
  ...(agentId === null ? [] : [attribute('EarshotAgent', agentId)]),
  attribute('EarshotKind', 'connect' satisfies WorkflowKind),
  attribute('EarshotStage', 'reading'),
];

export const publishAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'publish' satisfies WorkflowKind),
  attribute('EarshotStage', 'confirming'),
];

export const copyAttributes = (agentId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'copy' satisfies WorkflowKind),
  attribute('EarshotStage', 'removing'),
];

export const deliveryAttributes = (agentId: string | null): SearchAttributePair[] => [
  ...(agentId === null ? [] : [attribute('EarshotAgent', agentId)]),
  attribute('EarshotKind', 'delivery' satisfies WorkflowKind),
  attribute('EarshotStage', 'sending'),
];

export const runAttributes = (agentId: string, runId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'run' satisfies WorkflowKind),
  attribute('EarshotStage', 'reserving'),
  attribute('EarshotRun', runId),
];

export const cellsAttributes = (agentId: string, runId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'cells' satisfies WorkflowKind),
  attribute('EarshotStage', 'playing'),
  attribute('EarshotRun', runId),
];

export const rescoreAttributes = (agentId: string, runId: string): SearchAttributePair[] => [
  attribute('EarshotAgent', agentId),
  attribute('EarshotKind', 'rescore' satisfies WorkflowKind),
  attribute('EarshotStage', 'scoring'),
  attribute('EarshotRun', runId),
];
