/** Queues by kind of work, so that each can be scaled and limited on its own. */
export const TASK_QUEUES = {
  control: 'earshot-control',
  analysis: 'earshot-analysis',
} as const;
export type TaskQueue = (typeof TASK_QUEUES)[keyof typeof TASK_QUEUES];
