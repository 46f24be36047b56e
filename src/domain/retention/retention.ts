/** How many days something is kept, counted from the day on which it came in; null: for ever. */
export type Days = number | null;

export interface Retention {
  /** What a platform or a file sent, as it came. */
  payloadDays: Days;
  /** Every word of a call. What was counted from it stays. */
  transcriptDays: Days;
  /** The call with all that was derived of it. */
  callDays: Days;
}

/** What somebody set apart; the rest is as above it. */
export type RetentionSet = Partial<Retention>;

export const RETENTION_NAMES = ['payloadDays', 'transcriptDays', 'callDays'] as const;

/** What holds where nobody has set anything. */
const USUAL_RETENTION: Retention = { payloadDays: 30, transcriptDays: 365, callDays: null };

/** What an agent that sets nothing has: the word that takes a setting of its own back. */
export const AS_WORKSPACE = 'workspace';

export type RetentionChange = { [Name in keyof Retention]?: Days | typeof AS_WORKSPACE | undefined };

/** From the widest to the nearest: an agent's own comes last. */
export function retentionInForce(...sets: readonly RetentionSet[]): Retention {
  return sets.reduce<Retention>((wider, set) => ({ ...wider, ...set }), USUAL_RETENTION);
}

export function changeRetention(set: RetentionSet, change: RetentionChange): RetentionSet {
  const changed: RetentionSet = { ...set };
  for (const name of RETENTION_NAMES) {
    const days = change[name];
    if (days === AS_WORKSPACE) delete changed[name];
    else if (days !== undefined) changed[name] = days;
  }
  return changed;
}

/** A payload holds the words of its call, so it is not kept for longer than they are. */
export function payloadDaysOf({ payloadDays, transcriptDays }: Retention): Days {
  const bounds = [payloadDays, transcriptDays].filter((days) => days !== null);
  return bounds.length === 0 ? null : Math.min(...bounds);
}
