import { wordSet } from './question-words.ts';

/** Words by which a business says when it is open. Prompts name no language, so words of all languages count. */
export const OPEN_WORDS = wordSet(`
  open opens opening hours
  geöffnet offen öffnungszeiten öffnen öffnet auf
  abierto abierta abiertos abrimos abre horario horarios
  ouvert ouverte ouverts ouvertes ouvrons ouvre horaires
`);

export const CLOSING_WORDS = wordSet(`
  close closes closing shut shuts
  schließen schließt zumachen
  cerramos cierra
  fermons ferme fermez
`);

export const CLOSED_WORDS = wordSet(`
  closed shut
  geschlossen zu ruhetag
  cerrado cerrada cerrados
  fermé fermée fermés fermées
`);

/** Before the hour at which a business closes, and before the one at which it opens. */
export const UNTIL_WORDS = wordSet(`until till til bis hasta jusqu'à jusqu'a jusque`);
export const FROM_WORDS = wordSet('from ab von desde dès de');

/** Between the first and the last of a row of days or the two ends of a time. */
export const RANGE_WORDS = wordSet(`to till until through thru - – bis a al hasta à au jusqu'à`);

/** Before a time, in the words of which a number alone is one. */
export const AT_WORDS = wordSet('at um à las');

/** "We're here until six". */
export const HERE_WORDS = wordSet('here da hier ici aquí');

/** With which a business speaks of itself, and of those who come to it. */
export const BUSINESS_WORDS = wordSet(`
  we we're were you
  wir sie
  nous vous on
  abrimos cerramos estamos abierto abiertos cerrado cerrados puede pueden
`);

/** Words beside them that name nothing else: "on Sundays you can come by from nine until six". */
export const HOURS_FILLERS = wordSet(`
  we're you're i'm afraid unfortunately leider sorry come here there by noon midnight o'clock oclock again usually normally always
  uhr kommen immer wieder haben
  venir estamos horas siempre
  venez sommes heures toujours
`);

/** Several days in a word; 0 is Sunday. */
export const DAY_GROUPS: ReadonlyMap<string, readonly number[]> = new Map([
  ['weekdays', [1, 2, 3, 4, 5]],
  ['weekends', [6, 0]],
  ['daily', [0, 1, 2, 3, 4, 5, 6]],
  ['wochentags', [1, 2, 3, 4, 5]],
  ['wochenende', [6, 0]],
  ['täglich', [0, 1, 2, 3, 4, 5, 6]],
]);

/** With which something is said to begin. */
export const BEGIN_WORDS = wordSet(`
  begin begins beginning start starts starting open opens opening from departs leaves
  beginnt beginne beginn anfängt fängt startet ab von öffnet
  empieza comienza abre desde
  commence débute ouvre dès
`);

/** With which an end is told, or how long something goes on: beside one of these no time is a beginning. */
export const END_WORDS: ReadonlySet<string> = new Set([
  ...CLOSING_WORDS,
  ...CLOSED_WORDS,
  ...UNTIL_WORDS,
  ...wordSet(`
    end ends ended ending finish finishes finished over out done last latest through to by back arrive arrives land lands return returns
    ende enden endet schluss schließen fertig aus vorbei spätestens ankommt zurück
    termina terminan acaba acaban cerrar cierran llega llegan vuelve
    finit finissent termine fermer arrive arrivent revient
  `),
]);

/** Names of fields that hold a beginning, without accents as names are read. */
export const BEGIN_FIELDS = wordSet(
  'begin begins beginning start starts from open opens opening departs departure von ab beginn anfang inicio desde abre debut ouvre',
);
export const END_FIELDS = wordSet(
  'end ends ending finish finishes to until till close closes closing arrives arrival bis ende schluss fin hasta cierra ferme',
);
