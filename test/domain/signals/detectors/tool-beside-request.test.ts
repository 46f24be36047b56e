import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/domain/json.ts';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../../acts/talk.ts';
import { type Line, scripted } from '../scripted-call.ts';
import { turnsOf } from './turns-of.ts';

const CODE = 'tool_beside_request';
const ASKED = ['a: Hello.', 'c: i would like a green scarf'];

describe('a search for what nobody has named', () => {
  const searched = (query: string, tool = 'search_products', prompt: string | null = null) =>
    turnsOf(
      CODE,
      [...ASKED, { call: tool, args: { query } }, { result: tool, body: { items: [] } }, 'a: One moment.'],
      prompt === null ? {} : { configuration: { prompt } },
    );

  test.each([
    ['another thing', 'umbrella', [3]],
    ['the thing', 'scarf', []],
    ['the thing and what kind of thing it is', 'green woollen accessories', []],
    ['two things, one of them another', 'scarf, umbrella', [3]],
    ['either of two things', 'scarf OR umbrella', [3]],
    ['a number', '4711', []],
    ['small words', 'to it', []],
    ['more words than a search has', 'umbrella parasol raincoat wellingtons hat gloves boots', []],
    ['a text longer than a search', `umbrella ${'x'.repeat(120)}`, []],
  ])('%s: "%s"', (_, query, turns) => {
    expect(searched(query)).toEqual(turns);
  });

  test.each(['search_faq', 'knowledge_search', 'create_product'])('is none in %s', (tool) => {
    expect(searched('umbrella', tool)).toEqual([]);
  });

  test('is none where the prompt names it', () => {
    expect(searched('umbrella', 'search_products', 'We sell scarves and umbrella covers.')).toEqual([]);
  });

  test('is one where only the greeting named it, which nobody had asked for', () => {
    const lines = (greeting: string) => [
      greeting,
      'c: i would like a green scarf',
      { call: 'search_products', args: { query: 'umbrella' } },
      { result: 'search_products', body: {} },
      'a: One moment.',
    ];
    expect(turnsOf(CODE, lines('a: Scarf or umbrella?'))).toEqual([3]);
    expect(turnsOf(CODE, lines('c: an umbrella, please'))).toEqual([]);
  });

  test('is none where a tool had answered with it before', () => {
    const before = [
      { call: 'search_products', args: { query: 'scarf' } },
      { result: 'search_products', body: { items: [{ label: 'umbrella' }] } },
    ];
    const after = [
      { call: 'search_products', args: { query: 'umbrella' } },
      { result: 'search_products', body: {} },
      'a: One moment.',
    ];
    expect(turnsOf(CODE, [...ASKED, ...before, ...after])).toEqual([]);
    expect(turnsOf(CODE, [...ASKED, ...after.slice(0, 2), ...before, 'a: One moment.'])).toEqual([3]);
  });

  test('quotes nothing where no answer was recorded', () => {
    const lines = [...ASKED, { call: 'search_products', args: { query: 'umbrella' } }, 'a: One moment.'];
    const call = scripted(lines.map((line): Line => (typeof line === 'string' ? asLine(line) : line)));
    const found = analyseCall(call, {}).signals.filter(({ code }) => code === CODE);
    expect(found).toMatchObject([{ turnIndex: 2, quote: '', detail: expect.stringContaining('"umbrella"') }]);
  });
});

describe('a tool that is used on one of the things that a search had found', () => {
  const SCARF = { product_id: 'p-1', name: 'Woollen scarf' };
  const LAMP = { product_id: 'p-2', name: 'Desk lamp' };
  const used = (args: Json, body: Json = { items: [SCARF, LAMP] }, asked: readonly string[] = ASKED) =>
    turnsOf(CODE, [
      ...asked,
      { call: 'search_products', args: { query: 'scarf' } },
      { result: 'search_products', body },
      { call: 'add_to_cart', args },
      { result: 'add_to_cart', body: { success: true } },
      'a: It is in your cart.',
    ]);

  test.each([
    ['that was asked for', { product_id: 'p-1' }, []],
    ['that nobody had spoken of', { product_id: 'p-2' }, [5]],
    ['that nobody had spoken of, beside one that was', { gift_for: 'p-1', product_id: 'p-2' }, [5]],
    ['which it had not found', { product_id: 'p-3' }, []],
    ['by its number', { product_id: 2 }, []],
  ])('%s', (_, args, turns) => {
    expect(used(args)).toEqual(turns);
  });

  test.each([
    ['deep inside the answer', { data: { pages: [{ items: [LAMP] }] } }, [5]],
    ['deeper than anybody reads', [[[[[[[LAMP]]]]]]], []],
    ['without a name', { items: [{ product_id: 'p-2' }] }, []],
    ['whose name is a number', { items: [{ product_id: 'p-2', name: 7 }] }, []],
  ])('found %s', (_, body, turns) => {
    expect(used({ product_id: 'p-2' }, body)).toEqual(turns);
  });

  test('of which somebody spoke before', () => {
    expect(used({ product_id: 'p-2' }, { items: [LAMP] }, [...ASKED, 'a: A scarf?', 'c: and a lamp'])).toEqual([]);
  });

  test('is named in the finding', () => {
    const call = scripted([
      { c: 'I would like a green scarf.' },
      { call: 'search_products', args: { query: 'scarf' } },
      { result: 'search_products', body: { items: [LAMP] } },
      { call: 'add_to_cart', args: { product_id: 'p-2' } },
      { result: 'add_to_cart', body: { success: true } },
      { a: 'It is in your cart.' },
    ]);
    const found = analyseCall(call, {}).signals.filter(({ code }) => code === CODE);
    expect(found.map(({ detail }) => detail)).toEqual([
      '"add_to_cart" was used on "Desk lamp", and nobody had spoken of it.',
    ]);
  });

  test('in a record of the caller is no finding: it belongs to the request', () => {
    const lines: (string | Line)[] = [
      ...ASKED,
      { call: 'get_orders', args: { phone: '555' } },
      { result: 'get_orders', body: { items: [LAMP] } },
      { call: 'add_to_cart', args: { product_id: 'p-2' } },
      { result: 'add_to_cart', body: { success: true } },
      'a: It is in your cart.',
    ];
    expect(turnsOf(CODE, lines)).toEqual([]);
  });
});
