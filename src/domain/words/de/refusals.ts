/** German words by which a system or a business turns a request down without being broken. */
export const REFUSAL_PHRASES: readonly string[] = [
  'leider/abgelehnt/ausgebucht/ausverkauft/belegt/vergriffen/unzulässig/ungültig/vergeben',
  'nicht verfügbar/gefunden/möglich/erlaubt/berechtigt/frei/vorhanden/geöffnet/gestattet/ausreichend/erkannt/lieferbar/vorrätig',
  'nicht mehr verfügbar/möglich/frei',
  'kein/keine/keinen ~2 frei/freie/freier/freien/verfügbar/gefunden/termin/termine/treffer/ergebnis/ergebnisse/plätze/tisch/tische/zimmer/eintrag',
  'bereits/schon belegt/vergeben/gebucht/storniert/reserviert',
  'stimmt/stimmen nicht überein',
  'unbekannte/unbekannter kunde/kundin/patient/patientin/kundennummer',
  'außerhalb der/des',
  'geschlossen am/an',
  'frist abgelaufen/verstrichen',
  'zu spät',
];
