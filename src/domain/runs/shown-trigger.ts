import type { RunTrigger } from '../vocabulary.ts';

/** Who makes what nobody asked for. */
export const EARSHOT = 'earshot';

/** Nobody started the first run of a demo: it is told as automatic, though it draws nothing of the plan as those do. */
export const shownTrigger = ({ createdBy, trigger }: { createdBy: string; trigger: RunTrigger }): RunTrigger =>
  createdBy === EARSHOT && trigger === 'manual' ? 'auto' : trigger;
