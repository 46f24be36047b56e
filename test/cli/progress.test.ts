import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { cleanLines, createPrinter, safeJson } from '../../cli/print.ts';

function printer(made: { isTTY: boolean; columns?: number }) {
  let said = '';
  const notes = Object.assign(new PassThrough(), made) as unknown as NodeJS.WriteStream;
  notes.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return { print: createPrinter(process.stdout, notes, {}), said: () => said };
}

test('without a terminal each new stage is a line, and what merely counts up is not', () => {
  const { print, said } = printer({ isTTY: false });
  print.progress('Queued', '0 of 3 cells');
  print.progress('Queued', '0 of 3 cells');
  print.progress('Playing', '1 of 3 cells');
  print.progress('Playing', '2 of 3 cells');
  print.endProgress();
  expect(said()).toBe('Queued: 0 of 3 cells\nPlaying: 1 of 3 cells\n');
});

test('on a terminal one line is written over, no longer than the terminal, and a note begins below it', () => {
  const { print, said } = printer({ isTTY: true, columns: 20 });
  print.progress('Playing', '1 of 300 cells of it');
  print.progress('Playing', '2');
  print.note('Done.');
  print.endProgress();
  expect(said()).toBe('\r\u001b[2KPlaying: 1 of 300…\r\u001b[2KPlaying: 2\nDone.\n');
});

test('nothing of a message can move the cursor', () => {
  const { print, said } = printer({ isTTY: false });
  print.progress('\u001b[2JPlaying\u202e', '');
  expect(said()).toBe('[2JPlaying\n');
});

test('words of calls never move the cursor, neither in JSON, which keeps them, nor in what went wrong', () => {
  const said = 'Hi\u001b[2J\u009b31m\u202eolleH';
  const json = safeJson({ said });
  expect(json).toBe('{"said":"Hi\\u001b[2J\\u009b31m\\u202eolleH"}');
  expect(JSON.parse(json)).toEqual({ said });
  expect(cleanLines(`No test ${said}\nSee the list.`)).toBe('No test Hi[2J31molleH\nSee the list.');
});
