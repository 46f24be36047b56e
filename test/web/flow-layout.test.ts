import { expect, test } from 'vitest';
import { type FlowFigures, layOut as layOutWithin } from '../../web/charts/flow-layout.ts';

const layOut = (flow: FlowFigures, room = 1_000) => layOutWithin(flow, room);

const step = (id: string, calls: number) => ({ id, label: id, calls, drops: 0, loops: 0 });

test('steps stand further to the right the further they are from where calls begin', () => {
  const { steps } = layOut({
    steps: [step('greet', 100), step('book', 60), step('confirm', 40)],
    transitions: [
      { from: 'greet', to: 'book', calls: 60 },
      { from: 'book', to: 'confirm', calls: 40 },
      { from: 'confirm', to: 'book', calls: 5 },
    ],
  });
  const x = (id: string) => steps.find((each) => each.id === id)?.x ?? Number.NaN;
  expect(x('greet')).toBeLessThan(x('book'));
  expect(x('book')).toBeLessThan(x('confirm'));
});

test('steps of one layer do not lie over each other', () => {
  const { steps } = layOut({ steps: [step('a', 100), step('b', 80), step('c', 2)], transitions: [] });
  const [a, b, c] = steps.toSorted((one, other) => one.y - other.y);
  expect((a?.y ?? 0) + (a?.height ?? 0)).toBeLessThan(b?.y ?? 0);
  expect((b?.y ?? 0) + (b?.height ?? 0)).toBeLessThan(c?.y ?? 0);
});

test('steps under one call in a hundred are folded, with what leads to them', () => {
  const flow = layOut({
    steps: [step('a', 1000), step('rare', 9)],
    transitions: [{ from: 'a', to: 'rare', calls: 9 }],
  });
  expect(flow.steps.map(({ id }) => id)).toEqual(['a']);
  expect(flow).toMatchObject({ edges: [], folded: 1 });
});

test('a flow that goes round in a circle is drawn all the same', () => {
  const { steps, edges } = layOut({
    steps: [step('a', 10), step('b', 20)],
    transitions: [
      { from: 'a', to: 'b', calls: 5 },
      { from: 'b', to: 'a', calls: 5 },
    ],
  });
  expect(steps.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
  expect(edges).toHaveLength(2);
});

test('a map fills the room that there is, and becomes wider only where its labels would say nothing', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const transitions = ids.slice(1).map((to, at) => ({ from: ids[at] ?? '', to, calls: 10 }));
  const within = (room: number) => layOut({ steps: ids.map((id) => step(id, 10)), transitions }, room).width;
  expect(Math.round(within(1_100))).toBe(1_100);
  expect(within(3_000)).toBeLessThan(1_600);
  expect(within(390)).toBeGreaterThan(800);
});

test('a label is never cut: it stands in as many lines as it needs', () => {
  const labels = ['Ask for the date of birth', 'check_availability_for_day', 'Donaudampfschifffahrtsgesellschaft'];
  const steps = labels.map((label, at) => ({ ...step(`s${at}`, 10), label }));
  const { steps: placed } = layOut({ steps, transitions: [] }, 120);
  const packed = (text: string) => text.replaceAll(' ', '');
  for (const { label, lines } of placed) {
    expect(packed(lines.join(''))).toBe(packed(label));
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(26);
  }
});
