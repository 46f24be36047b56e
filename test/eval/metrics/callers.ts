import { countCallers } from '../callers.ts';
import { share } from '../figures.ts';
import { linesOf, type Metric } from '../line.ts';

/** M13: repeat callers. The label is given as the caller's number, as the page of the sets allows. */
export const callerLines: Metric = (set, calls) => {
  const counted = countCallers(
    calls.map((call) => ({
      id: call.id,
      callerKey: String(call.labels['callerId']),
      startedAt: call.call.startedAt,
      providerCallId: call.id,
    })),
  );
  const exact = (field: 'of' | 'nth', label: string) => {
    const labelled = calls.filter((call) => typeof call.labels[label] === 'number');
    const right = labelled.filter((call) => counted.get(call.id)?.[field] === call.labels[label]);
    return labelled.length === 0 ? Number.NaN : share(right.length, labelled.length);
  };
  const { plain } = linesOf('M13 callers', set);
  return [plain('of exact', exact('of', 'callerOf'), { floor: 1 }), plain('nth exact', exact('nth', 'callerNth'))];
};
