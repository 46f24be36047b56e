import { expect, test } from 'vitest';
import { isToBeUndone, whatIsLive } from '../../../src/domain/drafts/what-is-live.ts';
import { frontDesk } from '../../support/drafts.ts';

const before = { '/prompt': 'Be kind.', '/firstMessage': 'Hello.' };
const after = { '/prompt': 'Be quick.', '/firstMessage': 'Hi.' };

test.each([
  ['the text from before, with another setting', 'Be kind.', 'Hello.', false, false],
  ['the text from before in a version of ours', 'Be kind.', 'Hello.', true, false],
  ['the new text, with another setting', 'Be quick.', 'Hi.', false, true],
  ['half of the new text', 'Be quick.', 'Hello.', false, true],
  ['words of somebody else', 'Mine.', 'Hello.', false, false],
  ['words of somebody else beside ours', 'Mine.', 'Hi.', false, false],
  ['garbled words in a version of ours', 'BE QUICK.', 'HI.', true, true],
])(
  'of a publish after which %s are live, what is written back is told apart',
  (_, prompt, firstMessage, isOwn, undone) => {
    const live = frontDesk({ prompt, firstMessage });
    expect(isToBeUndone(live, { texts: after, textsBefore: before }, isOwn)).toBe(undone);
  },
);

test.each([
  ['what was to be', frontDesk({ prompt: 'Be quick.' }), 'target'],
  [
    'what was to be, with variables of its own text',
    frontDesk({ prompt: 'Be quick.', variables: { city: 'Bonn' } }),
    'target',
  ],
  ['what was before', frontDesk({ prompt: 'Be kind.' }), 'before'],
  ['a letter of somebody else', frontDesk({ prompt: 'Be quick!' }), 'other'],
  ['another setting beside the new text', frontDesk({ prompt: 'Be quick.', voice: 'b-voice' }), 'other'],
])('after a publish %s is live', (_, live, is) => {
  const [target, was] = [frontDesk({ prompt: 'Be quick.' }), frontDesk({ prompt: 'Be kind.' })];
  expect(whatIsLive(live, { target, before: was })).toBe(is);
});
