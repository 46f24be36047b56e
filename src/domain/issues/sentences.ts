import type { EstablishedCause } from './cause.ts';
import type { OutcomeSums } from './facts.ts';
import type { MetricReading } from './metric.ts';

/** All sentences that the grouping writes, in one place: they are read by people and partly fixed by the contract. */

export function percent(share: number): string {
  const value = share * 100;
  return `${value >= 10 || value === 0 ? Math.round(value) : value.toFixed(1)} %`;
}

export function calls(count: number): string {
  return count === 1 ? '1 call' : `${count} calls`;
}

export function atPlace(template: string, place: string, target = place): string {
  return template.replaceAll('{place}', place).replaceAll('{target}', target);
}

/** Only what was observed: without an established cause, none is hinted at. */
export function observedOnly(title: string, label: string, affected: OutcomeSums, base: number): string {
  const share = base === 0 ? '' : ` (${percent(affected.calls / base)} of those on which it could be read)`;
  const bad = `${affected.bad} of them ended badly`;
  return `Cause not established. Observed: ${title}, at ${label}, on ${calls(affected.calls)}${share}; ${bad}.`;
}

export function causeDetail(cause: EstablishedCause): string {
  return `Its evidence is present on ${cause.calls} of ${calls(cause.of)}.`;
}

export function likelyCause(cause: EstablishedCause): string {
  return `${cause.label}. ${causeDetail(cause)}`;
}

export const OUTSIDE_NOTE =
  'The fix belongs to whoever runs the failing service; the agent can at most soften it for callers.';

export const NOT_ESTABLISHED_NOTE =
  'Cause not established: no known cause has its evidence on two thirds of the calls.';

export const NEAR_CONFIRMED = 'near a limit: with one call fewer it would not be confirmed';

export const nearCause = (established: boolean) =>
  established
    ? 'near a limit: without one of its calls the cause would not be established'
    : 'near a limit: one call more with its evidence would establish the cause';

export const WITHDRAWN_NOTE = 'Withdrawn: no analysed call shows it any more.';

export const BEHAVIOUR_NOTE = 'Caller behaviour that the agent could not have handled; never counted as a problem.';

export function tooSmallNote(own: number, fact: boolean): string {
  if (own < 3) return `Too small to be confirmed: seen on ${calls(own)}, and a pattern needs three.`;
  if (fact) return `Too small to be confirmed: seen on ${calls(own)}.`;
  return `Too small to be confirmed: seen on ${calls(own)}, which may be the usual noise of this signal.`;
}

export function mergedNote(parentTitle: string, place: string): string {
  return `Shown with "${parentTitle}" at ${place}: the same change fixes both.`;
}

export function consequenceNote(parentTitle: string, place: string): string {
  return `A consequence of "${parentTitle}" at ${place}: that comes first on most of these calls.`;
}

export function noMetricNote(reading: MetricReading | null, metric: string): string {
  if (reading === null) return `Held back: it cannot be told whether calls with this differ in ${metric}.`;
  return `Held back: affected calls do not differ for the worse in "${reading.label}" (${apart(reading)}).`;
}

export const improveNote = (change: string, reading: MetricReading): string =>
  movesNote(change, reading.label, apart(reading));

/** A change and what it moves, in one sentence. */
export const movesNote = (change: string, label: string, figures: string): string =>
  `${change.replace(/\.$/, '')}, which should move "${label}": ${figures}.`;

function apart({ affected, others, unit }: MetricReading): string {
  const say = (value: number) => (unit === 'share' ? percent(value) : `${Math.round(value)} s`);
  return `${say(affected)} on affected calls against ${say(others)} on the others`;
}
