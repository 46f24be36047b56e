import { describe, expect, test } from 'vitest';
import { loadFindings } from './loads.ts';

const FILES: Record<string, string> = {
  'api/server.ts': `import { table } from '../src/table.ts';\nimport type { Far } from '../src/far.ts';\nconst late = () => import('../src/late.ts');`,
  'src/table.ts': `import 'zod';\nexport { one } from './verbs/one.ts';`,
  'src/verbs/one.ts': `import {\n  words,\n} from '../words/all.ts';\nimport { Agent } from 'undici';`,
  'src/words/all.ts': `export const words = [];`,
};
const read = (path: string) => FILES[path] ?? `import 'never';`;

describe('what a process loads when it starts', () => {
  test('is told with the way that leads to it, packages too', () => {
    expect(loadFindings('api/server.ts', ['src/words/', 'undici', 'zod'], read)).toEqual([
      'api/server.ts loads src/words/all.ts when it starts:\n  api/server.ts\n  → src/table.ts\n  → src/verbs/one.ts\n  → src/words/all.ts',
      expect.stringContaining('api/server.ts loads undici'),
      expect.stringContaining('api/server.ts loads zod'),
    ]);
  });

  test('is neither what only types come from nor what is imported later', () => {
    expect(loadFindings('api/server.ts', ['src/far.ts', 'src/late.ts', 'never'], read)).toEqual([]);
  });
});
