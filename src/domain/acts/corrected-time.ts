import type { SpokenTurn } from '../calls/spoken-turn.ts';
import type { ActValue, Correction } from './act.ts';

/** "No, three", after "at two o'clock": a number alone is the hour of the one time that the agent had said. */
export function correctedTime(turn: SpokenTurn, numbers: readonly ActValue[], heard: SpokenTurn): Correction | null {
  const [old, ...others] = heard.values.filter((value) => value.slot === 'time' && !value.denied);
  const hours = new Set(numbers.filter((value) => !value.denied).map((value) => Number(value.forms[0])));
  const [hour] = hours;
  if (old === undefined || others.length > 0 || hour === undefined || hours.size > 1) return null;
  const forms = timesOfHour(hour);
  if (forms === null || old.forms.some((form) => forms.includes(form))) return null;
  const said = numbers.find((value) => !value.denied);
  if (said === undefined) return null;
  const now: ActValue = { ...said, kind: 'time', slot: 'time', forms };
  return { turn: turn.index, slot: 'time', old, oldBy: 'agent', oldTurn: heard.index, now, explicit: true };
}

const HOURS = 24;

/** Minutes of the day, or null where no hour is meant: up to noon both halves of it may be. */
export function timesOfHour(hour: number): string[] | null {
  if (!Number.isInteger(hour) || hour < 1 || hour > HOURS) return null;
  const hours = hour <= HOURS / 2 ? [hour % 12, (hour % 12) + 12] : [hour % HOURS];
  return hours.map((one) => String(one * 60).padStart(4, '0'));
}
