import type { DetectorInput } from '../../../../src/domain/signals/detector-input.ts';

/** What a code is and is not, on three short calls, and what it says where its data is missing. */
export interface Example {
  code: string;
  /** The code fires here. */
  positive: DetectorInput;
  /** Where it fires: kind and id of the place, and the cause (null: left open), where the example is about them. */
  place?: { kind: string; id: string };
  cause?: string | null;
  /** An ordinary call. */
  negative: DetectorInput;
  /** A call that looks like it and is in order. */
  lookAlike: DetectorInput;
  /** A call on which the code has to say that it can not be computed; null for codes that always can. */
  notComputable: DetectorInput | null;
}
