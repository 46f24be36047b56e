/** What a German answering machine says; such a voice is no caller. */
export const MACHINE_GREETING: readonly string[] = [
  'hinterlassen/hinterlass/sprechen/hinterlasst [sie/mir/uns] [mir/uns/bitte] [eine/ihre/deine] nachricht',
  'nach/auf dem/den signalton/piepton/ton/piep/pieps/tonsignal',
  '[die/der] mailbox/anrufbeantworter/sprachbox/combox von/des/der',
  'sie sind [hier] [mit/bei] [dem/der] [der] mailbox/anrufbeantworter/sprachbox',
  'der/die gewünschte/gewünschter/angerufene gesprächspartner/teilnehmer/rufnummer/person ist',
  'vorübergehend nicht erreichbar',
  'ist zur/im [moment] [zeit] nicht erreichbar',
  'kann/können ihren/deinen/den anruf [gerade/leider/momentan/derzeit/im] [nicht]',
  'rufen/rufe sie/dich/wir schnellstmöglich/umgehend/so+bald/sobald',
  'nachrichtenspeicher/mailbox ist voll',
  'namen und ihre/deine [telefonnummer/nummer/rufnummer]',
];
