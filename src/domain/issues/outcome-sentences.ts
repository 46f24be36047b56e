import type { Candidate, StepTable } from './nominate-causes.ts';
import { CALLS_A_SIDE } from './nominate-causes.ts';
import type { Named } from './outcome-cause.ts';
import { atPlace, calls, movesNote, percent } from './sentences.ts';

/** The sentences of outcome issues, in one place. */

export function countTitle(place: string): string {
  return `Calls that end badly at ${place}`;
}

export function outcomeTitle({ entry }: Named, place: string): string {
  return `Calls end badly at ${place} after: ${entry.title}`;
}

export function countNote({ calls: reached, bad }: StepTable, tested: number): string {
  const counted = `Count only: ${calls(bad)} of ${reached} that reached this step ended badly here`;
  if (bad < CALLS_A_SIDE || reached - bad < CALLS_A_SIDE) {
    return `${counted}; at least ${CALLS_A_SIDE} that did and ${CALLS_A_SIDE} that did not are needed to look for a reason.`;
  }
  if (tested === 0) return `${counted}; nothing was noticed on them before the end.`;
  return `${counted}; nothing that was noticed before the end is clearly more common among them.`;
}

/** How much more often, in words: the figures that a reader checks the claim by. */
function liftText({ with: shown, without: others, lift, from }: Candidate): string {
  const share = ({ k, n }: { k: number; n: number }) => percent(n === 0 ? 0 : k / n);
  const whence = from === null ? `of the other ${others.n}` : `of the other ${others.n} that reached ${from.label}`;
  return `${share(shown)} of ${calls(shown.n)} with it ended badly here, against ${share(others)} ${whence}: ${times(lift.value)} as often (${times(lift.lower)} to ${times(lift.upper)})`;
}

export function outcomeCauseText({ candidate, cause }: Named): string {
  if (cause === null) return '';
  return `${cause.label}. Its evidence is present on ${cause.calls} of ${calls(cause.of)} that show it and ended badly here. ${liftText(candidate)}.`;
}

export function outcomeObserved({ candidate, entry }: Named): string {
  return `Cause not established. Observed: "${entry.title}" comes before the end: ${liftText(candidate)}.`;
}

export function outcomeRecommendation({ entry, cause }: Named, label: string): string {
  return atPlace(cause?.row?.recommendation ?? entry.check, label);
}

export function outcomeImproveNote(named: Named, label: string): string {
  return movesNote(outcomeRecommendation(named, label), 'ended badly', liftText(named.candidate));
}

export function sameChangeNote(title: string): string {
  return `Shown with "${title}": the same change fixes both.`;
}

function times(value: number): string {
  return value >= 1000 ? 'over 1000 times' : `${value >= 10 ? Math.round(value) : value.toFixed(1)} times`;
}
