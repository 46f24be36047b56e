import { expect, test } from 'vitest';
import { effectOf } from '../../../src/domain/calls/tool-effects.ts';
import { splitName } from '../../../src/domain/calls/tool-words.ts';

test.each([
  ['termin_buchen', 'write'],
  ['tischReservieren', 'write'],
  ['rückruf_notieren', 'write'],
  ['freie_termine', 'read'],
  ['kunde_suchen', 'read'],
  ['anruf_weiterleiten', 'transfer'],
  ['cancelar_pedido', 'write'],
  ['consultar_disponibilidad', 'read'],
  ['transferir_llamada', 'transfer'],
  ['prendre_rdv', 'write'],
  ['vérifier_stock', 'read'],
  ['transferer_appel', 'transfer'],
  ['book_table', 'write'],
  ['get_prices', 'read'],
])('a tool named "%s" is known to %s', (name, effect) => {
  expect(effectOf(splitName(name), null)).toBe(effect);
});

test('an English name stays as it is', () => {
  expect(splitName('bookTable')).toEqual(['book', 'table']);
});
