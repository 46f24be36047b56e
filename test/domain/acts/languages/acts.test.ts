import { expect, test } from 'vitest';
import { readTurns } from '../../../../src/domain/calls/read-turns.ts';
import { type Line, scripted } from '../../signals/scripted-call.ts';

function kindsOf(language: string, line: Line): string[] {
  const input = scripted([line]);
  const { spoken } = readTurns({ ...input, call: { ...input.call, language } });
  return [...new Set((spoken[0]?.acts ?? []).map(({ kind }) => kind))];
}

test.each([
  ['de', 'ich möchte bitte mit einem echten Menschen sprechen', 'asks_for_person'],
  ['de', 'stell mich einfach zu jemandem durch', 'asks_for_person'],
  ['de', 'das habe ich Ihnen doch schon gesagt', 'already_told'],
  ['de', 'nein nicht am Montag sondern am Dienstag', 'corrects'],
  ['de', 'das ist eine Frechheit', 'complains'],
  ['de', 'können Sie das bitte wiederholen', 'asks_again'],
  ['de', 'rufen Sie mich bitte nie wieder an', 'opts_out'],
  ['de', 'dann probier ich es halt woanders', 'gives_up'],
  ['de', 'ich haette gern einen Tisch', 'requests'],
  ['es', 'quiero hablar con una persona de verdad', 'asks_for_person'],
  ['es', 'pásame con alguien por favor', 'asks_for_person'],
  ['es', 'ya se lo he dicho dos veces', 'already_told'],
  ['es', 'me refiero a la otra', 'corrects'],
  ['es', 'esto es una vergüenza', 'complains'],
  ['es', 'me lo puede repetir', 'asks_again'],
  ['es', 'dejen de llamarme', 'opts_out'],
  ['es', 'déjelo ya', 'gives_up'],
  ['es', 'querria cambiar el pedido', 'requests'],
  ['fr', "je voudrais parler à quelqu'un", 'asks_for_person'],
  ['fr', 'passe-moi un conseiller', 'asks_for_person'],
  ['fr', 'je vous l ai déjà dit', 'already_told'],
  ['fr', "non c'est pas ça", 'corrects'],
  ['fr', "j'en ai marre", 'complains'],
  ['fr', 'vous pouvez répéter', 'asks_again'],
  ['fr', 'ne me rappelez plus', 'opts_out'],
  ['fr', 'laissez tomber', 'gives_up'],
  ['fr', "j'aimerais modifier ma commande", 'requests'],
])('in "%s" a caller who says "%s" %s', (language, text, kind) => {
  expect(kindsOf(language, { c: text })).toContain(kind);
});

test.each([
  ['de', 'Ich habe den Wagen für Sie reserviert.', 'claims_done'],
  ['de', 'Das geht leider nicht.', 'cannot'],
  ['de', 'Wie lautet Ihre Postleitzahl?', 'asks_value'],
  ['de', 'Wir melden uns morgen bei Ihnen.', 'promises'],
  ['de', 'Kann ich sonst noch etwas für Sie tun?', 'offers_more'],
  ['es', 'Le he cancelado el envío.', 'claims_done'],
  ['es', 'Lo siento, no puedo hacerlo.', 'cannot'],
  ['es', '¿Cuál es su código postal?', 'asks_value'],
  ['es', 'Ahora mismo le envío el enlace.', 'promises'],
  ['es', '¿Algo más?', 'offers_more'],
  ['fr', "J'ai bien annulé votre livraison.", 'claims_done'],
  ['fr', "Ce n'est malheureusement pas possible.", 'cannot'],
  ['fr', 'Quel est votre code postal ?', 'asks_value'],
  ['fr', 'Je vous envoie le devis.', 'promises'],
  ['fr', 'Autre chose ?', 'offers_more'],
])('in "%s" an agent who says "%s" %s', (language, text, kind) => {
  expect(kindsOf(language, { a: text })).toContain(kind);
});

test.each([
  ['de', { a: 'Ich habe den Termin noch nicht gebucht.' }, 'claims_done'],
  ['de', { c: 'nein danke' }, 'corrects'],
  ['de', { c: 'macht nichts' }, 'gives_up'],
  ['de', { c: 'ich habe keine Zeit am Dienstag' }, 'complains'],
  ['es', { a: 'Todavía no le he reservado nada.' }, 'claims_done'],
  ['es', { c: 'no gracias' }, 'corrects'],
  ['es', { c: 'me da igual el color' }, 'gives_up'],
  ['es', { c: 'no me llega el martes' }, 'complains'],
  ['fr', { a: "Je n'ai pas encore réservé." }, 'claims_done'],
  ['fr', { c: 'non merci' }, 'corrects'],
  ['fr', { c: 'vous comprenez, il me faut deux clés' }, 'complains'],
  ['fr', { c: 'plutôt le matin' }, 'corrects'],
])('in "%s" the line %o does not count as %s', (language, line, kind) => {
  expect(kindsOf(language, line)).not.toContain(kind);
});
