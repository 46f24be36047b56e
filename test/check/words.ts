import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import type { CheckResult } from './check.ts';

/** Rooms that hold words of their own, which no call is read by. */
const APART: Readonly<Record<string, string>> = {
  'src/domain/words/': 'where words of languages stand',
  'src/domain/personal/': 'forms of personal data and names',
  'src/domain/packs/': 'lines that attackers say',
  'src/domain/watches/': 'sentences that people write to us, in English',
  'src/domain/runs/': 'simulated callers and judges',
  'src/domain/goals/': 'sentences that people write to us, in English',
};
/** Fewer words in a row are a closed set of the logic. */
const ROW_AT_LEAST = 7;
const LETTERS_OF_OTHERS = /[À-ÖØ-öø-ÿœŒß]/;
const WORD = /^[a-z][a-z'-]*$/;

/** Words are data: lists of words and phrases of a language stand in src/domain/words, one folder a language, and the logic knows none. */
export function words(project: string): CheckResult {
  const files = globSync('src/domain/**/*.ts', { cwd: project })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !Object.keys(APART).some((room) => path.startsWith(room)));
  const findings = files.flatMap((path) => wordFindings(path, readFileSync(join(project, path), 'utf8')));
  return { ok: findings.length === 0, text: `${files.length} files hold no words`, details: findings.join('\n') };
}

/** Each row of words and each wording in another language than English, one sentence each. */
export function wordFindings(path: string, text: string): string[] {
  const findings: string[] = [];
  const find = (offset: number, what: string) => {
    const line = text.slice(0, offset).split('\n').length;
    findings.push(`${path}:${line} holds ${what}: words of a language belong in src/domain/words.`);
  };
  walk(parseAst(text, { lang: 'ts' }, path), (node) => {
    const said = textOf(node);
    if (said !== null && LETTERS_OF_OTHERS.test(said)) find(node.start, 'a wording that is not English');
    const row = rowOf(node);
    if (row !== null && row.length >= ROW_AT_LEAST && row.every((word) => WORD.test(word)))
      find(node.start, `a row of ${row.length} words`);
  });
  return findings;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function walk(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const one of value) walk(one, see);
    return;
  }
  if (!isNode(value)) return;
  see(value);
  for (const child of Object.values(value)) walk(child, see);
}

/** The text of a string, a piece of a template, or a regular expression without its escapes; null for all else. */
function textOf(node: Node): string | null {
  if (node.type === 'TemplateElement') return (node['value'] as { cooked: string | null }).cooked;
  if (node.type !== 'Literal') return null;
  const { regex, value } = node as { regex?: { pattern: string }; value?: unknown };
  if (regex !== undefined) return regex.pattern.replaceAll(/\[[^\]]*\]/g, '');
  return typeof value === 'string' ? value : null;
}

/** A text that is cut at once ("…".split(' ')), or a set of texts; null for all else. */
function rowOf(node: Node): string[] | null {
  if (node.type === 'NewExpression') {
    const [set] = node['arguments'] as unknown[];
    if (!isNode(set) || set.type !== 'ArrayExpression') return null;
    const texts = (set['elements'] as unknown[]).map((one) => (isNode(one) ? textOf(one) : null));
    return texts.every((one) => one !== null) ? texts : null;
  }
  if (node.type !== 'CallExpression') return null;
  const { callee } = node;
  if (!isNode(callee)) return null;
  const isCut =
    callee.type === 'MemberExpression' && isNode(callee['property']) && callee['property']['name'] === 'split';
  const isWords = callee.type === 'Identifier' && /^(?:words|wordSet|split)$/.test(String(callee['name']));
  const [first] = node['arguments'] as unknown[];
  const from = isCut ? callee['object'] : isWords ? first : null;
  if (!isNode(from)) return null;
  const text = from.type === 'TemplateLiteral' ? textOf((from['quasis'] as Node[])[0] as Node) : textOf(from);
  return text === null ? null : text.split(/[\s/]+/).filter((word) => word !== '');
}
