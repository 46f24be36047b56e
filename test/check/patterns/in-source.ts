import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import type { Kept } from './kept.ts';

/** A regular expression and where it stands. */
export interface Pattern {
  source: string;
  flags: string;
  /** `src/domain/once.ts:12` */
  at: string;
}

export interface Found {
  patterns: Pattern[];
  /** Where one is put together only while the program runs, so that nobody knows it before. */
  unknown: string[];
}

const PARTS = '{activities,api,cli,packages,release,src,web,workflows}/**/*.{js,jsx,mjs,ts,tsx}';
const isOurs = (path: string) => !/node_modules|\/dist\/|\.d\.ts$/.test(path);

/** Every regular expression of the program: those that are written, and those that its modules make of constants as they load. */
export function patternsInSource(project: string, kept: Kept): Found {
  const files = globSync(PARTS, { cwd: project }).filter(isOurs);
  const patterns: Pattern[] = [];
  const calls = new Set<string>();
  for (const path of files) {
    const text = readFileSync(join(project, path), 'utf8');
    const found = kept.of('file', `${path}\0${text}`, () => inFile(path, text));
    patterns.push(...found.patterns);
    for (const at of found.calls) calls.add(at);
  }
  const made =
    calls.size === 0 ? [] : madeByModules(project, [...new Set([...calls].map((at) => at.split(':')[0] ?? ''))]);
  const known = new Set(made.map(({ at }) => at));
  return { patterns: [...patterns, ...made], unknown: [...calls].filter((at) => !known.has(at)) };
}

/** A slash that divides nothing, ends no tag and stands in no path, or the name: reading a file costs more than to look. */
const MAY_HOLD_ONE =
  /(?:[^\w\s)\]}>'"`.<*/$]|=>|\b(?:return|case|typeof|yield|await|of|in|instanceof|void|delete)|^)\s*\/(?![/*])|\bRegExp\b/;

/** `calls`: where `RegExp` is called. */
export function inFile(path: string, text: string): { patterns: Pattern[]; calls: string[] } {
  const patterns: Pattern[] = [];
  const calls: string[] = [];
  if (!MAY_HOLD_ONE.test(text)) return { patterns, calls };
  const lineAt = (offset: number) => `${path}:${text.slice(0, offset).split('\n').length}`;
  const see = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const one of node) see(one);
      return;
    }
    if ('type' in node && 'start' in node && typeof node.start === 'number') {
      if (node.type === 'Literal' && 'regex' in node) {
        const { pattern, flags } = node.regex as { pattern: string; flags: string };
        patterns.push({ source: pattern, flags, at: lineAt(node.start) });
      }
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
      if (isCall && 'callee' in node && isNamedRegExp(node.callee)) calls.push(lineAt(node.start));
    }
    for (const child of Object.values(node)) see(child);
  };
  see(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path));
  return { patterns, calls };
}

const isNamedRegExp = (callee: unknown): boolean =>
  typeof callee === 'object' && callee !== null && 'name' in callee && callee.name === 'RegExp';

/** Loads the modules in a process whose `RegExp` writes down what it makes. */
function madeByModules(project: string, paths: readonly string[]): Pattern[] {
  const script = fileURLToPath(new URL('write-made.ts', import.meta.url));
  const out = execFileSync(process.execPath, [script, project, ...paths], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(out) as Pattern[];
}
