import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CALL_DICTIONARY } from '../../../src/db/calls/call-dictionary.ts';
import { openPayload, sealPayload } from '../../../src/db/calls/payloads.ts';
import { payloadPlace } from '../../../src/db/secrets/sealed-places.ts';
import type { Json } from '../../../src/domain/json.ts';
import { makeCall, testVault, turn } from '../../support/analysed-calls.ts';

const CALL = { workspaceId: '00000000-0000-7000-8000-000000000001', callId: '00000000-0000-7000-8000-000000000002' };
const PLACE = payloadPlace(CALL.workspaceId, CALL.callId);

const again = (payload: Json) => openPayload(testVault, CALL, sealPayload(testVault, CALL, payload));

test.each<[string, Json]>([
  ['an empty record', {}],
  ['a record with other letters', { call_id: 'é 文 🙂', transcript: 'Agent: Grüezi.' }],
  ['more than a block of text', { text: Array.from({ length: 40_000 }, (_, at) => at.toString(36)).join(' ') }],
])('%s comes back as it was sealed', (_, payload) => {
  expect(again(payload)).toEqual(payload);
});

test('what was stored before there was a dictionary opens', () => {
  // Written by the code before 2026-11-26.
  const stored =
    '////AlzwaS857B6myWOo/vgh0vhxIRZ86BV7PVBuNS2IWDP9XRH1/o8Pnb4X3q63qK5ouzAudpAaFtAawbPhs7xlGqGVlbwISQ/F66TR65/mo+BlTKC7wWowzNyyA4lxP3KQ3kbHqEAOATgCLK7HCSNM/uJtf6W0JnT6';
  const payload = { call_id: 'call_1', transcript: 'Agent: Hello.\nUser: Where is my parcel?\n' };
  expect(openPayload(testVault, CALL, Buffer.from(stored, 'base64'))).toEqual(payload);
});

test('the dictionary is the one that stored payloads were compressed with', () => {
  const digest = createHash('sha256').update(CALL_DICTIONARY).digest('hex');
  expect(digest).toBe('a7c9b383a9ac3f5bb3138de4b32f35a77894e63e5c2941ffb532966d1bfb6636');
});

test('a record of a call takes at least a fifth fewer bytes than without the dictionary', () => {
  const turns = Array.from({ length: 12 }, (_, at) => ({
    ...turn(at, at % 2 === 0 ? 'agent' : 'caller', `Words of line ${at}, ${at * 7919}`),
    startMs: at * 4_000,
    endMs: at * 4_000 + 2_500,
  }));
  const payload = JSON.parse(JSON.stringify(makeCall({ providerCallId: 'c1', turns })));
  const before = testVault.sealBytes(zstdCompressSync(JSON.stringify(payload)), PLACE).length;
  expect(sealPayload(testVault, CALL, payload).length).toBeLessThan(before * 0.8);
});

test('bytes that were altered are refused, and so are those of a form that is not known', () => {
  const sealed = sealPayload(testVault, CALL, { call_id: 'call_1' });
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => openPayload(testVault, CALL, sealed)).toThrow('authenticate');
  const unknown = testVault.sealBytes(Buffer.from([2, 1, 1]), PLACE);
  expect(() => openPayload(testVault, CALL, unknown)).toThrow('Unknown frame');
});
