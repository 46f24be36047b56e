/** Words in names and fields of tools, in the languages in which they are named; without umlauts and accents. */

import { wordSet } from '../question-words.ts';

/** Verbs of tool names in German, Spanish and French, by the English verb that does the same. */
export const TOOL_VERBS: Record<string, string> = {
  book: 'buchen buche reservieren eintragen vereinbaren anmelden reservar agendar apuntar citar programar reserver prendre planifier inscrire',
  cancel: 'stornieren absagen kuendigen abmelden loeschen cancelar anular annuler resilier supprimer',
  reschedule: 'verschieben umbuchen verlegen reprogramar aplazar mover deplacer decaler reporter replanifier',
  change:
    'aendern aktualisieren anpassen korrigieren bearbeiten cambiar modificar actualizar corregir modifier changer corriger',
  send: 'senden schicken versenden zusenden mailen enviar mandar envoyer expedier transmettre',
  order: 'bestellen aufgeben nachbestellen pedir encargar comprar tramitar commander acheter',
  record:
    'notieren erfassen speichern aufnehmen melden hinterlegen registrieren protokollieren anotar registrar guardar dejar avisar notificar noter enregistrer signaler laisser deposer declarer prevenir',
  create: 'anlegen erstellen ausstellen eroeffnen crear generar abrir emitir creer ouvrir emettre generer',
  add: 'hinzufuegen ergaenzen aktivieren freischalten anadir agregar activar ajouter activer',
  block: 'sperren deaktivieren bloquear desactivar bloquer desactiver',
  unlock: 'entsperren zuruecksetzen desbloquear restablecer debloquer reinitialiser',
  refund: 'erstatten gutschreiben reembolsar devolver rembourser crediter',
  pay: 'bezahlen abbuchen zahlen cobrar pagar payer encaisser debiter',
  search: 'suchen finden buscar encontrar localizar chercher rechercher trouver localiser',
  check:
    'pruefen verfuegbarkeit abfragen nachsehen consultar comprobar revisar verificar consulter verifier controler disponibilite disponibilidad',
  list: 'auflisten freie anzeigen abrufen holen listar mostrar obtener ver lister afficher obtenir lire voir libres disponibles',
  verify: 'verifizieren identifizieren authentifizieren autenticar identificar authentifier identifier',
  transfer:
    'weiterleiten verbinden durchstellen weiterverbinden uebergeben transferir derivar desviar pasar transferer rediriger passer',
};

/** Things of tool names, where other rules know their English word. */
export const TOOL_THINGS: Record<string, string> = {
  appointment: 'termin termine terminkalender cita citas rdv',
  reservation: 'reservierung reserva reservas reservacion',
  message: 'nachricht mensaje mensajes',
  callback: 'rueckruf rappel',
  customer: 'kunde kundin kunden kundendaten cliente clientes client',
  information: 'auskunft informacion information infos',
  price: 'preis preise precio precios prix tarif',
  status: 'stand estado statut etat',
};

export const WRITES = new Set(
  `book create cancel update modify change send submit schedule reserve place add remove delete refund issue exchange return pay charge register confirm
  assign set save request reschedule rebook enroll subscribe log file report block unlock reset activate deactivate apply process order purchase buy make
  post insert upsert write edit move swap record open close notify email sms text rsvp plan grant revoke void capture transferred
  renew extend redirect freeze pause resume dispatch redeem enrol waive release restore ship deliver print
  buchen reservieren stornieren absagen verschieben bestellen aendern senden anlegen eintragen melden
  reservar cancelar anular modificar cambiar mover pedir enviar crear registrar
  reserver prendre annuler modifier deplacer commander envoyer creer enregistrer`.split(/\s+/),
);

export const READS = new Set(
  `get find search check list lookup price track locate look fetch query calculate compute verify validate authenticate read show retrieve view status details detail info
  suchen finden pruefen abfragen anzeigen buscar consultar comprobar verificar encontrar chercher trouver verifier consulter suivi
  information availability available quote estimate forecast directions think count history balance faq knowledge`.split(
    /\s+/,
  ),
);

export const TRANSFERS = new Set([
  'transfer',
  'handoff',
  'escalate',
  'forward',
  'handover',
  'escalation',
  'weiterleiten',
  'verbinden',
  'transferir',
  'derivar',
  'transferer',
]);

export const KEYPAD = new Set('dtmf keypad keypress keypresses'.split(' '));

export const PRESSES = new Set('press send play enter dial input type'.split(' '));

export const KEYS = new Set('key keys digit digits button buttons tone tones'.split(' '));

/** What is handed over, or placed, and is no call: `transfer_funds`, `passer_commande`. */
export const NO_CALL =
  /\b(?:funds?|money|balance|payment|prescription|amount|domain|ownership|geld|guthaben|dinero|fondos|saldo|pedido|argent|fonds|solde|commande)\b/;

export const CHECKS_IN = /^check (?:in|out)(?: (?:guests?|passengers?|patients?|customers?|visitors?|online))?$/;

/** `is_open` */
export const ASKS = /^(?:is|are|has) /;

/** `order_status`: the verb is a thing. */
export const TELLS_OF_DEED =
  /^(?:order|refund|return|exchange|charge|purchase) (?:\w+ )*(?:status|details?|info|information|history|lookup|tracking|policy)$/;

export const EXTRA = new Set(
  'text sms email mail whatsapp notify notification confirmation receipt survey rating rate feedback mark tag log note'.split(
    ' ',
  ),
);

export const RELAY = new Set('callback callbacks rueckruf rappel'.split(' '));

export const LATER = new Set('schedule request book arrange create'.split(' '));

export const MESSAGE = new Set('message nachricht mensaje recado'.split(' '));

export const KEEPS = new Set(
  'leave take save record pass notieren hinterlassen dejar tomar laisser prendre'.split(' '),
);

export const CALLBACK_FIELDS = /call_?back|phone|number|reply|nummer|telefon|numero|rappel/i;

export const VERIFIES = new Set(
  'verify verification authenticate authentication identify identity login otp pin'.split(' '),
);

/** `check_customer`, `kunde_pruefen`: a name of nothing but checking and of whom. What looks something up has another verb. */
export const CHECKS = new Set('check validate pruefen comprobar verificar controler valider verifier'.split(' '));

export const PERSONS = new Set(
  'customer caller client member person holder patient pupil kunde kunden mitglied cliente socio adherent'.split(' '),
);

/** Words of tool names that do what a claim of this kind says. */
export const TOOLS_OF_CLAIMS: Record<string, ReadonlySet<string>> = {
  book: wordSet(
    'book reserve schedule rebook reschedule create make confirm place appointment reservation booking rsvp plan request insert add',
  ),
  cancel: wordSet('cancel void remove delete'),
  change: wordSet(
    'update change modify edit move exchange switch reschedule rebook upgrade assign set adjust correct swap',
  ),
  send: wordSet('send email sms text notify mail forward message confirmation'),
  refund: wordSet('refund credit issue return cancel reimburse certificate voucher'),
  order: wordSet('order place purchase buy exchange replace create'),
  submit: wordSet('submit file report register log create send request save ticket record note raise apply'),
  add: wordSet('add apply activate enable enroll assign update set insert'),
  remove: wordSet('remove delete deactivate block freeze close cancel'),
  pay: wordSet('pay charge process capture payment refund'),
  issue: wordSet('issue create open send'),
  unlock: wordSet('unlock reset restore'),
};

/** "At each booking" speaks of making one. */
export const UNDOES = new Set([
  'cancel',
  'delete',
  'remove',
  'block',
  'change',
  'reschedule',
  'move',
  'loeschen',
  'supprimer',
]);

/** Arguments by whose name a number can be told: `guests: 2` counts people. */
export const COUNTED_FIELDS: Record<string, RegExp> = {
  'count:people': /guest|people|person|party|adult|passenger|cover|size|seats/i,
  'count:nights': /night|length|stay|duration/i,
};

/** Fields that hold the one amount, day or wait that a caller is told of. */
export const TOTALS = /(?:^|_)(?:total|balance|balance_due|amount_due|grand_total|to_pay)(?:_|$)/i;

export const AMOUNTS = /(?:^|_)(?:total|balance|amount|price|cost|fee|due|charge|rate)(?:_|$)/i;

/** Fields that say in their name what they count. */
export const SPANS: Readonly<Record<string, RegExp>> = {
  'count:minutes': /(?:^|_)(?:minutes|mins|minuten|minutos|eta)$/i,
  'count:hours': /(?:^|_)(?:hours|stunden|horas|heures)$/i,
  'count:days': /(?:^|_)(?:days|tage|d[ií]as|jours)$/i,
  'count:weeks': /(?:^|_)(?:weeks|wochen|semanas|semaines)$/i,
  'count:months': /(?:^|_)(?:months|monate|meses|mois)$/i,
};

/** Fields of a day on which something comes; of one on which it ends nobody says "tomorrow". */
export const TO_COME_FIELDS =
  /^(?!.*(?:expir|until|renew|valid|bis|hasta|jusqu)).*(?:date|day|appointment|arriv|deliver|eta|return|visit|slot|due|by|datum|tag|termin|fecha|cita|jour)/i;

export const KNOWLEDGE = new Set([
  'knowledge',
  'kb',
  'faq',
  'faqs',
  'docs',
  'documents',
  'articles',
  'article',
  'retrieve',
  'retrieval',
  'rag',
]);
