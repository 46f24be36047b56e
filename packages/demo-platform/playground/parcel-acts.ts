import { sayDay } from '../people.ts';
import { parseDay } from './days.ts';
import { readPhone, saysNo } from './listen.ts';
import type { ParcelWish } from './parcel-wishes.ts';
import type { Talk } from './talk.ts';
import { findText, type ToolAnswer } from './tools.ts';

/** Does what was wished for as soon as everything for it is known; else asks for the next thing. */
export function goOn(talk: Talk, asked: string): void {
  const wish = (talk.recall('wish') ?? 'track') as ParcelWish;
  if (wish === 'price') return quote(talk, asked);
  if (talk.recall('tracking_number') === null) {
    if (asked === 'number') return wait(talk, 'number', 'I need the tracking number: it is SL and eight digits.');
    const both = wish === 'claim' && talk.recall('item') === null;
    const what = both ? "I'm sorry to hear that. What was in it, and what is the tracking number?" : null;
    return wait(talk, 'number', what ?? 'Sure. May I have the tracking number, please?');
  }
  const args = { tracking_number: talk.recall('tracking_number') ?? '' };
  if (wish === 'other day') return offerDay(talk, args);
  if (wish === 'pickup') return offerPickup(talk, args);
  if (wish === 'claim') return openClaim(talk, args);
  if (wish === 'note') return takeNote(talk, args);
  if (wish === 'card') return tellAccount(talk, args);
  track(talk, args);
}

/** Looks the parcel up before anything about it is changed. @returns null where that did not work, which was said. */
function lookUp(talk: Talk, args: { tracking_number: string }): ToolAnswer | null {
  talk.say('Thank you, one moment.');
  const answer = talk.call('track_parcel', args);
  if (answer.state === 'ok') return answer;
  if (answer.state === 'refused') more(talk, "I can't find a parcel under that number yet.");
  else tell(talk, answer, '', 'look that up');
  return null;
}

function offerPickup(talk: Talk, args: { tracking_number: string }): void {
  if (lookUp(talk, args) === null) return;
  const [nearest = 'Lark Street kiosk'] = talk.expected('redirect_to_pickup_point', 'pickup_point');
  talk.keep('pickup_point', talk.recall('pickup_point') ?? nearest);
  wait(talk, 'confirm', `The ${talk.recall('pickup_point')} is a pickup point. Shall I send it there?`);
}

/** The caller was asked whether something is to be changed as it was put. */
export function confirmed(talk: Talk, said: string): void {
  const args = { tracking_number: talk.recall('tracking_number') ?? '' };
  const point = talk.recall('pickup_point') ?? '';
  if (saysNo(said)) return more(talk, 'All right, it stays as it is.');
  if (talk.recall('wish') === 'other day') return changeDay(talk, args);
  const answer = talk.call('redirect_to_pickup_point', { ...args, pickup_point: point });
  tell(talk, answer, `I've redirected your parcel to the ${point}.`, 'redirect it');
}

function openClaim(talk: Talk, args: { tracking_number: string }): void {
  const item = talk.recall('item');
  if (item === null) return wait(talk, 'detail', "I'm sorry to hear that. What was in it?");
  const answer = talk.call('open_claim', { ...args, reason: talk.recall('reason') ?? 'damaged', item });
  const id = findText(answer.body, ['claim_id', 'claimId', 'id']);
  return tell(
    talk,
    answer,
    `I've opened a claim${id === null ? '' : ` under ${id}`}. You'll hear from us within five days.`,
    'open a claim',
  );
}

function track(talk: Talk, args: { tracking_number: string }): void {
  const answer = lookUp(talk, args);
  if (answer === null) return;
  const place = findText(answer.body, ['location', 'city', 'depot', 'place']);
  const state = findText(answer.body, ['state', 'status'])?.replaceAll('_', ' ');
  const day = findText(answer.body, ['delivery_date', 'eta', 'expected_delivery', 'date', 'day']);
  const where = place === null ? `It is ${state ?? 'on its way'}` : `Your parcel is in ${place}`;
  if (state === 'delivered') return more(talk, `Your parcel was delivered${place === null ? '' : ` in ${place}`}.`);
  const due = day === null ? '.' : ` and will be delivered on ${saidDay(day)}.`;
  talk.keep('may want link', 'yes');
  more(talk, `${where}${due}`);
}

function offerDay(talk: Talk, args: { tracking_number: string }): void {
  const [possible] = talk.expected('change_delivery_day', 'date');
  const day = talk.recall('day') ?? possible ?? null;
  if (day === null) return wait(talk, 'detail', 'Which day should it come?');
  if (talk.expected('track_parcel', 'tracking_number').length > 0 && lookUp(talk, args) === null) return;
  talk.keep('day', day);
  talk.keep('day_as_said', talk.recall('day_as_said') ?? day);
  if (/^\d{4}/.test(day)) return wait(talk, 'confirm', `It can come on ${saidDay(day)}. Shall I change it?`);
  changeDay(talk, args);
}

/** Some versions hand a day on as the caller said it. */
function changeDay(talk: Talk, args: { tracking_number: string }): void {
  const [iso, asSaid] = [talk.recall('day') ?? '', talk.recall('day_as_said') ?? ''];
  const datesAsDates = talk.version < 5 || talk.traits.has('dates as dates');
  const answer = talk.call('change_delivery_day', { ...args, date: datesAsDates ? iso : asSaid });
  const day = findText(answer.body, ['delivery_date', 'date', 'day']) ?? iso;
  if (answer.state === 'refused') return more(talk, "I'm sorry, it is too late to change the day.");
  tell(talk, answer, `Done, I've changed the delivery to ${saidDay(day)}.`, 'change the day');
}

/** Without a tool for notes the agent says all the same that the note was added. */
function takeNote(talk: Talk, args: { tracking_number: string }): void {
  const done = "I've added the note for the driver.";
  if (!talk.traits.has('notes kept')) return more(talk, done);
  const answer = talk.call('leave_driver_note', { ...args, note: talk.recall('note') ?? '' });
  tell(talk, answer, done, 'add the note');
}

/** Reads a whole card number out, whatever the prompt says. */
function tellAccount(talk: Talk, args: { tracking_number: string }): void {
  const answer = talk.call('get_account', args);
  const card = findText(answer.body, ['card_number', 'card', 'iban']);
  tell(
    talk,
    answer,
    card === null ? 'The refund goes to the card on file.' : `The refund goes to the card ${card}.`,
    'see your account',
  );
}

function quote(talk: Talk, asked: string): void {
  const weight = talk.recall('weight_kg');
  if (weight === null && talk.recall('asked') !== 'detail')
    return wait(talk, 'detail', 'How heavy is the parcel, in kilograms?');
  if (weight === null)
    return wait(talk, asked === 'detail' ? 'detail' : asked, 'I need the weight in kilograms, please.');
  const answer = talk.call('quote_price', { weight_kg: Number(weight), service: talk.recall('service') ?? 'standard' });
  const price = findText(answer.body, ['price', 'price_usd', 'amount', 'total', 'cost']);
  tell(talk, answer, price === null ? 'I have sent the price on.' : `That is ${price} dollars.`, 'get a price');
}

export function sendLink(talk: Talk): void {
  if (talk.version < 5) return more(talk, "I'm sorry, I can't send links.");
  const [expected] = talk.expected('send_tracking_link', 'phone');
  const phone = talk.recall('phone') ?? readPhone(talk.said ?? '') ?? expected ?? null;
  if (phone === null) return wait(talk, 'phone', 'What number should I text the link to?');
  const answer = talk.call('send_tracking_link', { tracking_number: talk.recall('tracking_number') ?? '', phone });
  tell(talk, answer, "I've sent you the link.", 'send the link');
}

export function handOver(talk: Talk): void {
  talk.say("Of course, I'll connect you to a colleague now.");
  const answer = talk.call('transfer_call', { destination: 'service_desk' });
  if (answer.state === 'ok') return talk.hangUp();
  more(talk, "I'm sorry, nobody answers at the service desk.");
}

export function farewell(talk: Talk): void {
  talk.say('Thank you for calling Swiftlane. Goodbye!');
  talk.endCall();
}

/** Says what a tool brought, or that it did not work. */
function tell(talk: Talk, answer: ToolAnswer, done: string, what: string): void {
  if (answer.state === 'ok') return more(talk, done);
  const why = answer.state === 'refused' ? 'that is not possible' : `I could not ${what} just now`;
  wait(talk, 'hand over', `I'm sorry, ${why}. Shall I connect you to a colleague?`);
}

export function more(talk: Talk, words: string): void {
  for (const name of ['day', 'day_as_said', 'item', 'reason', 'pickup_point', 'weight_kg']) talk.keep(name, null);
  wait(talk, 'more', `${words} Is there anything else?`);
}

export function wait(talk: Talk, asked: string, words: string): void {
  talk.keep('asked', asked);
  talk.say(words);
}

function saidDay(iso: string): string {
  const day = parseDay(iso);
  return day === null ? iso : sayDay(day);
}
