import { isDone, saysBye, saysNo, saysYes } from './listen.ts';
import { confirmed, farewell, goOn, handOver, more, sendLink, wait } from './parcel-acts.ts';
import { hearParcel, meansAnother, type ParcelWish, parcelWishOf } from './parcel-wishes.ts';
import type { Talk } from './talk.ts';

/** The helpline of the parcel service as its prompt has it, by rules: one prompt, so it has no steps. */
export function answerAtHelpline(talk: Talk): void {
  const { said } = talk;
  if (said === null) return wait(talk, 'wish', 'Hello, this is Swiftlane parcels, Kim speaking. How can I help you?');
  const earlier = talk.recall('tracking_number');
  hearParcel(talk, said);
  const corrected = earlier !== null && talk.recall('tracking_number') !== earlier;
  const asked = talk.recall('asked') ?? 'wish';
  const wish = parcelWishOf(said);
  if (wish === 'person') return handOver(talk);
  if (saysBye(said) && wish === null) return farewell(talk);
  if (corrected && asked !== 'wish') return goOn(talk, 'number');
  if (asked === 'confirm') return confirmed(talk, said);
  if (asked === 'offered link') return afterOffer(talk, said);
  if (asked === 'hand over') return saysNo(said) ? more(talk, 'All right.') : handOver(talk);
  if (asked === 'phone') return isDone(said) ? more(talk, 'No problem.') : sendLink(talk);
  if (asked === 'number' || asked === 'detail') return goOn(talk, asked);
  if (asked === 'more') return afterwards(talk, said, wish);
  if (wish !== null) return begin(talk, wish);
  if (talk.recall('tracking_number') !== null && earlier === null) return begin(talk, 'track');
  const missed = Number(talk.recall('missed') ?? 0) + 1;
  talk.keep('missed', String(missed));
  if (missed > 2) return handOver(talk);
  wait(talk, 'wish', 'I can find a parcel, change its delivery or open a claim. What is it about?');
}

function afterwards(talk: Talk, said: string, wish: ParcelWish | null): void {
  if (meansAnother(said) && talk.recall('wish') !== null) {
    talk.keep('tracking_number', null);
    return goOn(talk, 'wish');
  }
  if (wish !== null && !(isDone(said) && wish !== 'link')) return begin(talk, wish);
  if (isDone(said)) return farewell(talk);
  if (said.includes('?')) return unknownQuestion(talk);
  if (saysYes(said) && /^\W*(yes|yeah|yep|please)\W*$/i.test(said)) return wait(talk, 'wish', 'Sure, what is it?');
  if (talk.recall('may want link') === 'yes' && talk.version >= 5) {
    talk.keep('may want link', null);
    return wait(talk, 'offered link', 'Would you like a link to follow it, by text message?');
  }
  const thanked = Number(talk.recall('thanked') ?? 0) + 1;
  talk.keep('thanked', String(thanked));
  if (thanked > 1) return farewell(talk);
  wait(talk, 'more', "You're welcome. Is there anything else?");
}

function afterOffer(talk: Talk, said: string): void {
  if (saysYes(said) && !isDone(said)) return sendLink(talk);
  talk.keep('asked', 'more');
  afterwards(talk, said, parcelWishOf(said));
}

/** A version that does not wait for the caller's goodbye ends the call on a question that it has no answer to. */
function unknownQuestion(talk: Talk): void {
  if (!talk.traits.has('waits for goodbye')) return farewell(talk);
  wait(talk, 'hand over', "I'm sorry, I don't know that. Shall I connect you to a colleague?");
}

function begin(talk: Talk, wish: ParcelWish): void {
  talk.keep('thanked', null);
  talk.keep('wish', wish);
  switch (wish) {
    case 'person':
      return handOver(talk);
    case 'complaint':
    case 'address':
      return wait(talk, 'hand over', 'Only a colleague can see to that. Shall I connect you?');
    case 'hours':
      return more(talk, 'The depots are open from 7:00 to 20:00, and on Saturdays until 14:00.');
    case 'note':
      if (talk.version >= 5) return goOn(talk, 'number');
      talk.say('Notes for drivers are taken by the depot.');
      return handOver(talk);
    case 'price':
      return goOn(talk, 'detail');
    case 'link':
      return sendLink(talk);
    case 'claim':
    case 'pickup':
    case 'other day':
    case 'card':
    case 'track':
      return goOn(talk, 'wish');
    default:
      return wish satisfies never;
  }
}
