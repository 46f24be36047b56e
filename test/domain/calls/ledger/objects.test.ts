import { describe, expect, test } from 'vitest';
import { toolNamed } from '../../../support/played.ts';
import type { Line } from '../../signals/scripted-call.ts';
import { rulesIn, used } from './found.ts';

const configuration = {
  tools: ['update_address', 'update_newsletter', 'cancel_membership', 'get_member'].map((name) => toolNamed(name)),
};
const ADDRESS = used('update_address', { street: 'Mill Lane 4' }, { ok: true });
const found = (lines: readonly Line[]) => rulesIn(lines, { configuration });

describe('a thing that the agent says it worked on', () => {
  const told = (line: string, before: readonly Line[] = ADDRESS) =>
    found([{ c: 'I have moved.' }, ...before, { a: line }]);

  test.each([
    ['of another tool', 'Your newsletter has been updated.'],
    ['of another tool, by its beginning', "I've also updated your newsletters."],
    ['of another tool, in the plural', 'Both memberships have been cancelled.'],
    ['in American spelling', 'Your membership has been canceled.'],
  ])('was never touched: %s', (_, line) => {
    expect(told(line)).toEqual(['thing_untouched']);
  });

  test.each([
    ['of the tool that ran', 'Your address has been updated.'],
    ['that no tool is named after', 'Your voucher has been sent.'],
    ['that was not done', 'Your newsletter has not been updated.'],
    ['that was not done, in a short form', "Your address is new; your newsletter couldn't and hasn't been updated."],
    ['on a condition', 'Once your newsletter has been updated you get a note.'],
    ['that will be done', 'Your newsletter will have been updated by Friday.'],
    ['as a question', 'Has your newsletter been updated before?'],
    ['in other words', 'Our newsletter is a good read.'],
  ])('is left alone: %s', (_, line) => {
    expect(told(line)).toEqual([]);
  });

  test('was touched by an argument of that name', () => {
    const both = used('update_address', { street: 'Mill Lane 4', newsletter: 'weekly' }, { newsletter: 'weekly' });
    expect(told('Your newsletter has been updated.', both)).toEqual([]);
  });

  test('was not touched where its tool failed', () => {
    const failed: Line[] = [
      { call: 'update_newsletter', args: {} },
      { result: 'update_newsletter', body: { error: 'time-out' }, ok: false },
    ];
    expect(told('Your newsletter has been updated.', [...ADDRESS, ...failed])).toContain('thing_untouched');
  });

  test('is not read where the agent has one writing tool alone', () => {
    const looked = used('get_member', {}, { name: 'Ito' });
    const lines: Line[] = [{ c: 'I have moved.' }, ...looked, { a: 'Your newsletter has been updated.' }];
    expect(rulesIn(lines, { configuration: { tools: [toolNamed('update_newsletter')] } })).toEqual([]);
  });
});

describe('a part of what the caller confirmed', () => {
  const plan = 'I will update the address to Mill Lane 4.\nI will update the newsletter to weekly.\nShall I proceed?';
  const talk = (reply: string, after: readonly Line[] = ADDRESS, offer = plan) =>
    found([
      { c: 'I have moved, and I want the newsletter weekly.' },
      { a: offer },
      { c: reply },
      ...after,
      { a: 'All set.' },
    ]);

  test('was dropped where its tool never ran, though another part was done', () => {
    expect(talk('Yes, please.')).toContain('part_dropped');
  });

  test.each([
    ['the caller said no', 'No, leave that.'],
    ['the caller changed it', 'Yes, but only the address.'],
    ['the caller thought again', 'Yes, actually wait.'],
  ])('was not dropped where %s', (_, reply) => {
    expect(talk(reply)).not.toContain('part_dropped');
  });

  test('was not dropped where both were done', () => {
    const both = [...ADDRESS, ...used('update_newsletter', { rhythm: 'weekly' }, { ok: true })];
    expect(talk('Yes, please.', both)).not.toContain('part_dropped');
  });

  test('was not dropped where nothing at all was done: that is another fault', () => {
    expect(talk('Yes, please.', [])).not.toContain('part_dropped');
  });

  test.each([
    ['can not be', "I will update the address to Mill Lane 4.\nI can't update the newsletter.\nShall I proceed?"],
    [
      'did not come off',
      "I will update the address to Mill Lane 4.\nI couldn't update the newsletter.\nShall I proceed?",
    ],
    [
      'is so already',
      'I will update the address to Mill Lane 4.\nNo need to update the newsletter, it already is weekly.\nShall I proceed?',
    ],
  ])('was not dropped where the agent says that it %s', (_, offer) => {
    expect(talk('Yes, please.', ADDRESS, offer)).not.toContain('part_dropped');
  });
});
