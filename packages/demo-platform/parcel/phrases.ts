import type { Patterns } from '../script.ts';

/** The parcel service's helpline: a single prompt, so its wording wanders more than that of a flow. */
export const greeting: Patterns = [
  '[Hello|Hi], [you have reached|this is] Swiftlane parcels, [Kim here|my name is Kim]. [What can I do for you|How may I help]?',
  'Swiftlane, [Kim speaking|this is Kim], [how can I help you|what can I do for you] [today|]?',
  '[Good day|Hi there], Swiftlane parcel service. [How may I help you|What is it about]?',
];

export const wantTrack: Patterns = [
  "[Where is|I'm looking for|I'm waiting for] my parcel[? It should have come {oldWeekday}|? It was due {oldWeekday}|]?",
  '[Can|Could] you [check|tell me] [where my package is|when my package arrives|what is going on with my delivery]?',
  "[I ordered|I'm expecting] {goods} and [the app says nothing since {oldWeekday}|it hasn't arrived yet|there is no update]. [Where is it|What is happening]?",
  '[Hi|Hello], [a delivery of|my order of] {goods} [is late|has not come]. [Can you have a look|Do you know more]?',
  'My [mother|flatmate|office] [sent me|is sending] {goods} [with you|through Swiftlane], [any idea where it is|when will it be here]?',
];

export const GOODS = [
  'a bike helmet',
  'two bookshelves',
  'a coffee grinder',
  'winter boots',
  'a violin case',
  'some garden chairs',
  'a printer',
  'a birthday present',
  'car parts',
  'a box of wine',
  'curtains',
  'a phone',
  'vinyl records',
  'a cat tree',
] as const;

export const askNumber: Patterns = [
  '[Sure|Happy to|Of course]. [What is|Could you read me|May I have] the tracking number[, please|]?',
  "[Let's find it|I can look that up]. [The tracking number|What tracking number] [is on your notice|do you have], [please|]?",
  '[I can check that|No problem]. [Do you have|Can you give me] the [tracking|parcel] number [at hand|]?',
];

export const giveNumber: Patterns = [
  "[It's|That's|The number is] {spokenNumber}.",
  '{spokenNumber}.',
  '[Sure|Yes], {spokenNumber}.',
  '[Let me read it to you|Here it comes]: {spokenNumber}.',
];

export const looking: Patterns = [
  '[Thanks|Thank you], [one moment|let me look that up|checking now].',
  "[Got it|Perfect], I'm [checking|looking].",
  'Let me see [where it is|what the system says].',
  '[One second|Just a moment], [I will find it|I look it up].',
  '[Okay|Alright], [pulling that up|looking into it].',
];

export const whereItIs: Patterns = [
  '[Your parcel|It] is [at the depot in|in] {city} [and will be|and is due to be] [delivered|with you] on {day}.',
  '[It left|The parcel left] {city} [this morning|last night|] and [arrives|is expected] on {day}.',
  '[Good news|Here it is]: it is in {city}, and the delivery is [planned|scheduled] for {day}.',
];

export const CITIES = [
  'Dayton',
  'Albany',
  'Reno',
  'Tulsa',
  'Boise',
  'Macon',
  'Eugene',
  'Akron',
  'Laredo',
  'Duluth',
] as const;

export const wantOtherDay: Patterns = [
  "[I'm not home|Nobody will be in] on {oldWeekday}, [can you deliver|could it come] on {weekday} instead?",
  "[I'd like|I want|I need] to [change the delivery day|have my parcel another day]. {weekday} [would be good|if possible|].",
  '[Can|Could] you [move|shift] my delivery to {weekday}?',
  '[Is it possible|Would it work] to get my package on {weekday} [rather than {oldWeekday}|]?',
];

export const dayChanged: Patterns = [
  "[Done|All set], I've changed [the delivery|it] to {day}.",
  '[Your delivery|The delivery] has been moved to {day}.',
  "[That's arranged|Okay]. Your parcel [comes|will come] on {day} now, I've updated [it|the delivery day].",
];

export const wantPickup: Patterns = [
  '[Can|Could] I [pick it up myself|collect my parcel] [somewhere|from a shop near me] instead?',
  "[I'd rather|I want to] [pick up|collect] my package [at a pickup point|from one of your shops].",
  "I'm [never home|at work all day], [can it go|can you send it] to a [pickup point|shop near {city}]?",
];

export const askPickup: Patterns = [
  '[Certainly|Sure]. [The nearest one is|There is one at] the {shop} [in|,] {city}. [Shall I send it there|Is that okay]?',
  'The {shop} in {city} [takes parcels|is a pickup point]. [Would that suit you|Shall I redirect it]?',
];

export const SHOPS = [
  'corner bakery',
  'Lark Street kiosk',
  'hardware store',
  'petrol station on Route 9',
  'stationery shop',
] as const;

export const pickupSet: Patterns = [
  "[Okay|Done], I've redirected your parcel to the {shop}. [You can pick it up|It is there] from {day}.",
  'Your parcel has been redirected to the {shop} in {city}, [ready|to be collected] from {day}.',
];

export const wantClaim: Patterns = [
  '[My parcel|The package|The box] [arrived|came] [damaged|soaked|crushed]. [What can I do|I want to report that].',
  '[I want|I need|I would like] to [report a damaged parcel|file a claim for a broken item]. [It was|There was] {goods} inside.',
  '[Half of|Part of] my order is missing from the parcel, {goods}. [Who do I report it to|How do I claim that]?',
];

export const claimFiled: Patterns = [
  "[I'm sorry about that|That's annoying]. I've [opened|filed] a claim[, the number is|:] {claimId}. [You'll hear from us within five days|The team will write to you].",
  '[Your claim|A claim] has been [opened|filed] under {claimId}. [We get back to you within five days|Please keep the box until then].',
];

export const goodbye: Patterns = [
  '[Thanks for calling|Thank you for calling] Swiftlane[, have a good day|. Goodbye|]!',
  "[You're welcome|Any time]. [Bye now|Have a nice day|Goodbye]!",
  '[Glad I could help|My pleasure]. [Take care|Bye]!',
];

export const wantPerson: Patterns = [
  "[I have|It's about] a [complaint about a driver|bill for customs|business account]. [Can I speak to someone|Could you put me through to a person]?",
  '[Could|Can] I [talk|speak] to [someone in customs|a person at the depot|somebody in accounts][, please|]?',
];

export const connecting: Patterns = [
  "[Sure|Of course|No problem], [I'll connect you|putting you through] [to a colleague|to the right team|] now.",
  '[I understand|Certainly]. [One moment|Please hold], I [transfer|connect] you [to a colleague|].',
];

export const wantNote: Patterns = [
  '[Can|Could] you [tell|let] the driver [know|] [to leave it|that it goes] [behind the bins|in the shed|with the concierge]?',
  "[The bell is broken|My doorbell doesn't work], [can you note that for the driver|please tell the driver to call me].",
  '[I would like to|Can I] leave a note for the driver[, they should use the side door|, please ring at the ground floor|]?',
];
