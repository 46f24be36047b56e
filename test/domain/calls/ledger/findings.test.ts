import { expect, test } from 'vitest';
import { readCall } from '../../../../src/domain/signals/reading.ts';
import { scripted } from '../../signals/scripted-call.ts';
import { rulesIn } from './found.ts';

test('the record is not read where the language has no phrases, or where there are no tools', () => {
  expect(rulesIn([{ c: 'It is R five.' }, { a: '$5 has been refunded.' }])).toEqual([]);
});

test('every quote stands in its turn', () => {
  const call = scripted([
    { c: 'When does parcel K47B19 come?' },
    { call: 'find_parcel', args: { parcel: 'K47B19' } },
    { result: 'find_parcel', body: { delivery_date: '2026-06-18' } },
    { a: 'Hello. It comes on June 21st. Bye.' },
  ]);
  const findings = readCall(call).findings();
  expect(findings).toHaveLength(1);
  for (const finding of findings) expect(call.call.turns[finding.turn]?.text).toContain(finding.quote);
});
