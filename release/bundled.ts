import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package whose code became part of another one, with the licence that has to go along. */
export interface Bundled {
  name: string;
  version: string;
  license: string;
  text: string;
}

/** Packages that name their licence without its text, and a package of the same author that has it. */
export const SAME_TEXT: Record<string, string> = { 'react-remove-scroll-bar': 'react-remove-scroll' };

const FOLDER = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** @param modules files that a bundle was made of. @throws Error where a package brings no licence along. */
export function bundledPackages(modules: string[]): Bundled[] {
  const folders = modules.flatMap((file) => FOLDER.exec(file.replaceAll('\\', '/'))?.[1] ?? []);
  return [...new Set(folders)].map(describe).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(folder: string): Bundled {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const other = SAME_TEXT[name];
  const textIn = other === undefined ? folder : join(folder.slice(0, -name.length), other);
  const file = readdirSync(textIn).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  if (!file) throw new Error(`${name} brings no licence along, so its code cannot be part of a package.`);
  return { name, version, license, text: readFileSync(join(textIn, file), 'utf8') };
}

export function noticesOf(bundled: Bundled[]): string {
  const notices = bundled.map(({ name, version, license, text }) => `## ${name} ${version} (${license})\n\n${text}`);
  return ['# Packages whose code is part of this one\n', ...notices].join('\n');
}
