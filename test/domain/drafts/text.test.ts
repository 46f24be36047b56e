import { describe, expect, test } from 'vitest';
import { applyChanges, type DraftChange, draftHashOf, TEXT_AT_MOST } from '../../../src/domain/drafts/apply-changes.ts';
import { textsBetween, withoutUnfilled } from '../../../src/domain/drafts/between-versions.ts';
import { diffOf } from '../../../src/domain/drafts/diff.ts';
import { partsOf, pathOfTarget, withTexts } from '../../../src/domain/drafts/parts.ts';
import { laidOver } from '../../../src/domain/drafts/rebase.ts';
import { frontDesk } from '../../support/drafts.ts';

const base = frontDesk();

describe('parts of a configuration', () => {
  test('are the texts that it is told or says, by path', () => {
    expect(partsOf(base).map(({ path, kind, label }) => [path, kind, label])).toEqual([
      ['/prompt', 'prompt', 'the prompt'],
      ['/firstMessage', 'first_message', 'the first message'],
      ['/nodes/greet/text', 'step', 'Greet'],
      ['/nodes/greet/edges/0/condition', 'edge', 'Greet → book'],
      ['/nodes/book/text', 'step', 'Book'],
      ['/tools/tool_1/description', 'tool', 'find_times'],
    ]);
  });

  test('of a flow have the first words in the step that it begins with', () => {
    const flow = frontDesk({ kind: 'flow', firstMessage: 'Ask what the caller wants.' });
    expect(partsOf(flow).map(({ path }) => path)).not.toContain('/firstMessage');
    expect(withTexts(flow, { '/nodes/greet/text': 'Say hello.' }).firstMessage).toBe('Say hello.');
  });

  test('with a slash or a tilde in an id are found by its escaped form', () => {
    const odd = frontDesk({ tools: [{ ...base.tools[0], id: 'a/b~c' } as (typeof base.tools)[number]] });
    expect(partsOf(odd).at(-1)?.path).toBe('/tools/a~1b~0c/description');
    expect(withTexts(odd, { '/tools/a~1b~0c/description': 'New' }).tools[0]?.description).toBe('New');
  });

  test('that share an id can not be told apart and are left alone', () => {
    const twice = frontDesk({ nodes: [...base.nodes, ...base.nodes.slice(0, 1)] });
    expect(partsOf(twice).map(({ path }) => path)).not.toContain('/nodes/greet/text');
  });

  test.each([
    ['tool', 'find_times', '/tools/tool_1/description'],
    ['node', 'greet', '/nodes/greet/text'],
    ['prompt', 'prompt', '/prompt'],
    ['platform', 'speech_synthesis', null],
  ])('a target of kind %s is opened where it is', (kind, id, path) => {
    expect(pathOfTarget(base, { kind, id, label: id })).toBe(path);
  });
});

describe('changes', () => {
  const apply = (...changes: DraftChange[]) => applyChanges(base, {}, changes);

  test('are laid one over the other', () => {
    const laid = apply(
      { path: '/prompt', find: 'front desk', replace: 'night desk' },
      { path: '/prompt', find: 'night desk', replace: 'late desk' },
    );
    expect('texts' in laid && laid.texts['/prompt']).toContain('You are the late desk.');
  });

  test('that come to the base again leave nothing', () => {
    const there = { path: '/prompt', find: 'front', replace: 'back' };
    expect(apply(there, { path: '/prompt', find: 'back', replace: 'front' })).toEqual({ texts: {} });
  });

  test.each<[string, DraftChange, object]>([
    ['words that are not there', { path: '/prompt', find: 'nowhere', replace: '' }, { field: 'find' }],
    ['words that are there twice', { path: '/prompt', find: 'o', replace: '' }, { field: 'find' }],
    ['a path that names nothing', { path: '/nodes/none/text', text: '' }, { field: 'path' }],
    ['a path of every object', { path: '__proto__', text: '' }, { field: 'path' }],
    ['a text that is too long', { path: '/prompt', text: 'x'.repeat(TEXT_AT_MOST + 1) }, { field: 'text' }],
  ])('%s are refused', (_, change, problem) => {
    expect(apply(change)).toMatchObject({ problem: { index: 0, ...problem } });
  });

  test('of words that overlap themselves are refused: which are meant can not be told', () => {
    const overlapping = applyChanges(frontDesk({ prompt: 'aaa' }), {}, [{ path: '/prompt', find: 'aa', replace: 'b' }]);
    expect(overlapping).toMatchObject({ problem: { field: 'find' } });
  });

  test('name the one that is at fault', () => {
    const fine = { path: '/prompt', text: 'Be kind.' };
    expect(apply(fine, { path: '/prompt', find: 'front', replace: '' })).toMatchObject({ problem: { index: 1 } });
  });
});

test('the hash is of the base and the texts, whatever their order', () => {
  const hash = draftHashOf('sha256:a', { '/a': '1', '/b': '2' });
  expect(hash).toBe(draftHashOf('sha256:a', { '/b': '2', '/a': '1' }));
  expect(new Set([hash, draftHashOf('sha256:b', { '/a': '1', '/b': '2' }), draftHashOf('sha256:a', {})]).size).toBe(3);
});

test('the difference goes by part and by line', () => {
  const after = `${base.prompt}\nBe brief.`;
  expect(diffOf(base, { '/nodes/book/text': 'Offer two times.', '/prompt': after })).toMatchObject([
    { path: '/prompt', before: base.prompt, after, lines: [{ before: null, after: { line: 4, text: 'Be brief.' } }] },
    { path: '/nodes/book/text', lines: [{ before: { text: 'Offer a time.' }, after: { text: 'Offer two times.' } }] },
  ]);
});

describe('a draft laid over another version', () => {
  const now = frontDesk({ prompt: 'Another prompt.' });

  test('keeps its texts where only other parts have changed', () => {
    expect(laidOver(base, now, { '/firstMessage': 'Hi.' })).toEqual({ texts: { '/firstMessage': 'Hi.' } });
  });

  test('is in conflict where both changed one part', () => {
    expect(laidOver(base, now, { '/prompt': 'Mine.' })).toEqual({ conflicts: ['/prompt'] });
  });

  test('has nothing left to say where the platform has the same text by now', () => {
    expect(laidOver(base, now, { '/prompt': 'Another prompt.' })).toEqual({ texts: {} });
  });

  test('is in conflict where the part is gone', () => {
    expect(laidOver(base, frontDesk({ nodes: [] }), { '/nodes/book/text': 'x' })).toEqual({
      conflicts: ['/nodes/book/text'],
    });
  });
});

test('what a version changed of the texts of the one before is what a draft of it would have changed', () => {
  const after = frontDesk({ firstMessage: 'Good day.', nodes: [] });
  expect(textsBetween(base, after)).toEqual({ '/firstMessage': 'Good day.' });
  expect(textsBetween(base, base)).toEqual({});
});

test('sentences with a variable that nothing fills can be left out', () => {
  const told = frontDesk({
    prompt: 'Be kind, {{agent_name}}. Parking: {{parking_note}}. Be brief.',
    variables: { first_name: 'Ann', parking_note: null, agent_name: 'Robin' },
  });
  expect(withoutUnfilled(told)).toEqual({ '/prompt': 'Be kind, {{agent_name}}. Be brief.' });
});
