import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package whose code became part of another one, with the licence that has to go along. */
export interface Bundled {
  name: string;
  version: string;
  license: string;
  text: string;
}

const FOLDER = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** @param modules files that a bundle was made of. @throws Error where a package brings no licence along. */
export function bundledPackages(modules: string[]): Bundled[] {
  const folders = modules.flatMap((file) => FOLDER.exec(file.replaceAll('\\', '/'))?.[1] ?? []);
  return [...new Set(folders)].map(describe).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(folder: string): Bundled {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  if (!file) throw new Error(`${name} brings no licence along, so its code cannot be part of a package.`);
  return { name, version, license, text: readFileSync(join(folder, file), 'utf8') };
}
