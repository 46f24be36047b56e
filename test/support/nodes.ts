import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The project's own Node, and the one that whoever runs the tests has: [version, program]. */
export function nodesHere(): [string, string][] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const programs = [process.execPath, ...folders.map((folder) => join(folder, 'node'))];
  const versions = programs.flatMap((program): [string, string][] => {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    return status === 0 && Number(/^v(\d+)/.exec(stdout)?.[1]) >= 20 ? [[stdout.trim(), program]] : [];
  });
  return [...new Map(versions.reverse())];
}
