import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseDocument, stringify } from 'yaml';
import { PROGRAM } from '../src/layout.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

export interface FileOptions {
  agent?: string;
  dir?: string;
}

/** What a file holds: the settings of what the file's name, without its ending, names by its slug. */
export type Settings = Record<string, unknown>;

export interface NamedSettings {
  slug: string;
  settings: Settings;
}

/** Settings that are kept as files of a repository. */
export interface SettingsFiles {
  noun: string;
  /** Of the command line, under which they are pulled and pushed. */
  command: string;
  /** Where they are unless somebody says otherwise. */
  folder: string;
  /** As the server fills in what a file leaves out. */
  withDefaults(settings: Settings): Settings;
}

const IS_SETTINGS = /\.ya?ml$/i;

/** A file for each of the server's. A file that differs is kept, unless it is to be taken from the server. */
export async function pullFiles(
  { print, json }: Session,
  options: FileOptions & { force?: boolean },
  kind: SettingsFiles,
  stored: readonly NamedSettings[],
): Promise<void> {
  const folder = options.dir ?? kind.folder;
  await mkdir(folder, { recursive: true });
  const files = new Map((await filesIn(kind, folder)).map((file) => [file.slug, file]));
  const pulled = { written: [] as string[], unchanged: [] as string[], kept: [] as string[] };
  for (const { slug, settings } of stored) {
    const file = files.get(slug);
    const path = file?.path ?? join(folder, `${slug}.yaml`);
    if (file && isDeepStrictEqual(kind.withDefaults(file.settings), settings)) pulled.unchanged.push(path);
    else if (file && !options.force) pulled.kept.push(path);
    else {
      await writeFile(path, stringify(settings));
      pulled.written.push(path);
    }
  }
  if (json) return print.json(pulled);
  for (const path of pulled.written) print.line(`written   ${path}`);
  for (const path of pulled.kept) {
    print.line(
      `kept      ${path}: it differs from the server. Send it (${PROGRAM} ${kind.command} push), or take the server's: --force`,
    );
  }
  const { written, unchanged, kept } = pulled;
  print.line(`${folder}: ${written.length} written, ${unchanged.length} unchanged, ${kept.length} kept.`);
}

type SettingsFile = NamedSettings & { path: string };

/** What trying a file before anything is sent came to: sentences on what is wrong, or what is told of it. */
export type Tried<Told> = { problems: string[] } | { told: Told; line: string };

/**
 * Tries every file that is new or differs from the server's, then sends all of them: where one is wrong, none.
 * @throws Problem with what is wrong
 */
export async function pushFiles<Told extends object>(
  { client, print, json }: Session,
  { dir, dryRun = false }: FileOptions & { dryRun?: boolean },
  kind: SettingsFiles,
  /** Where the server has them. */
  base: string,
  stored: readonly NamedSettings[],
  tryOne: (file: SettingsFile, isNew: boolean) => Promise<Tried<Told>>,
  /** Sent with each. */
  also: Settings = {},
): Promise<void> {
  const { folder, files } = await readFiles(kind, { ...(dir !== undefined && { dir }) });
  const standing = new Map(stored.map(({ slug, settings }) => [slug, settings]));
  const toSend = files.filter(
    ({ slug, settings }) => !isDeepStrictEqual(kind.withDefaults(settings), standing.get(slug)),
  );
  const problems: string[] = [];
  const sent: object[] = [];
  const lines: string[] = [];
  for (const file of toSend) {
    const { path, slug } = file;
    const isNew = !standing.has(slug);
    const tried = await tryOne(file, isNew);
    if ('problems' in tried) problems.push(...tried.problems.map((problem) => `${path}: ${problem}`));
    else {
      sent.push({ path, slug, isNew, ...tried.told });
      lines.push(`${isNew ? 'new      ' : 'changed  '} ${path}: ${tried.line}`);
    }
  }
  for (const problem of problems) print.note(problem);
  if (problems.length > 0) {
    throw new Problem(`Nothing was sent: ${problems.length} problems in the files.`, EXIT.failed);
  }
  if (!dryRun) {
    for (const { slug, settings } of toSend) await client.write('PUT', `${base}/${slug}`, { ...settings, ...also });
  }
  const unchanged = files.length - toSend.length;
  if (json) return print.json({ dryRun, sent, unchanged });
  for (const line of lines) print.line(line);
  print.line(`${folder}: ${toSend.length} ${dryRun ? 'to send' : 'sent'}, ${unchanged} unchanged.`);
}

/** @throws Problem where there is none, or one cannot be read */
async function readFiles(kind: SettingsFiles, { dir }: FileOptions) {
  const folder = dir ?? kind.folder;
  const files = await filesIn(kind, folder);
  if (files.length === 0) {
    const pull = `Write those of the server: ${PROGRAM} ${kind.command} pull`;
    throw new Problem(`There is no ${kind.noun} in ${folder}. ${pull}`);
  }
  return { folder, files };
}

async function filesIn({ noun }: SettingsFiles, folder: string): Promise<SettingsFile[]> {
  const about = await stat(folder).catch(() => null);
  if (!about?.isDirectory()) throw new Problem(`There is no folder ${folder}.`);
  const names = (await readdir(folder)).filter((name) => IS_SETTINGS.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const document = parseDocument(await readFile(path, 'utf8'));
      const [error] = document.errors;
      if (error) throw new Problem(`${path}: ${error.message}`);
      const settings: unknown = document.toJS();
      if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
        throw new Problem(`${path} holds no settings of ${noun === 'alarm' ? 'an' : 'a'} ${noun}.`);
      }
      return { path, slug: basename(name).replace(IS_SETTINGS, ''), settings: { ...settings } };
    }),
  );
}
