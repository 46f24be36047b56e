import { expect, test } from 'vitest';
import { publishingRefused } from '../../../src/domain/drafts/publishing-terms.ts';

test.each([
  ['a prompt of Retell', 'retell', 'prompt', '/prompt', null],
  ['an edge of Retell', 'retell', 'prompt', '/nodes/a/edges/b/condition', null],
  ['an edge of Vapi', 'vapi', 'prompt', '/nodes/a/edges/b/condition', /no edges/],
  ['a prompt of Vapi', 'vapi', 'prompt', '/prompt', null],
  ['a squad of Vapi', 'vapi', 'squad', '/prompt', /one by one/],
  ['a tool of Vapi', 'vapi', 'prompt', '/tools/a/description', null],
  ['a tool of ElevenLabs', 'elevenlabs', 'prompt', '/tools/a/description', /change them at the platform/],
  ['a prompt of ElevenLabs', 'elevenlabs', 'prompt', '/prompt', null],
  ['an agent that sends its calls', 'livekit', 'prompt', '/prompt', /by hand/],
] as const)('%s', (_, platform, kind, path, refused) => {
  const answer = publishingRefused(platform, { kind }, ['/firstMessage', path]);
  if (refused === null) expect(answer).toBeNull();
  else expect(answer).toMatch(refused);
});
