import { expect, test } from 'vitest';
import { valuesIn } from './values-of.ts';

test.each([
  ['a las siete y media', ['time 0450,1170']],
  ['las ocho menos cuarto', ['time 0465,1185']],
  ['un cuarto para las nueve', ['time 0525,1245']],
  ['a las nueve y veinte de la noche', ['time 1280']],
  ['a la una', ['time 0060,0780']],
  ['a las 20:30', ['time 1230']],
  ['las diez de la mañana', ['time 0600']],
  ['sobre las dos y cuarto', ['time 0135,0855']],
  ['al mediodía', ['time 0720']],
  ['el cuatro de noviembre', ['date 11-04']],
  ['el 24 de mayo de 2026', ['date 2026-05-24']],
  ['primero de mayo', ['date 05-01']],
  ['veintidós de julio del ochenta y uno', ['date 1981-07-22']],
  ['el día quince', ['date day-15']],
  ['3/11', ['date 11-03']],
  ['el miércoles', ['date weekday-3']],
  ['somos veintitrés personas', ['count:people 23']],
  ['para cuarenta y dos', ['count 42']],
  ['ciento cincuenta euros', ['money 150']],
  ['doce euros con cincuenta', ['money 12.5']],
  ['12,50 €', ['money 12.5']],
  ['mil doscientos pesos', ['money 1200']],
  ['seis uno dos, treinta y cuatro, cincuenta y seis, setenta y ocho', ['code 612345678']],
  ['be a erre', ['spelling BAR']],
  ['ana punto lopez arroba correo punto es', ['email ana.lopez@correo.es']],
  ['no la grande, la pequeña', ['not size large', 'size small']],
  ['buenas tardes', []],
  ['mil gracias', []],
  ['hay una o dos cosas', ['count 2']],
  ['mañana por la mañana', ['day_from_now tomorrow', 'part_of_day morning']],
  ['y a qué hora', []],
])('the Spanish "%s" carries its values', (text, values) => {
  expect(valuesIn('es', text)).toEqual(values);
});
