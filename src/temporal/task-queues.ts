/** Queues by kind of work, so that each can be scaled and limited on its own. */
export const TASK_QUEUES = {
  control: 'earshot-control',
  analysis: 'earshot-analysis',
  /** Looks at platforms whose address or key somebody just gave, which may be slow or nobody's. */
  checks: 'earshot-checks',
  /** Questions to models: as many at a time as a worker has slots for. */
  models: 'earshot-models',
  /** Simulated calls: one a slot, from its first turn to its last. */
  conversations: 'earshot-conversations',
  /** Recordings, which are fetched and decoded: one at a time a worker. */
  sound: 'earshot-sound',
  /** Webhooks, whose receivers may be slow or dead. */
  deliveries: 'earshot-deliveries',
} as const;
export type TaskQueue = (typeof TASK_QUEUES)[keyof typeof TASK_QUEUES];
