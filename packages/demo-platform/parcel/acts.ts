import { anythingElse, bye, noThatIsAll } from '../common-phrases.ts';
import { isoDay, sayDay, WEEKDAYS, workDay } from '../people.ts';
import type { EndFacts, Patterns, Script } from '../script.ts';
import * as say from './phrases.ts';

/** Pieces of a talk with the parcel helpline that go as they should. */

export function prepare(call: Script): void {
  const { random, slots, startMs } = call;
  const day = workDay(startMs, random.whole(1, 5));
  const old = workDay(startMs, 1);
  const digits = String(random.whole(10_000_000, 99_999_999));
  Object.assign(slots, {
    goods: random.pick(say.GOODS),
    city: random.pick(say.CITIES),
    shop: random.pick(say.SHOPS),
    day: sayDay(day),
    isoDay: isoDay(day),
    weekday: WEEKDAYS[day.getUTCDay()] ?? 'Monday',
    oldWeekday: WEEKDAYS[old.getUTCDay()] ?? 'Tuesday',
    tracking: `SL${digits}`,
    spokenNumber: sayNumber(digits, random.whole(0, 2)),
    claimId: `CL-${random.whole(10_000, 99_999)}`,
  });
}

function sayNumber(digits: string, manner: number): string {
  if (manner === 0) return `S L ${digits.split('').join(' ')}`;
  if (manner === 1) return `SL ${digits.slice(0, 4)} ${digits.slice(4)}`;
  return `S L, ${digits.slice(0, 2)} ${digits.slice(2, 4)} ${digits.slice(4, 6)} ${digits.slice(6)}`;
}

export function open(call: Script, wish: Patterns): void {
  call.agent(say.greeting, { gap: 0 });
  call.caller(wish);
}

export function takeNumber(call: Script): void {
  call.agent(say.askNumber);
  call.caller(say.giveNumber);
}

export const trackArgs = (call: Script) => ({ tracking_number: call.slots.tracking ?? '' });

export function track(call: Script): void {
  call.agent(say.looking);
  call.tool('track_parcel', trackArgs(call), trackResult(call));
}

const trackResult = (call: Script) => ({
  tracking_number: call.slots.tracking ?? '',
  state: 'in_transit',
  location: call.slots.city ?? '',
  delivery_date: call.slots.isoDay ?? '',
});

export function close(call: Script, facts: EndFacts): void {
  call.agent(anythingElse);
  call.caller(noThatIsAll);
  call.agent(say.goodbye);
  if (call.random.chance(0.5)) call.caller(bye);
  call.end(call.random.chance(0.5) ? 'agent_hangup' : 'user_hangup', facts);
}
