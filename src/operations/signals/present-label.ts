import type { z } from 'zod';
import type { precision, SignalLabelResource } from '../../contract/signal-label.ts';
import type { LabelCount, LabelView } from '../../db/labels/signal-labels.ts';
import { wilson } from '../../domain/statistics.ts';

export function presentLabel(label: LabelView): SignalLabelResource {
  const { callId, code, turnIndex, note, personId, detected, createdAt, updatedAt } = label;
  return {
    object: 'signal_label',
    callId,
    code,
    turnIndex,
    label: label.label,
    note,
    personId,
    detected,
    createdAt,
    updatedAt,
  };
}

/** Null where nobody labelled anything: no knowledge is not a precision of zero. */
export function presentPrecision(count: LabelCount | undefined): z.infer<typeof precision> | null {
  const labelled = count ? count.right + count.wrong : 0;
  if (!count || labelled === 0) return null;
  const { lower, upper } = wilson({ k: count.right, n: labelled });
  return { value: count.right / labelled, lower, upper, right: count.right, wrong: count.wrong };
}
