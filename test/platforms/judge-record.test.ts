import { expect, test } from 'vitest';
import { judgeRecord } from '../../src/operations/ingest/judge-record.ts';

test('between two records others have their turn of the event loop', async () => {
  let turns = 0;
  let judged = 0;
  const count = () => {
    turns += 1;
    if (judged < 20) setImmediate(count);
  };
  setImmediate(count);
  for (; judged < 20; judged += 1) {
    await judgeRecord({ line: judged, state: 'record', text: '{"id":"a","turns":[]}' }, Date.UTC(2030, 0, 1));
  }
  expect(turns).toBeGreaterThanOrEqual(19);
});
