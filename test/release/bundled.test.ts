import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledPackages, noticesOf, SAME_TEXT } from '../../release/bundled.ts';
import { modulesOf } from '../../release/server.ts';
import { ROOT } from '../../src/layout.ts';

const fileOf = (name: string) => join(ROOT, 'node_modules', name, 'index.js');

test('each package is named once, with its version and the text of its licence', () => {
  const files = [fileOf('yaml'), fileOf('@tanstack/react-query'), fileOf('yaml'), join(ROOT, 'web', 'main.tsx')];
  const bundled = bundledPackages(files);
  expect(bundled.map(({ name }) => name)).toEqual(['@tanstack/react-query', 'yaml']);
  expect(noticesOf(bundled)).toMatch(
    /^## @tanstack\/react-query \S+ \(MIT\)\n[^]*^## yaml \S+ \(ISC\)\n[^]*Eemeli Aro/m,
  );
});

test('a package that names its licence without its text has that of its author, for as long as it has none', () => {
  for (const name of Object.keys(SAME_TEXT)) {
    expect(readdirSync(join(ROOT, 'node_modules', name)).filter((file) => /^licen/i.test(file))).toEqual([]);
    expect(bundledPackages([fileOf(name)])[0]?.text).toContain('Anton Korzunov');
  }
});

test('a package without a licence becomes no part of anything', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-licence-'));
  const own = join(folder, 'node_modules', 'bare');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), '{"name": "bare", "version": "1.0.0"}');
  expect(() => bundledPackages([join(own, 'index.js')])).toThrow('bare brings no licence along');
  rmSync(folder, { recursive: true });
});

test('the modules of a bundle of workflows are read from it', () => {
  const bundle = ['var a = ({', '/***/ "./node_modules/ms/index.js"', '/*!***', '/***/ "./workflows/index.ts"'].join(
    '\n',
  );
  expect(modulesOf(bundle)).toEqual([join(ROOT, 'node_modules/ms/index.js'), join(ROOT, 'workflows/index.ts')]);
  expect(bundledPackages(modulesOf(bundle)).map(({ name }) => name)).toEqual(['ms']);
});
