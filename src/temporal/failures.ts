/** Types of activity failures as the workflows read them. */
export const FAILURE_TYPES = {
  /** The platform asks to wait or does not answer: the workflow waits and tries again. Its detail is a `PlatformWait`. */
  platformWaits: 'PlatformWaits',
  /** The platform refuses for good: a person has to change something, as the message says. */
  platformRefuses: 'PlatformRefuses',
  /** The model gave no usable answer: asked again after the delay, three times in all. */
  modelWaits: 'ModelWaits',
  /** A model that something can't go on without is not there or gives nothing usable: the message says which. */
  modelAway: 'ModelAway',
  /** PostgreSQL is away: Temporal tries the activity again until it is back. */
  databaseAway: 'DatabaseAway',
  /** The workspace keeps as much of its calls as it may: the message says what helps. */
  storageFull: 'StorageFull',
  /** A fault of ours: tried a few times, then it ends what asked for it with its sentence. */
  unexpected: 'Unexpected',
} as const;

export interface PlatformWait {
  /** Milliseconds that the platform asked for, or null where it named none. */
  retryAfterMs: number | null;
  rateLimited: boolean;
  /** A sentence for people: what the platform answered. */
  message: string;
}
