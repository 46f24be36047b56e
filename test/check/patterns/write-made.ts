import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pattern } from './in-source.ts';

/** `<project> <module>…`: what these modules make with `RegExp` as they load, as JSON on standard output. */
const [project = '', ...paths] = process.argv.slice(2);
const home = pathToFileURL(`${project.replace(/\/$/, '')}/`).href;
const made: Pattern[] = [];

function note(args: unknown[]): void {
  const [given, flags] = args;
  const source = given instanceof Native ? given.source : String(given);
  const line = new Error('here').stack?.split('\n').find((one) => one.includes(home) && !one.includes('/test/check/'));
  const at = line
    ?.slice(line.indexOf(home) + home.length)
    .split(':')
    .slice(0, 2)
    .join(':');
  if (at !== undefined) made.push({ source, flags: typeof flags === 'string' ? flags : '', at });
}

const Native = globalThis.RegExp;
globalThis.RegExp = new Proxy(Native, {
  construct(target, args) {
    note(args);
    return Reflect.construct(target, args);
  },
  apply(target, self, args) {
    note(args);
    return Reflect.apply(target, self, args);
  },
});
for (const path of paths) await import(pathToFileURL(join(project, path)).href);
process.stdout.write(JSON.stringify(made));
process.exit(0);
