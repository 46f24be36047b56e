import { expect, test } from 'vitest';
import { toolSlow } from '../../../../src/domain/signals/detectors/tool-slow.ts';
import { readCall } from '../../../../src/domain/signals/reading.ts';
import { scripted } from '../scripted-call.ts';

function found(body: { times: string[] } | { error: string }) {
  const call = scripted([{ c: 'When can I come?' }, { call: 'find_times' }, { result: 'find_times', body, ms: 9000 }]);
  return toolSlow.detect(readCall(call), call, { slowMs: 5000, slowWithoutFillerMs: 2500 });
}

test('what fails slowly is a failure and no slow tool beside it', () => {
  expect(found({ times: ['10:00'] })).toHaveLength(1);
  expect(found({ error: 'the service did not respond in time' })).toEqual([]);
  expect(found({ error: 'not enough places' })).toHaveLength(1);
});
