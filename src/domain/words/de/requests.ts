import { meanings, type RequestWords, wordSet } from '../request-words.ts';

export const DE: RequestWords = {
  empty:
    wordSet(`ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meinen meinem meiner meines dein deine deinen ihre ihren ihrem
    ihrer sein seine seinen seinem seiner unser unsere unseren euer der die das den dem des ein eine einen einem einer eines kein keine keinen keinem
    keiner und oder aber denn doch weil dass ob wenn als wie was wer wen wem wo wohin woher wann warum wieso weshalb welche welcher welches welchen
    wieviel viel viele mehr sehr ganz gar auch noch nur schon mal so da dann dort hier jetzt heute nun eben gerade also ja nein nicht nichts kein bitte
    danke dankeschön vielen vielleicht gern gerne möchte möchten möcht will wollen wollte wollten würde würden könnte könnten könnt kann können kannst
    muss müssen müsste müssten soll sollte sollen darf dürfte dürfen mag hätte hätten habe haben hab hat hatte hatten bin ist sind war waren wäre wären
    sei werde werden wird wurde worden brauche braucht brauchen bräuchte bräuchten benötige benötigen geht gehen ginge gibt geben gebe machen mache macht
    gemacht wissen weiß sagen sage sagt fragen frage fragt rufe rufen anrufen anruf hallo guten gute guter tag morgen abend moin servus grüß grüezi gott auf
    wiederhören wiedersehen tschüss herr frau name heiße helfen hilfe hilft im in an am auf aus bei beim bis durch für gegen mit nach ohne seit über um
    unter von vom vor zu zum zur zwischen wegen etwas alles alle allem anderen andere anderer anderes irgendwie eigentlich einfach gleich wieder ähm äh hm
    okay ok gut super genau einmal erst ersten nächste nächsten nächster letzte letzten woche wochen tage uhr zeit halt wäre sowas schön schönen suche
    versuche lieber statt stattdessen kommen komme kommt nehmen nehme lassen lässt`),
  asks: wordSet(
    `möchte möchten will würde könnte könnten kann können brauche bräuchte benötige wann wo wie was welche bitte hätte gibt frage suche`,
  ),
  beforeVerbs: wordSet('zu'),
  beforeThings:
    wordSet(`der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner ihr ihre ihren ihrem ihrer kein keine keinen zum zur vom im
    unser unsere unseren unserem diese dieser dieses diesen`),
  infinitive: /..(en|ern|eln)$/,
  people:
    wordSet(`mutter vater mama papa schwester bruder mann frau sohn tochter freund freundin kind kinder chef nachbar nachbarin oma opa tante onkel mitbewohner
    partner partnerin familie`),
  verbs:
    meanings(`cancel: absagen abgesagt absage stornieren storniert stornierung kündigen gekündigt kündigung abbestellen canceln
    move: verschieben verschoben verlegen verlegt umbuchen umgebucht
    book: buchen gebucht reservieren reserviert vereinbaren vereinbart ausmachen ausgemacht
    order: bestellen
    buy: kaufen gekauft
    pay: bezahlen bezahlt zahlen zahle
    return: zurückgeben zurückschicken zurücksenden
    exchange: umtauschen umgetauscht tauschen
    change: ändern geändert aktualisieren
    check: prüfen überprüfen nachsehen nachschauen
    find: finden verfolgen
    send: schicken schickt verschicken senden versenden
    deliver: liefern geliefert zustellen zugestellt
    collect: abholen abgeholt
    open: öffnen geöffnet
    close: schließen geschlossen
    renew: verlängern erneuern
    transfer: überweisen überwiesen
    speak: sprechen reden
    complain: beschweren reklamieren
    report: melden
    repair: reparieren repariert
    replace: ersetzen
    confirm: bestätigen bestätigt
    register: anmelden angemeldet registrieren
    activate: aktivieren freischalten
    block: sperren gesperrt
    reset: zurücksetzen entsperren
    add: hinzufügen
    remove: löschen entfernen
    rent: mieten gemietet`),
  things: meanings(`appointment: termin termine termins terminen arzttermin
    parcel: paket pakete pakets paketes päckchen sendung
    order: bestellung bestellungen auftrag
    invoice: rechnung rechnungen
    price: preis preise kosten kostet gebühr gebühren
    account: konto konten
    card: karte karten
    payment: zahlung zahlungen
    refund: erstattung rückerstattung
    address: adresse anschrift
    password: passwort kennwort
    insurance: versicherung krankenkasse
    reservation: reservierung buchung
    hours: öffnungszeiten sprechzeiten sprechstunde
    delivery: lieferung zustellung
    person: mensch menschen mitarbeiter mitarbeiterin person jemand jemandem jemanden
    complaint: beschwerde reklamation
    contract: vertrag abo abonnement
    prescription: rezept rezepte folgerezept
    result: ergebnis ergebnisse befund befunde
    car: auto wagen fahrzeug
    ticket: ticket tickets fahrkarte
    room: zimmer
    table: tisch
    flight: flug
    driver: fahrer`),
  verbLast: true,
  beforeObject: new Map(),
  askAbout: 'fragen zu',
  generic: 'allgemeine anfrage',
};
