/** The commonest small words of a language: enough to tell languages apart over a few sentences, no more. */
export const SMALL_WORDS: Record<string, readonly string[]> = {
  en: "the and is are you to of for it that what with have this can not your will would please yes thanks how when there do my in be was at from they we an if so but me about all need want like i i'm it's that's i'd i'll don't can't or could would been she he his her they're just then still right thank hello".split(
    ' ',
  ),
  de: 'der die das und ist nicht ich sie ein eine mit für auf den dem zu haben kann bitte ja nein wie was wir mein auch noch es im von werden danke möchte einen guten hallo dann aber nur bei am um haben sind schon nach vor wird könnte hätte mal ihnen ihr ihre frau herr uhr bin hab habe wenn diese dieser oder einem einer genau gern gerne'.split(
    ' ',
  ),
  es: 'el la los las de que y en un una es por con para no si sí mi su está quiero puedo gracias hola usted como cuándo qué tiene pero cita favor necesito buenos días pero muy también lo le nos hay esto eso bien vale claro perdón mañana nombre teléfono entonces buenas tardes señor señora tengo puede sería quería gustaría usted ustedes hola dígame nada este esta porque ya a'.split(
    ' ',
  ),
  fr: "le la les des et est un une je vous pour dans que qui ne pas mon ma avec sur bonjour merci oui non ce votre suis avez être voudrais plaît nous mais au alors très bien cette ça là par aussi madame monsieur peux peut faut quel quelle vos mes c'est j'ai d'accord n'est qu'il s'il j'aimerais l'heure il elle on dans du plus moi donc êtes votre voilà rendez".split(
    ' ',
  ),
  it: 'il lo la gli le di che e è un una per con non sono mi si grazie buongiorno vorrei come posso ho questo della sì il suo mio anche prego'.split(
    ' ',
  ),
  pt: 'o a os as de que e é um uma para com não por mais meu você obrigado obrigada sim eu quero como está posso isso olá bom dia gostaria minha'.split(
    ' ',
  ),
  nl: 'de het een en is niet ik u van voor met dat op te ja nee hoe wat mijn graag kunt kan bedankt goedemorgen naar zijn heb wil uw ook'.split(
    ' ',
  ),
};
