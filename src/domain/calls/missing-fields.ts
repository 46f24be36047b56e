import type { NormalisedCall } from './call.ts';

export interface MissingField {
  field: string;
  /** Records that lack it. */
  records: number;
  /** What cannot be seen without it. */
  costs: string;
}

interface Look {
  field: string;
  costs: string;
  isMissing(call: NormalisedCall): boolean;
}

/** What a record may lack, and what that costs; the most expensive first. */
const LOOKS: readonly Look[] = [
  {
    field: 'startMs and endMs of turns',
    costs: 'silences, slow answers, interruptions and slow tools cannot be seen',
    isMissing: ({ timing }) => timing !== 'exact',
  },
  {
    field: 'text of turns',
    costs: 'what was said there is not known, and codes that need it are not computed',
    isMissing: ({ turns }) => turns.some(({ wordsMissing }) => wordsMissing === true),
  },
  {
    field: "a side's turns",
    costs: 'whether that side spoke is not known, so the outcome and most codes are not computed',
    isMissing: ({ notRecorded }) => notRecorded !== undefined && notRecorded.length > 0,
  },
  {
    field: 'toolCall and toolResult',
    costs: 'failed tools cannot be seen, and actions that the agent claims cannot be verified',
    isMissing: ({ turns }) => turns.every(({ toolCall, toolResult }) => toolCall === null && toolResult === null),
  },
  {
    field: 'startedAt',
    costs: 'the call is in no figure over time',
    isMissing: ({ startedAt }) => startedAt === null,
  },
  {
    field: 'disconnectionReason or endedBy',
    costs: 'who ended the call is unknown',
    isMissing: ({ ending }) => ending.endedBy === 'unknown',
  },
  {
    field: 'callerNumber',
    costs: 'repeat callers cannot be told from new ones',
    isMissing: ({ callerNumber }) => callerNumber === null,
  },
];

/** Tallies what records lack, one at a time. */
export function tallyMissing() {
  const missing = new Map<string, number>();
  return {
    add(call: NormalisedCall): void {
      for (const { field, isMissing } of LOOKS) {
        if (isMissing(call)) missing.set(field, (missing.get(field) ?? 0) + 1);
      }
    },
    fields: (): MissingField[] =>
      LOOKS.flatMap(({ field, costs }) => {
        const records = missing.get(field) ?? 0;
        return records === 0 ? [] : [{ field, records, costs }];
      }),
  };
}
