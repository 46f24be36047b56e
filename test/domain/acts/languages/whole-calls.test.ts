import { expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { type Line, scripted } from '../../signals/scripted-call.ts';

function codesOf(lines: readonly Line[]): string[] {
  return analyseCall(scripted([...lines]), {}).signals.map(({ code }) => code);
}

const HEALTHY: [language: string, lines: Line[]][] = [
  [
    'de',
    [
      { a: 'Fahrradladen Speiche, guten Tag, was kann ich für Sie tun?' },
      { c: 'guten Tag ich bräuchte einen Termin für eine Inspektion' },
      { a: 'Gern. An welchem Tag passt es Ihnen?' },
      { c: 'am Donnerstag um halb zehn wenn das geht' },
      { a: 'Donnerstag um neun Uhr dreißig ist frei. Auf welchen Namen darf ich eintragen?' },
      { c: 'Kessler' },
      { a: 'Ich habe Sie eingetragen, Herr Kessler. Bis Donnerstag.' },
      { c: 'super danke tschüss' },
    ],
  ],
  [
    'es',
    [
      { a: 'Lavandería Sol, buenas tardes, ¿en qué puedo ayudarle?' },
      { c: 'buenas quería saber si está listo mi abrigo a nombre de Ferrer' },
      { a: 'Sí, señora Ferrer, el abrigo está listo. Cerramos a las ocho.' },
      { c: 'perfecto pues paso a las siete y media gracias' },
      { a: 'Muy bien, le esperamos. Hasta luego.' },
      { c: 'adiós' },
    ],
  ],
  [
    'fr',
    [
      { a: 'Serrurerie Martin, bonjour, que puis-je faire pour vous ?' },
      { c: "bonjour j'aimerais faire refaire deux clés c'est possible samedi" },
      { a: 'Oui, samedi nous sommes ouverts de neuf heures à midi.' },
      { c: "d'accord je passerai à dix heures et demie" },
      { a: "C'est noté, samedi à dix heures trente. Bonne journée." },
      { c: 'merci au revoir' },
    ],
  ],
];

test.each(HEALTHY)('a good call in "%s" shows no fault', (_language, lines) => {
  expect(codesOf(lines)).toEqual([]);
});

const IGNORED: [language: string, lines: Line[]][] = [
  [
    'de',
    [
      { a: 'Fahrradladen Speiche, guten Tag, was kann ich für Sie tun?' },
      { c: 'ich möchte bitte mit einem Mitarbeiter sprechen' },
      { a: 'Welche Marke hat Ihr Fahrrad?' },
      { c: 'nein verbinden Sie mich bitte mit einem Menschen' },
      { a: 'Welche Marke hat Ihr Fahrrad denn?' },
      { c: 'das ist eine Frechheit' },
    ],
  ],
  [
    'es',
    [
      { a: 'Lavandería Sol, buenas tardes, ¿en qué puedo ayudarle?' },
      { c: 'quiero hablar con una persona por favor' },
      { a: '¿Qué prenda nos dejó?' },
      { c: 'que me pase con alguien quiero hablar con el encargado' },
      { a: '¿Qué prenda nos dejó, por favor?' },
      { c: 'esto es una vergüenza' },
    ],
  ],
  [
    'fr',
    [
      { a: 'Serrurerie Martin, bonjour, que puis-je faire pour vous ?' },
      { c: "je voudrais parler à quelqu'un s'il vous plaît" },
      { a: 'Quel est le modèle de votre serrure ?' },
      { c: 'non passez-moi un technicien je veux parler à un humain' },
      { a: 'Quel est le modèle de votre serrure exactement ?' },
      { c: "c'est inadmissible" },
    ],
  ],
];

test.each(IGNORED)('in "%s" a request for a person that nobody heeds is found', (_language, lines) => {
  expect(codesOf(lines)).toContain('human_request_ignored');
});
