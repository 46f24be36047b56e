import { expect, test } from 'vitest';
import { quotedOrders } from '../../../src/domain/signals/quoted-orders.ts';

const read = (prompt: string) =>
  quotedOrders(prompt).map(({ kind, phrase, before, condition }) => [
    kind,
    phrase,
    condition === null ? 'at all times' : before ? 'before' : 'after',
  ]);

test.each([
  ['never', 'Never say that a repair is "free of charge".', 'free of charge'],
  ['never', 'You may not use the words "no problem at all" with anybody.', 'no problem at all'],
  ['never', 'Whatever they offer, do not say that it is "guaranteed to work".', 'guaranteed to work'],
  ['never', 'Sage nicht, dass etwas „auf jeden Fall klappt“.', 'auf jeden Fall klappt'],
  ['never', 'You must not, on any call, say "we guarantee that it works".', 'we guarantee that it works'],
  ['never', 'Sage niemals: „Das ist ausgeschlossen.“', 'Das ist ausgeschlossen.'],
  ['never', 'No digas nunca: «Eso es imposible».', 'Eso es imposible'],
  ['never', 'Ne dites jamais : « C’est sans risque. »', 'C’est sans risque.'],
  ['must', 'Always say, word for word: "This call is recorded."', 'This call is recorded.'],
  ['must', 'Start every call by saying exactly: "Welcome to the river."', 'Welcome to the river.'],
  ['must', 'Before you hang up always say: "Thank you for paddling with us."', 'Thank you for paddling with us.'],
  ['must', 'Du sagst immer wörtlich: "Das Gespräch wird aufgezeichnet."', 'Das Gespräch wird aufgezeichnet.'],
])('a wording that is %s to be said: %s', (kind, prompt, phrase) => {
  expect(read(prompt)).toEqual([[kind, phrase, 'at all times']]);
});

test.each([
  ['Before you take a deposit always say: "You get it back within a week."', 'before'],
  ['When a kayak has been booked say exactly: "Bring a towel with you."', 'after'],
  ['Bevor du eine Fahrt buchst, sagst du wörtlich: "Die Fahrt ist verbindlich."', 'before'],
  ['Avant annuler_cours dis toujours, mot pour mot : "Les frais restent dus."', 'before'],
  ['Whenever you book a trip, say this sentence before the end of the call: "Bring a towel with you."', 'after'],
  ['Sag nach jeder Buchung diesen Satz, bevor du auflegst: "Bringen Sie ein Handtuch mit."', 'after'],
  ['At every sale (not of vouchers) say this sentence: "Keep the receipt."', 'after'],
  ['If the boat does not come, always say: "It is on its way."', 'after'],
  ['If they do not know the date, always say: "You find it on the ticket."', 'after'],
  ['Bei jeder Anmeldung (nicht für Gruppen) sagst du diesen Satz: „Sie ist verbindlich.“', 'after'],
  ['With minors say word for word: "A parent has to sign."', 'after'],
  ['En cada reserva di literalmente: "Traiga su carné."', 'after'],
  ['À chaque nouvelle inscription dis mot pour mot : "Pensez au certificat médical."', 'after'],
])('a wording is due at times: %s', (prompt, due) => {
  expect(read(prompt)).toEqual([['must', expect.any(String), due]]);
});

test('two wordings of one order are both banned, and a new sentence begins anew', () => {
  expect(read('Never say "trust me" or "believe me". Our slogan is "Rivers for all".')).toEqual([
    ['never', 'trust me', 'at all times'],
    ['never', 'believe me', 'at all times'],
  ]);
});

test.each([
  ['a name', 'The office is called "The Boathouse" by everybody.'],
  ['an example of what callers say', 'Callers say "the small one" when they mean the dinghy.'],
  ['what callers say', 'Whenever you hear a caller say "I want to cancel it", use cancel_trip.'],
  ['a proposal for a case', 'You can use the sentence "You are booked in" when you book a trip.'],
  ['a proposal', 'You can say "one moment" while you look.'],
  ['the name of a tool', 'You must always use "book_trip" for a trip.'],
])('%s is no order', (_, prompt) => {
  expect(read(prompt)).toEqual([]);
});
