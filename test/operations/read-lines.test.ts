import { expect, test } from 'vitest';
import { AnalysisFailed } from '../../src/analyser/analyser.ts';
import { orRefused } from '../../src/operations/imports/read-lines.ts';

test('a body that was read too slowly is asked for again, one that can not be read is refused', async () => {
  const late = new AnalysisFailed('The analysis did not end within 10 s and was stopped.', { wasLate: true });
  await expect(orRefused(Promise.reject(late))).rejects.toMatchObject({ code: 'request_timeout', status: 408 });
  const broken = new AnalysisFailed('The analysis needed more than 512 MB and was stopped.');
  await expect(orRefused(Promise.reject(broken))).rejects.toMatchObject({ code: 'invalid_body', status: 400 });
  await expect(orRefused(Promise.resolve(7))).resolves.toBe(7);
});
