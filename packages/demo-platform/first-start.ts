import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../../src/domain/json.ts';
import { parseJson } from '../../src/domain/parse-json.ts';
import { textOf } from '../../src/platforms/lenient.ts';

/**
 * The moment of the demo platform's first start, kept in the data folder, so that later starts show the same calls. A
 * file that can't be read counts as none.
 */
export async function readFirstStart(dataFolder: string, now: Date): Promise<Date> {
  const file = path.join(dataFolder, 'demo.json');
  const kept = parseJson(await readFile(file, 'utf8').catch(() => ''));
  const firstStart = isJsonObject(kept) ? Date.parse(textOf(kept.firstStart) ?? '') : Number.NaN;
  if (!Number.isNaN(firstStart)) return new Date(firstStart);
  await mkdir(dataFolder, { recursive: true });
  const written = `${file}.${process.pid}`;
  await writeFile(written, `${JSON.stringify({ firstStart: now.toISOString() })}\n`);
  await rename(written, file);
  return now;
}
