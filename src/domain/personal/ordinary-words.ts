/** Words that are no part of a name where one is told, in the languages whose sentences we read; without accents, in lower case. */
export const ORDINARY: ReadonlySet<string> = new Set(
  `a about account actually address afternoon again agent all also always am an and another any anyone appointment are as asking at available
back be because been before behalf being best better birth booking born both bot but by bye
call called caller calling can cancel card care center checking city clinic code company confirm contact correct could country currently customer
date day days dear did do does doing doctor don done down
each either email emergency even ever every everyone everything exactly
fine first for found friend from full
general get getting give given go going good got great guest
had happy has have having he hello help her here hey hi him his holiday home hope hotel how
i id if in interested into is it its
just
kind know
last late later leave let letter letters like line list little living long looking
ma maam madam made make making manager many maybe me mean member middle might mine minute miss mister moment monday more morning most mr mrs ms much must my
name named need never new next no nobody none not nothing now number
of off office oh ah hmm wow hotel town road venue using equal okay ok old on once one only or order other our out over
patient perfect person phone please possible pretty problem provider
quite
ready really regarding regular reservation returning right
said same saturday say second see she should sir some someone something soon sorry speak speaking spell spelled spelling still such sunday super sure surname
take taking talking tell than thank thanks that the their them then there these they thing think this those three thursday time to today together tomorrow tonight too tuesday twice two
under until up upset urgent us use user usually
very visit voicemail
wait waiting want wanted was way we wednesday week well went were what when where which while who whole whose why will with without wondering work working would wrong
yeah year yep yes yesterday yet you your yours yup
january february march april may june july august september october november december friday
american british english german french spanish indian chinese irish italian mexican canadian australian
aber als also am an auch auf aus bei bin bitte da danke dann das dass dein dem den der des dich die dies diese doch du ein eine einen einem einer er es etwas euch für fur gerade gerne gut guten habe haben hallo hat hatte heute hier ich ihr ihre im in ist ja jetzt kann kein keine kunde kundin können konnen man mein meine mich mir mit moin morgen nach name nein nicht noch nun nur oder ob schon sehr sein sich sie sind so tag und uns unser von vor war warum was wegen weil wenn wer werde wie wieder will wir wo wurde würde zu zum zur montag dienstag mittwoch donnerstag freitag samstag sonntag
ahora al algo alguien aquí aqui bien buenas buenos claro como con cual cuando de del desde día dia donde dónde el él ella en entonces es esa ese eso esta estamos están estan estar este esto estoy gracias ha hasta hay hola hoy la las le les lo los llamando llamo mañana manana más mas me mi mis muy nada necesito no nombre nos nosotros nuevo o otro para pero persona pues por porque perfecto puede puedo que qué quiero quien se señor señora si sí sin sobre solo soy su también tambien te tengo tiene un una uno usted vale y ya yo cliente lunes martes miércoles jueves viernes sábado domingo
alors après au aujourd aussi autre aux avec bien bonjour bon bonne bonsoir ce cela ces cette chez client cliente comme dans de demain depuis des désolé du elle en encore est et être eu il ils intéressé je là la le les leur lui ma madame mais me merci mes moi mon monsieur ne non nos notre nous on ou où oui parce pas plus pour pourquoi prénom puis quand que quel quelle qui rappelle sa se ses si son sont suis sur ta tes toi ton très trop tu un une vers voilà vos votre vous d l s c j m n t y lundi mardi mercredi jeudi vendredi samedi dimanche`
    .split(/\s+/)
    .map((word) => word.normalize('NFD').replaceAll(/\p{M}/gu, '')),
);
