/** Verbs of doing, as participles, by the kind of deed that they claim. */
const DONE: Record<string, string> = {
  book: 'gebucht/reserviert/eingetragen/vorgemerkt/vereinbart/umgebucht/ausgemacht/eingebucht/eingeplant/eingeschrieben/reservieren+können',
  cancel: 'storniert/abgesagt/gekündigt/gestrichen/annulliert/abbestellt',
  change:
    'geändert/aktualisiert/verschoben/verlegt/angepasst/korrigiert/umgestellt/abgeändert/umgeschrieben/vorverlegt',
  send: 'geschickt/gesendet/verschickt/versendet/zugeschickt/zugesendet/gemailt/abgeschickt/weitergeleitet/übermittelt/losgeschickt',
  refund: 'erstattet/zurückerstattet/gutgeschrieben/rückerstattet/zurücküberwiesen/zurückgezahlt',
  order: 'bestellt/nachbestellt/umgetauscht/ausgetauscht/geordert/aufgegeben',
  submit:
    'eingereicht/gemeldet/notiert/aufgenommen/registriert/vermerkt/erfasst/hinterlegt/weitergegeben/ausgerichtet/veranlasst/aufgeschrieben/angemeldet/festgehalten/protokolliert/mitgeteilt',
  add: 'hinzugefügt/ergänzt/aktiviert/freigeschaltet/zugebucht/dazugebucht/zugeteilt/draufgelegt',
  remove: 'gelöscht/entfernt/deaktiviert/gesperrt/abgemeldet/rausgenommen/ausgetragen',
  pay: 'bezahlt/abgebucht/überwiesen/belastet/eingezogen/beglichen/verbucht',
  issue: 'ausgestellt/angelegt/eröffnet/erstellt/eingerichtet/aufgemacht/ausgedruckt',
  unlock: 'entsperrt/zurückgesetzt/wiederhergestellt/freigegeben/zurück+gesetzt',
};

const MORE: Record<string, readonly string[]> = {
  book: [
    'termin/tisch/platz/zimmer/reservierung/buchung/fahrt/kurs steht/ist+fest/ist+bestätigt/ist+gesichert/ist+sicher/ist+drin/steht+fest',
    'sie sind [jetzt/nun/damit/hiermit] [fest] eingetragen/angemeldet/gebucht/dabei',
  ],
  // A house that is closed was closed by nobody on the call.
  remove: ['ich hab/habe ~12 geschlossen'],
  send: [
    'sms/mail/e+mail/nachricht/bestätigung/link ~1 ist/geht ~1 raus/unterwegs/rausgegangen',
    'sie erhalten/bekommen [gleich/in+kürze/jetzt/sofort] [eine/einen/die] bestätigung/bestätigungsmail/sms/mail/link',
  ],
};

/** "Ich habe gebucht", "ist storniert", "wurde verschoben": how an agent says that a thing is done, a list a kind. */
export const CLAIMS: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(DONE).map(([kind, verbs]) => [
    `claim:${kind}`,
    [
      `ich/wir hab/habe/haben ~12 ${verbs}`,
      `hab/habe/haben ich/wir ~12 ${verbs}`,
      `ist/sind/wurde/wurden/worden ~6 ${verbs}`,
      `erfolgreich ${verbs}`,
      `hiermit/somit/damit ${verbs}`,
      ...(MORE[kind] ?? []),
    ],
  ]),
);
