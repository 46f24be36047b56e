import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { toolNamed } from '../../support/played.ts';
import { asLine } from '../acts/talk.ts';
import { BY_AGENT } from './detectors/turns-of.ts';
import { type Line, scripted } from './scripted-call.ts';

/** Calls on which nothing goes wrong, each of which an earlier form of a rule took for a fault. */
interface Healthy {
  name: string;
  language: string;
  endedBy?: 'agent';
  startedAt?: string;
  tools?: string[];
  prompt?: string;
  lines: (string | Line)[];
}

const CALLS: Healthy[] = JSON.parse(readFileSync(new URL('healthy-calls.json', import.meta.url), 'utf8'));

test.each(CALLS)(
  'nothing goes wrong on $name',
  ({ language, endedBy, startedAt = null, tools = [], prompt = null, lines }) => {
    const call = scripted(
      lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
      {
        ...(endedBy ? BY_AGENT : {}),
        language,
        startedAt,
        configuration: { tools: tools.map((name) => toolNamed(name)), prompt },
      },
    );
    expect(analyseCall(call, {}).signals.map(({ code, turnIndex }) => `${code} ${turnIndex}`)).toEqual([]);
  },
);
