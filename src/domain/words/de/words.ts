function split(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Words that say little about the matter of a talk. */
export const STOP_WORDS: readonly string[] = split(`
  der die das den dem des ein eine einen einem einer eines ne nen nem ner n und oder aber wenn falls dann als ob dass daß dieser diese dieses diesen diesem
  da dort hier es ich mich mir mein meine meinen meinem meiner wir uns unser unsere unseren du dich dir dein deine deinen sie ihnen ihr ihre ihren ihrem ihrer
  er ihn ihm sein seine seinen ist sind war waren wäre wären sei bin bist gewesen habe hab haben hat hatte hatten hätte hätten gehabt werde wird werden wurde
  würde würden worden soll sollen sollte kann können könnte könnten konnte darf dürfen dürfte mag möchte möchten muss müssen müsste will wollen wollte nicht
  nich kein keine keinen nein nee ja zu zum zur von vom in im ins auf an am bei beim aus mit für fuer über um nach vor durch gegen ohne bis seit unter noch
  mal einmal nochmal wieder nur sehr auch schon mehr meisten man so doch halt eben eigentlich denn also gerade grad jetzt gleich bitte danke dankeschön
  hallo guten tag morgen gut okay ok genau klar äh ähm öh hm mhm ach och na nun naja was wer wen wem wie wo wann warum wieso welche welcher welches alles
  etwas was irgendwie gern gerne dabei dazu davon damit daran darauf tschüss tschüs wiederhören gehen geht gehts macht machen gibt sich selbst
`);

export const VALUE_WORDS: readonly string[] = split(`
  null ein eins zwei zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig
  vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend million erste ersten erster zweite zweiten zweiter dritte dritten dritter vierte vierten
  vierter fünfte fünften fünfter sechste sechsten sechster siebte siebten siebter achte achten achter neunte neunten neunter zehnte zehnten zehnter halb
  viertel dreiviertel dutzend mittag mitternacht anderthalb eineinhalb doppelt doppel
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar jänner februar feber märz april mai juni juno juli julei august september
  oktober november dezember heute gestern übermorgen vormittag nachmittag abend wochenende mittags vormittags nachmittags abends
`);

/** Words with which a question begins. */
export const ASKING: readonly string[] = split(`
  was wann wo wohin woher wer wen wem wessen warum wieso weshalb wie wieviel welche welcher welches welchen kann können könnte könnten kannst könntest darf
  dürfte soll sollen ist sind war haben hat hätten hast gibt gibts geht möchten würden wird werden muss müssen
`);
