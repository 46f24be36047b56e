/** Verbs of tool names in German, Spanish and French, by the English verb that does the same. */
const VERBS: Record<string, string> = {
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
const THINGS: Record<string, string> = {
  appointment: 'termin termine terminkalender cita citas rdv',
  reservation: 'reservierung reserva reservas reservacion',
  message: 'nachricht mensaje mensajes',
  callback: 'rueckruf rappel',
  customer: 'kunde kundin kunden kundendaten cliente clientes client',
  information: 'auskunft informacion information infos',
  price: 'preis preise precio precios prix tarif',
  status: 'stand estado statut etat',
};

function invert(rows: Record<string, string>): [word: string, english: string][] {
  return Object.entries(rows).flatMap(([english, words]) =>
    words.split(' ').map((word): [string, string] => [word, english]),
  );
}

const ENGLISH_VERB = new Map(invert(VERBS));
const ENGLISH_THING = new Map(invert(THINGS));

/** The words of a tool's name, with what they are in English before them. */
export function splitName(name: string): readonly string[] {
  return withEnglish(plainWords(name));
}

/**
 * The words of a tool's name with what they are in English before them, verbs first: `termin_buchen` is also book and
 * appointment. English names stay as they are.
 */
function withEnglish(words: readonly string[]): readonly string[] {
  const verbs = words.flatMap((word) => ENGLISH_VERB.get(word) ?? []);
  const things = words.flatMap((word) => ENGLISH_THING.get(word) ?? []);
  return verbs.length + things.length === 0 ? words : [...verbs, ...things, ...words];
}

const MARKS = /[\u0300-\u036f]/g;

/** Names are written without umlauts and accents as often as with them. */
export function plainLetters(name: string): string {
  if (!/[^\x20-\x7e]/.test(name)) return name;
  return name
    .replaceAll(/[äÄ]/g, 'ae')
    .replaceAll(/[öÖ]/g, 'oe')
    .replaceAll(/[üÜ]/g, 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(MARKS, '');
}

/** `bookTable`, `book_table` and `book-table` are the words book and table. */
export function plainWords(name: string): string[] {
  return plainLetters(name.slice(0, NAME_AT_MOST))
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

const NAME_AT_MOST = 200;
